import { hasAbility } from '../../../protocol/firmware.ts';
import type { Receipt } from '../../../protocol/message.ts';
import { topics } from '../../../protocol/topics.ts';
import { limits } from '../../limits.ts';
import type { StepContext } from '../core/step-context.ts';
import { type EntryClass, entryCount, findEntry, type JournalEntry, nextEntry } from './entry-index.ts';
import { closeTombstone } from './journal.ts';
import { emptyOutbox, type Outbox } from './journal-state.ts';
import { includesSequence, withEntry, withRange } from './ranges.ts';
import { timeSent } from './receipt-timing.ts';
import { afterSending, isUrgent, maySend, nextInOrder, sendProgressOf, unsent } from './send-order.ts';

interface OvertakingRule {
  readonly entryClasses: readonly EntryClass[];
  readonly mostGaps: number;
  readonly mostAwaiting: number;
}

/** The classes that may overtake, in order, the gaps that they may leave, and the limit of unreceipted ones of both. */
const OVERTAKING: readonly OvertakingRule[] = [
  { entryClasses: ['reply'], mostGaps: limits.gapsByReplies, mostAwaiting: limits.repliesAwaitingReceipt },
  {
    entryClasses: ['event', 'reply'],
    mostGaps: limits.gapsByEvents,
    mostAwaiting: limits.urgentRecordsAwaitingReceipt,
  },
];

/** As at the start of a session: nothing was sent. Tokens run on. */
export function rewind(outbox: Outbox): Outbox {
  return { ...emptyOutbox, nextToken: outbox.nextToken };
}

/** These records have left the journal. */
export function forgetEntries(outbox: Outbox, removed: readonly JournalEntry[]): Outbox {
  const { sent = [] } = outbox;
  const awaited = removed.filter((entry) => includesSequence(sent, entry.sequence));
  const again =
    outbox.again.length === 0
      ? outbox.again
      : outbox.again.filter((sequence) => !removed.some((entry) => entry.sequence === sequence));
  return {
    ...outbox,
    again,
    awaiting: outbox.awaiting - awaited.length,
    awaitingUrgent: outbox.awaitingUrgent - awaited.filter(isUrgent).length,
  };
}

/**
 * A receipt removed records. If the lowest was among them, the wait restarts; otherwise the lowest still waits for
 * its own, however many others get theirs.
 */
export function handleReceiptProgress(
  context: StepContext,
  receipt: Receipt,
  removed: readonly JournalEntry[],
): void {
  const { outbox } = context.ram;
  const { entryIndex, next } = context.flash.journal;
  let { sent } = outbox;
  if (sent !== undefined) {
    for (const [first, last] of [[0, receipt.contiguous] as const, ...receipt.ranges])
      sent = withRange(sent, first, Math.min(last, next - 1));
    // A receipt need not name the range of a tombstone of an earlier session.
    for (const entry of removed) sent = withEntry(sent, entry);
  }
  const lowest = nextEntry(entryIndex, 0)?.sequence ?? next;
  const isLowest = (removed[0]?.sequence ?? next) < lowest;
  const resendMs = isLowest ? limits.resendFirstMs : outbox.resendMs;
  const resendAt = isLowest ? context.at + limits.resendFirstMs : outbox.resendAt;
  context.ram.outbox = { ...outbox, sent, resendMs, resendAt: outbox.awaiting > 0 ? resendAt : undefined };
}

/** Hands a payload to the link; its PUBACK comes back with the token. */
export function publish(context: StepContext, topic: string, payload: Uint8Array, retain: boolean): number {
  const { outbox } = context.ram;
  const token = outbox.nextToken;
  context.ram.outbox = {
    ...outbox,
    nextToken: token + 1,
    inFlight: [...outbox.inFlight, { token, at: context.at }],
  };
  context.effects.push({ kind: 'publish', token, publication: { topic, payload, retain } });
  return token;
}

export function handleAcknowledged(context: StepContext, token: number): void {
  const { outbox } = context.ram;
  context.ram.outbox = { ...outbox, inFlight: outbox.inFlight.filter((one) => one.token !== token) };
}

/** All records that were sent without a receipt are sent again; the wait for a receipt restarts. */
export function sendAllAgain(context: StepContext): void {
  const { inFlight, nextToken } = context.ram.outbox;
  context.ram.outbox = { ...emptyOutbox, inFlight, nextToken };
}

/** A frame of the backend has arrived: the downlink works. */
export function handleHeard(context: StepContext): void {
  const { outbox } = context.ram;
  if (outbox.unheard > 0) context.ram.outbox = { ...outbox, unheard: 0 };
}

