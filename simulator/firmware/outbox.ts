import { hasAbility } from '../../protocol/firmware.ts';
import type { Receipt } from '../../protocol/message.ts';
import { topics } from '../../protocol/topics.ts';
import { limits } from '../limits.ts';
import { cargoOf, inOrder, isUrgent, loaded, mayGo, unsent } from './cargo.ts';
import { seal } from './journal.ts';
import { includes, joining, joiningEntry, type Ranges } from './ranges.ts';
import { type Entry, find, following, type Sort, size } from './shelf.ts';
import type { Turn } from './turn.ts';

/**
 * What of the journal has been sent in this session, and what may go next. Replies overtake events, and events overtake
 * a backlog of reports, but only as far as the gaps that they leave stay few (limits.gapsBy…): a backend refuses a
 * record that would leave one more than it keeps. Beside that everything goes in the order of sequences, each sort in
 * its own window of records without a receipt, so that what was refused above never holds up what fills the gaps below.
 * Without a receipt for long everything goes from the start again.
 */
export interface Outbox {
  /** Sequences that are settled or were sent; undefined: nothing was sent yet, the journal tells what is settled. */
  readonly sent: Ranges | undefined;
  /** Records that the backend could not read and that go once more. */
  readonly again: readonly number[];
  /** Sent, not receipted. */
  readonly awaiting: number;
  /** Events and replies among them. */
  readonly awaitingUrgent: number;
  /** Publications without PUBACK, the oldest first. */
  readonly inFlight: readonly { readonly token: number; readonly at: number }[];
  readonly nextToken: number;
  readonly resendAt: number | undefined;
  readonly resendMs: number;
}

export const emptyOutbox: Outbox = {
  sent: undefined,
  again: [],
  awaiting: 0,
  awaitingUrgent: 0,
  inFlight: [],
  nextToken: 1,
  resendAt: undefined,
  resendMs: limits.resendFirstMs,
};

interface Lane {
  readonly sorts: readonly Sort[];
  readonly mostGaps: number;
  readonly mostAwaiting: number;
}

/** What may overtake, in this order, the gaps that it may leave, and how many of both sorts may await a receipt. */
const OVERTAKING: readonly Lane[] = [
  { sorts: ['reply'], mostGaps: limits.gapsByReplies, mostAwaiting: limits.repliesAwaitingReceipt },
  {
    sorts: ['event', 'reply'],
    mostGaps: limits.gapsByEvents,
    mostAwaiting: limits.urgentRecordsAwaitingReceipt,
  },
];

/** As at the start of a session: nothing was sent. Tokens run on. */
export function rewind(outbox: Outbox): Outbox {
  return { ...emptyOutbox, nextToken: outbox.nextToken };
}

/** These records have left the journal. */
export function forget(outbox: Outbox, gone: readonly Entry[]): Outbox {
  const { sent = [] } = outbox;
  const awaited = gone.filter((entry) => includes(sent, entry.sequence));
  const again =
    outbox.again.length === 0
      ? outbox.again
      : outbox.again.filter((sequence) => !gone.some((entry) => entry.sequence === sequence));
  return {
    ...outbox,
    again,
    awaiting: outbox.awaiting - awaited.length,
    awaitingUrgent: outbox.awaitingUrgent - awaited.filter(isUrgent).length,
  };
}

/**
 * A receipt took something off. Where that was the lowest record, the wait begins anew; where it was not, the lowest
 * still waits for its own, however many others get theirs.
 */
export function progressed(turn: Turn, receipt: Receipt, gone: readonly Entry[]): void {
  const { outbox } = turn.ram;
  const { shelf, next } = turn.flash.journal;
  let { sent } = outbox;
  if (sent !== undefined) {
    for (const [first, last] of [[0, receipt.contiguous] as const, ...receipt.ranges])
      sent = joining(sent, first, Math.min(last, next - 1));
    // A receipt need not name what a tombstone of an earlier session stands for.
    for (const entry of gone) sent = joiningEntry(sent, entry);
  }
  const lowest = following(shelf, 0)?.sequence ?? next;
  const isLowest = (gone[0]?.sequence ?? next) < lowest;
  const resendMs = isLowest ? limits.resendFirstMs : outbox.resendMs;
  const resendAt = isLowest ? turn.at + limits.resendFirstMs : outbox.resendAt;
  turn.ram.outbox = { ...outbox, sent, resendMs, resendAt: outbox.awaiting > 0 ? resendAt : undefined };
}

