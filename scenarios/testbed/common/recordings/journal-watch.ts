import type { BoxState } from '../../../../simulator/firmware/core/state.ts';
import {
  type EntryClass,
  entryCount,
  nextEntry,
} from '../../../../simulator/firmware/journal/entry-index.ts';
import type { Journal } from '../../../../simulator/firmware/journal/journal-state.ts';
import type { JournalSacrifice } from '../../port/box-history.ts';
import { limits } from '../limits.ts';
import { mostTombstones } from './journal-bound.ts';

type Sacrifice = Omit<JournalSacrifice, 'atMs'>;

const REPORTS: readonly EntryClass[] = ['report'];
const OTHERS: readonly EntryClass[] = ['event', 'reply'];

/** What tombstones of a journal stand for. */
interface GivenUp {
  readonly reports: number;
  readonly others: number;
}

const NOTHING: GivenUp = { reports: 0, others: 0 };

/** What is looked at of a box. */
interface Looked {
  readonly flash: Pick<BoxState['flash'], 'journal' | 'counters'>;
  readonly ram: { readonly counts: Pick<BoxState['ram']['counts'], 'refusedRecords'> };
}

/**
 * Watches the journal of one box from step to step: what it gave up for want of room, what it held just then, and what it
 * did not take in.
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

  /** Undefined: it gave nothing up in this step. A boot begins anew: what is in flash is no news. */
  stepped({ flash: { journal, counters }, ram: { counts } }: Looked): Sacrifice | undefined {
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

/** Where there can be so many losses at all, the tombstones without room of their own lie in that of records. */
function roomIn({ entryIndex }: Journal, capacity: number): number {
  const canBeMore = mostTombstones(capacity) === limits.tombstoneRoom;
  const beyond = canBeMore ? Math.max(0, entryIndex.counts.tombstone - limits.tombstoneRoom) : 0;
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

/** Only chunks with a tombstone are looked at. */
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