/**
 * Whether the broker accepts everything, but nothing has come back for so long that the connection must be at fault:
 * a broker that waits for lost PUBACKs sends nothing until there is a new one (MQTT 3.1.1 section 4.4).
 */
export function isUnheard({ at, ram: { outbox } }: StepContext): boolean {
  return outbox.unheard >= limits.resendsUnheard && outbox.resendAt !== undefined && at >= outbox.resendAt;
}

/** Sends all records that may be sent now, several in each payload. Call it only while the session is ready. */
export function sendNext(context: StepContext): void {
  const { outbox } = context.ram;
  if (outbox.resendAt !== undefined && context.at >= outbox.resendAt) {
    const { inFlight, nextToken } = outbox;
    const unheard = outbox.unheard + 1;
    const doubledMs = Math.min(outbox.resendMs * 2, limits.resendMostMs);
    // The last attempt: its answer decides about the connection.
    const resendMs = unheard === limits.resendsUnheard ? limits.resendFirstMs : doubledMs;
    context.ram.outbox = { ...emptyOutbox, inFlight, nextToken, resendMs, unheard };
  }
  for (let entries = gatherEntries(context); entries.length > 0; entries = gatherEntries(context)) {
    const token = publish(context, topics.up(context.facts.boxId), concatenatedFrames(entries), false);
    const { pendingTask } = context.ram;
    if (pendingTask !== undefined && entries.some((entry) => entry.sequence === pendingTask.sequence)) {
      context.ram.pendingTask = { ...pendingTask, token };
    }
  }
}

/** Takes the next records for one payload, and marks them as sent. */
function gatherEntries(context: StepContext): readonly JournalEntry[] {
  const { outbox } = context.ram;
  const { entryIndex } = context.flash.journal;
  const inFlightCount = outbox.inFlight.length;
  const entries: JournalEntry[] = [];
  if (inFlightCount >= limits.urgentPublishesInFlight || entryCount(entryIndex) === 0) return entries;
  let { again } = outbox;
  let progress = sendProgressOf(outbox, context.flash.journal);
  let bytes = 0;
  const fits = (entry: JournalEntry): boolean =>
    entries.length === 0 ||
    (entries.length < limits.framesPerPublish && bytes + entry.bytes.length <= limits.bytesPerPublish);
  const add = (entry: JournalEntry): void => {
    entries.push(entry);
    bytes += entry.bytes.length;
  };

  while (again.length > 0) {
    const entry = findEntry(entryIndex, again[0] ?? 0);
    if (entry !== undefined && !fits(entry)) break;
    if (entry !== undefined) add(entry);
    again = again.slice(1);
  }
  for (const rule of OVERTAKING) {
    for (let from = 0; progress.awaitingUrgent < rule.mostAwaiting; ) {
      const entry = unsent(entryIndex, progress.sent, from, rule.entryClasses);
      if (entry === undefined || !fits(entry) || !maySend(progress.sent, entry, rule.mostGaps)) break;
      add(entry);
      progress = afterSending(progress, entry);
      from = entry.sequence + 1;
    }
  }
  const isWide = hasAbility(context.ram.firmware, 'wide-window');
  const mostReports = isWide ? limits.recordsAwaitingReceipt : limits.narrowRecordsAwaitingReceipt;
  while (inFlightCount < limits.publishesInFlight) {
    const isIdle = inFlightCount === 0 && entries.length === 0;
    const entry = nextInOrder(context.flash.journal, progress, isIdle, mostReports);
    if (entry === undefined || !fits(entry)) break;
    add(entry);
    progress = afterSending(progress, entry);
    if (entry.entryClass === 'tombstone')
      context.flash.journal = closeTombstone(context.flash.journal, entry.sequence);
  }
  if (entries.length > 0) {
    const resendAt = outbox.resendAt ?? context.at + outbox.resendMs;
    context.ram.outbox = { ...outbox, ...progress, again, resendAt };
    context.ram.timing = timeSent(context.ram.timing, entries, context.at);
  }
  return entries;
}

function concatenatedFrames(entries: readonly JournalEntry[]): Uint8Array {
  const [only] = entries;
  if (only !== undefined && entries.length === 1) return only.bytes;
  const payload = new Uint8Array(entries.reduce((sum, entry) => sum + entry.bytes.length, 0));
  let offset = 0;
  for (const entry of entries) {
    payload.set(entry.bytes, offset);
    offset += entry.bytes.length;
  }
  return payload;
}
