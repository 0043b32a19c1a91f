import type { BoxState } from '../../../../simulator/firmware/core/state.ts';
import { type EntryClass, nextEntry } from '../../../../simulator/firmware/journal/entry-index.ts';
import type { Journal } from '../../../../simulator/firmware/journal/journal-state.ts';
import type { JournalSacrifice } from '../../port/box-history.ts';

type Sacrifice = Omit<JournalSacrifice, 'atMs'>;

const REPORTS: readonly EntryClass[] = ['report'];
const OTHERS: readonly EntryClass[] = ['event', 'reply'];

/** What tombstones of a journal stand for. */
interface GivenUp {
  readonly reports: number;
  readonly others: number;
}

const NOTHING: GivenUp = { reports: 0, others: 0 };

/** Watches the journal of one box from step to step: what it gave up for want of room, and what it held just then. */
export class JournalWatch {
  #journal: Journal | undefined;
  #boot = 0;
  #givenUp = NOTHING;

  /** Undefined: it gave nothing up in this step. A boot begins anew: what is in flash is no news. */
  stepped({ flash: { journal, counters } }: Pick<BoxState, 'flash'>): Sacrifice | undefined {
    const before = this.#journal;
    if (before?.entryIndex === journal.entryIndex && this.#boot === counters.boot) return undefined;
    const known = this.#givenUp;
    const isSame = before?.epoch === journal.epoch && this.#boot === counters.boot;
    this.#journal = journal;
    this.#boot = counters.boot;
    this.#givenUp = givenUpIn(journal);
    if (!isSame || before === undefined) return undefined;
    const reports = this.#givenUp.reports - known.reports;
    const others = this.#givenUp.others - known.others;
    if (reports <= 0 && others <= 0) return undefined;
    const held = (classes: readonly EntryClass[]) => oldestOf(journal, classes, before.next);
    return {
      reports: Math.max(0, reports),
      others: Math.max(0, others),
      oldestReport: oldestOf(before, REPORTS, before.next),
      oldestOther: oldestOf(before, OTHERS, before.next),
      heldReport: held(REPORTS),
      heldOther: held(OTHERS),
    };
  }
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
