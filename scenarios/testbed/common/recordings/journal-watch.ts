import type { JournalEviction } from '../../../../judge/evidence/box-history.ts';
import type { BoxState } from '../../../../simulator/firmware/core/state.ts';
import {
  type EntryClass,
  entryCount,
  nextEntry,
} from '../../../../simulator/firmware/journal/entry-index.ts';
import type { Journal } from '../../../../simulator/firmware/journal/journal-state.ts';
import { testbedLimits } from '../../../limits.ts';
import { mostTombstones } from './journal-bound.ts';

type Eviction = Omit<JournalEviction, 'atMs'>;

const REPORTS: readonly EntryClass[] = ['report'];
const OTHERS: readonly EntryClass[] = ['event', 'reply'];

/** The records that tombstones replace. */
interface GivenUp {
  readonly reports: number;
  readonly others: number;
}

const NOTHING: GivenUp = { reports: 0, others: 0 };

/** The observed state of a box. */
interface Looked {
  readonly flash: Pick<BoxState['flash'], 'journal' | 'counters'>;
  readonly ram: { readonly counts: Pick<BoxState['ram']['counts'], 'refusedRecords'> };
}

/**
 * Watches the journal of one box from step to step: its evictions for lack of room, its records at that time, and the
 * refused ones.
 */
export class JournalWatch {
  readonly #capacity: number;
  #journal: Journal | undefined;
  #boot = 0;
  #refused = 0;
  #givenUp = NOTHING;

  /** A journal for so many records. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Undefined: no eviction in this step. A boot resets it: what is in flash is not new. */
  stepped({ flash: { journal, counters }, ram: { counts } }: Looked): Eviction | undefined {
    const before = this.#journal;
    const isSameBoot = this.#boot === counters.boot;
    if (before?.entryIndex === journal.entryIndex && isSameBoot && this.#refused === counts.refusedRecords)
      return undefined;
    const known = this.#givenUp;
    const refused = counts.refusedRecords - this.#refused;
    const isSame = before?.epoch === journal.epoch && isSameBoot;
    this.#journal = journal;
    this.#boot = counters.boot;
    this.#refused = counts.refusedRecords;
    this.#givenUp = givenUpIn(journal);
    if (!isSame || before === undefined) return undefined;
    const reports = this.#givenUp.reports - known.reports;
    const others = this.#givenUp.others - known.others;
    if (reports <= 0 && others <= 0 && refused <= 0) return undefined;
    const held = (classes: readonly EntryClass[]) => oldestOf(journal, classes, before.next);
    return {
      refused: Math.max(0, refused),
      room: roomIn(before, this.#capacity),
      held: Math.max(recordsIn(before), recordsIn(journal)),
      reports: Math.max(0, reports),
      others: Math.max(0, others),
      oldestReport: oldestOf(before, REPORTS, before.next),
      oldestOther: oldestOf(before, OTHERS, before.next),
      heldReport: held(REPORTS),
      heldOther: held(OTHERS),
    };
  }
}

function recordsIn({ entryIndex }: Journal): number {
  return entryCount(entryIndex) - entryIndex.counts.tombstone;
}

/** If there can be so many losses at all, the tombstones beyond their own room take that of records. */
function roomIn({ entryIndex }: Journal, capacity: number): number {
  const canBeMore = mostTombstones(capacity) === testbedLimits.tombstoneRoom;
  const beyond = canBeMore ? Math.max(0, entryIndex.counts.tombstone - testbedLimits.tombstoneRoom) : 0;
  return capacity - beyond;
}

function oldestOf(
  { entryIndex }: Journal,
  classes: readonly EntryClass[],
  below: number,
): number | undefined {
  const found = nextEntry(entryIndex, 0, classes)?.sequence;
  return found !== undefined && found < below ? found : undefined;
}

/** Reads only chunks with a tombstone. */
function givenUpIn({ entryIndex }: Journal): GivenUp {
  if (entryIndex.counts.tombstone === 0) return NOTHING;
  let reports = 0;
  let others = 0;
  for (const { covers, entries } of entryIndex.chunks) {
    if (covers === undefined) continue;
    for (const { tombstone } of entries) {
      if (tombstone?.reason !== 'overwritten') continue;
      reports += tombstone.reports;
      others += tombstone.events + tombstone.replies;
    }
  }
  return { reports, others };
}
