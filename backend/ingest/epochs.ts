import type { Frame } from '../../protocol/message.ts';
import { limits } from '../base/limits.ts';
import type { LeftJournal, Vehicle } from '../store/port/stored-vehicle.ts';
import type { ReceivedPayload } from './inbound-message.ts';

/*
 * Epochs have no order: a box whose flash was wiped cannot know its old one. So an unknown epoch begins at once, and
 * the previous one is past: its late frames are refused. But anybody with the password of a box can begin one in its
 * name, and the box itself then sends hellos with its own, past epoch. If it continues to, and nothing of the current
 * epoch arrives, its epoch becomes current again (docs/decisions/0063-a-box-returns-to-its-epoch.md).
 */

type Box = Vehicle['box'];
type Journal = Box['journal'];

/**
 * What a frame implies for the epoch of its box, and the box after it. The rest of a frame of a past epoch is ignored.
 */
export interface EpochVerdict {
  readonly kind: 'in-force' | 'begins' | 'returns' | 'past';
  readonly box: Box;
}

/** Judges a frame by its epoch. `isSetUp`: the box, in the vehicle that it is in now. */
export function judgeEpoch(
  box: Box,
  { epoch, message }: Pick<Frame, 'epoch' | 'message'>,
  { retained, receivedMs }: Pick<ReceivedPayload, 'retained' | 'receivedMs'>,
  isSetUp: boolean,
): EpochVerdict {
  const { journal } = box;
  if (epoch === journal.epoch) {
    // Neither a retained frame nor a will shows which epoch the box has now.
    const isNews = journal.returning !== undefined && !retained && message.kind !== 'gone';
    return { kind: 'in-force', box: isNews ? { ...box, journal: withoutReturn(journal) } : box };
  }
  if (journal.past?.includes(epoch) !== true) return { kind: 'begins', box: afterWipe(box, epoch, isSetUp) };
  if (retained || message.kind !== 'hello') return { kind: 'past', box };
  const sinceMs = journal.returning?.epoch === epoch ? journal.returning.sinceMs : undefined;
  // A clock that was set back restarts the wait.
  if (sinceMs === undefined || receivedMs < sinceMs)
    return {
      kind: 'past',
      box: { ...box, journal: { ...journal, returning: { epoch, sinceMs: receivedMs } } },
    };
  if (receivedMs - sinceMs < limits.epochReturnMs) return { kind: 'past', box };
  return { kind: 'returns', box: afterReturn(box, epoch, message.lowestHeld) };
}

function withoutReturn({ returning: _, ...journal }: Journal): Journal {
  return journal;
}

/** The box after its flash was wiped, which restarts everything that it counts: sequences and connections. */
function afterWipe(box: Box, epoch: number, isSetUp: boolean): Box {
  const isFirst = box.journal.epoch === 0;
  // A wiped flash has no records of the previous vehicle: all later ones belong to the current vehicle.
  const setUpAt = isFirst ? box.journal.setUpAt : isSetUp ? 0 : undefined;
  return {
    ...box,
    journal: {
      epoch,
      contiguous: 0,
      ranges: [],
      ...(isFirst ? {} : leavingFor(epoch, box.journal)),
      ...(setUpAt === undefined ? {} : { setUpAt }),
    },
    connection: undefined,
    notReadyUntilMs: undefined,
  };
}

/**
 * The box in an epoch that had counted as past. The journal continues at its last position, with the record at which
 * the box was set up in its vehicle. After an older version or a change of vehicles no position is stored: records that
 * the box no longer holds then count as stored, and the record of the setup is unknown.
 */
function afterReturn(box: Box, epoch: number, lowestHeld: number): Box {
  const left = box.journal.left?.find((one) => one.epoch === epoch);
  return {
    ...box,
    journal: {
      ...(left ?? { epoch, contiguous: lowestHeld - 1, ranges: [] }),
      ...leavingFor(epoch, box.journal),
    },
    connection: undefined,
    notReadyUntilMs: undefined,
  };
}

/** What is stored of a journal, and of earlier ones, when another one replaces it. */
function leavingFor(
  epoch: number,
  { epoch: before, contiguous, ranges, setUpAt, past = [], left = [] }: Journal,
): Required<Pick<Journal, 'past' | 'left'>> {
  const leaving: LeftJournal = {
    epoch: before,
    contiguous,
    ranges,
    ...(setUpAt === undefined ? {} : { setUpAt }),
  };
  return {
    past: [before, ...past.filter((one) => one !== epoch)].slice(0, limits.pastEpochs),
    left: [leaving, ...left.filter((one) => one.epoch !== epoch)].slice(0, limits.pastEpochs),
  };
}