/** Hands a payload to the link; its PUBACK comes back with the token. */
export function publish(turn: Turn, topic: string, payload: Uint8Array, retain: boolean): number {
  const { outbox } = turn.ram;
  const token = outbox.nextToken;
  turn.ram.outbox = {
    ...outbox,
    nextToken: token + 1,
    inFlight: [...outbox.inFlight, { token, at: turn.at }],
  };
  turn.effects.push({ kind: 'publish', token, publication: { topic, payload, retain } });
  return token;
}

export function acknowledged(turn: Turn, token: number): void {
  const { outbox } = turn.ram;
  turn.ram.outbox = { ...outbox, inFlight: outbox.inFlight.filter((one) => one.token !== token) };
}

/** Sends what may be sent now, several records to a payload. Call it only while the session is ready. */
export function pump(turn: Turn): void {
  const { outbox } = turn.ram;
  if (outbox.resendAt !== undefined && turn.at >= outbox.resendAt) {
    const resendMs = Math.min(outbox.resendMs * 2, limits.resendMostMs);
    const { inFlight, nextToken } = outbox;
    turn.ram.outbox = { ...emptyOutbox, inFlight, nextToken, resendMs };
  }
  for (let entries = gather(turn); entries.length > 0; entries = gather(turn)) {
    const token = publish(turn, topics.up(turn.facts.boxId), joined(entries), false);
    const { errand } = turn.ram;
    if (errand !== undefined && entries.some((entry) => entry.sequence === errand.sequence)) {
      turn.ram.errand = { ...errand, token };
    }
  }
}

/** Takes the next records for one payload, and marks them as sent. */
function gather(turn: Turn): readonly Entry[] {
  const { outbox } = turn.ram;
  const { shelf } = turn.flash.journal;
  const flying = outbox.inFlight.length;
  const entries: Entry[] = [];
  if (flying >= limits.urgentPublishesInFlight || size(shelf) === 0) return entries;
  let { again } = outbox;
  let cargo = cargoOf(outbox, turn.flash.journal);
  let bytes = 0;
  const fits = (entry: Entry): boolean =>
    entries.length === 0 ||
    (entries.length < limits.framesPerPublish && bytes + entry.bytes.length <= limits.bytesPerPublish);
  const add = (entry: Entry): void => {
    entries.push(entry);
    bytes += entry.bytes.length;
  };

  while (again.length > 0) {
    const entry = find(shelf, again[0] ?? 0);
    if (entry !== undefined && !fits(entry)) break;
    if (entry !== undefined) add(entry);
    again = again.slice(1);
  }
  for (const lane of OVERTAKING) {
    for (let from = 0; cargo.awaitingUrgent < lane.mostAwaiting; ) {
      const entry = unsent(shelf, cargo.sent, from, lane.sorts);
      if (entry === undefined || !fits(entry) || !mayGo(cargo.sent, entry, lane.mostGaps)) break;
      add(entry);
      cargo = loaded(cargo, entry);
      from = entry.sequence + 1;
    }
  }
  const isWide = hasAbility(turn.ram.firmware, 'wide-window');
  const mostReports = isWide ? limits.recordsAwaitingReceipt : limits.narrowRecordsAwaitingReceipt;
  while (flying < limits.publishesInFlight) {
    const isIdle = flying === 0 && entries.length === 0;
    const entry = inOrder(turn.flash.journal, cargo, isIdle, mostReports);
    if (entry === undefined || !fits(entry)) break;
    add(entry);
    cargo = loaded(cargo, entry);
    if (entry.sort === 'tombstone') turn.flash.journal = seal(turn.flash.journal, entry.sequence);
  }
  if (entries.length > 0) {
    const resendAt = outbox.resendAt ?? turn.at + outbox.resendMs;
    turn.ram.outbox = { ...outbox, ...cargo, again, resendAt };
  }
  return entries;
}

function joined(entries: readonly Entry[]): Uint8Array {
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
