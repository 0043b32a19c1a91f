import { topics } from '../../protocol/topics.ts';
import { limits } from '../limits.ts';
import { seal } from './journal.ts';
import { type Entry, find, following, type Sort } from './shelf.ts';
import type { Turn } from './turn.ts';

/**
 * What of the journal has been sent in this session. Events and replies go by one cursor, reports and tombstones by
 * another, each in the order of sequences: so the first overtake a backlog of the second, and what was sent needs no
 * list of its own. Sent records wait for their receipt; without one for long both cursors go back to the start.
 */
export interface Outbox {
  readonly urgentFrom: number;
  readonly bulkFrom: number;
  /** Records that the backend could not read and that go once more. */
  readonly again: readonly number[];
  /** Sent, not receipted. */
  readonly awaiting: number;
  /** Publications without PUBACK, the oldest first. */
  readonly inFlight: readonly { readonly token: number; readonly at: number }[];
  readonly nextToken: number;
  readonly resendAt: number | undefined;
  readonly resendMs: number;
}

export const emptyOutbox: Outbox = {
  urgentFrom: 0,
  bulkFrom: 0,
  again: [],
  awaiting: 0,
  inFlight: [],
  nextToken: 1,
  resendAt: undefined,
  resendMs: limits.resendFirstMs,
};

const URGENT: readonly Sort[] = ['event', 'reply'];
const BULK: readonly Sort[] = ['report', 'tombstone'];

function isUrgent(entry: Entry): boolean {
  return entry.sort === 'event' || entry.sort === 'reply';
}

/** As at the start of a session: nothing was sent. Tokens run on. */
export function rewind(outbox: Outbox): Outbox {
  return { ...emptyOutbox, nextToken: outbox.nextToken };
}

/** These records have left the journal. */
export function forget(outbox: Outbox, gone: readonly Entry[]): Outbox {
  const sent = gone.filter(
    (entry) => entry.sequence < (isUrgent(entry) ? outbox.urgentFrom : outbox.bulkFrom),
  );
  const again =
    outbox.again.length === 0
      ? outbox.again
      : outbox.again.filter((sequence) => !gone.some((entry) => entry.sequence === sequence));
  return { ...outbox, again, awaiting: outbox.awaiting - sent.length };
}

/** A receipt took something off: the link works both ways, the wait begins anew. */
export function progressed(turn: Turn): void {
  const { outbox } = turn.ram;
  const resendAt = outbox.awaiting > 0 ? turn.at + limits.resendFirstMs : undefined;
  turn.ram.outbox = { ...outbox, resendMs: limits.resendFirstMs, resendAt };
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
    turn.ram.outbox = {
      ...outbox,
      urgentFrom: 0,
      bulkFrom: 0,
      again: [],
      awaiting: 0,
      resendAt: undefined,
      resendMs,
    };
  }
  for (let entries = gather(turn); entries.length > 0; entries = gather(turn)) {
    const token = publish(turn, topics.up(turn.facts.boxId), joined(entries), false);
    const { errand } = turn.ram;
    if (errand !== undefined && entries.some((entry) => entry.sequence === errand.sequence)) {
      turn.ram.errand = { ...errand, token };
    }
  }
}

/** Takes the next records for one payload, and moves the cursors past them. */
function gather(turn: Turn): readonly Entry[] {
  const { shelf } = turn.flash.journal;
  let { urgentFrom, bulkFrom, again, awaiting } = turn.ram.outbox;
  const flying = turn.ram.outbox.inFlight.length;
  const entries: Entry[] = [];
  let bytes = 0;
  const fits = (entry: Entry): boolean =>
    entries.length === 0 ||
    (entries.length < limits.framesPerPublish && bytes + entry.bytes.length <= limits.bytesPerPublish);
  const add = (entry: Entry): void => {
    entries.push(entry);
    bytes += entry.bytes.length;
  };

  if (flying >= limits.urgentPublishesInFlight) return entries;
  while (again.length > 0) {
    const entry = find(shelf, again[0] ?? 0);
    if (entry !== undefined && !fits(entry)) break;
    if (entry !== undefined) add(entry);
    again = again.slice(1);
  }
  while (awaiting < limits.urgentRecordsAwaitingReceipt) {
    const entry = following(shelf, urgentFrom, URGENT);
    if (entry === undefined || !fits(entry)) break;
    add(entry);
    urgentFrom = entry.sequence + 1;
    awaiting += 1;
  }
  while (flying < limits.publishesInFlight && awaiting < limits.recordsAwaitingReceipt) {
    const entry = following(shelf, bulkFrom, BULK);
    if (entry === undefined || !fits(entry)) break;
    add(entry);
    bulkFrom = entry.sequence + 1;
    awaiting += 1;
    if (entry.sort === 'tombstone') turn.flash.journal = seal(turn.flash.journal, entry.sequence);
  }
  if (entries.length > 0) {
    const { outbox } = turn.ram;
    const resendAt = outbox.resendAt ?? turn.at + outbox.resendMs;
    turn.ram.outbox = { ...outbox, urgentFrom, bulkFrom, again, awaiting, resendAt };
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
