import type { RecordMessage, Tombstone } from '../../protocol/message.ts';
import { limits } from '../limits.ts';
import type { Vehicle } from '../store/port/stored-vehicle.ts';
import { addSettled, countMissing } from './journal-position.ts';
import type { Presence } from './presence.ts';

type Box = Vehicle['box'];
type Journal = Box['journal'];

/**
 * The box after its flash was wiped, which restarts everything that it counts: sequences and connections. It cannot know
 * its old epoch, so epochs have no order: one that was never seen is the next one. `isSetUp`: in the vehicle that it is
 * in now.
 */
export function afterWipe(box: Box, epoch: number, isSetUp: boolean): Box {
  const { epoch: before, past = [], setUpAt: setUpBefore } = box.journal;
  const isFirst = before === 0;
  // A wiped flash holds nothing of the vehicle before: all that follows is of the one it was set up in.
  const setUpAt = isFirst ? setUpBefore : isSetUp ? 0 : undefined;
  return {
    ...box,
    journal: {
      epoch,
      contiguous: 0,
      ranges: [],
      ...(isFirst ? {} : { past: [before, ...past].slice(0, limits.pastEpochs) }),
      ...(setUpAt === undefined ? {} : { setUpAt }),
    },
    connection: undefined,
    notReadyUntilMs: undefined,
  };
}

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
 * The journal with the record, of which a tombstone settles those that it replaces besides its own; undefined: there
 * are too many gaps, and nothing is settled.
 */
export function settledBy(message: RecordMessage, sequence: number, journal: Journal): Journal | undefined {
  const before = message.kind === 'tombstone' ? addSettled(journal, message.first, message.last) : journal;
  return before === undefined ? undefined : addSettled(before, sequence, sequence);
}

/**
 * How many records are lost by what it says: what was stored, or lost by an earlier tombstone whose receipt the box did
 * not get, is not lost once more.
 */
export function lostBy({ first, last, reports, events, replies }: Tombstone, before: Journal): number {
  return Math.min(reports + events + replies, countMissing(before, first, last));
}

/** A tombstone comes after the records that it replaces. */
export function isPossible(tombstone: Tombstone, sequence: number): boolean {
  return tombstone.first >= 1 && tombstone.first <= tombstone.last && tombstone.last < sequence;
}
