import type { RecordMessage, Tombstone } from '../../protocol/message.ts';
import type { Vehicle } from '../store/port/stored-vehicle.ts';
import { addSettled, countMissing } from './journal-position.ts';
import type { Presence } from './presence.ts';

type Box = Vehicle['box'];
type Journal = Box['journal'];

/** The box with that presence; the same object if nothing changed. */
export function withPresence(box: Box, presence: Presence): Box {
  if (presence === box) return box;
  const { connection, notReadyUntilMs } = presence;
  const { simSuspendedMs, ...rest } = box;
  const isNew = connection?.open === true && connection.counter !== rest.connection?.counter;
  // A new connection shows that the SIM is active again, even if it was activated elsewhere.
  const sim = simSuspendedMs === undefined || isNew ? {} : { simSuspendedMs };
  return { ...rest, ...sim, connection, notReadyUntilMs };
}

/**
 * The journal with the record settled; a tombstone also settles the records that it replaces. Undefined: there are too
 * many gaps, and nothing is settled.
 */
export function settledBy(message: RecordMessage, sequence: number, journal: Journal): Journal | undefined {
  const before = message.kind === 'tombstone' ? addSettled(journal, message.first, message.last) : journal;
  return before === undefined ? undefined : addSettled(before, sequence, sequence);
}

/**
 * How many records it declares lost: those that were stored, or lost by an earlier tombstone without a receipt, are not
 * counted again.
 */
export function lostBy({ first, last, reports, events, replies }: Tombstone, before: Journal): number {
  return Math.min(reports + events + replies, countMissing(before, first, last));
}

/** A tombstone comes after the records that it replaces. */
export function isPossible(tombstone: Tombstone, sequence: number): boolean {
  return tombstone.first >= 1 && tombstone.first <= tombstone.last && tombstone.last < sequence;
}
