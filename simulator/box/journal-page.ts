import type { BoxState } from '../firmware/core/state.ts';
import { allEntries, type JournalEntry } from '../firmware/journal/entry-index.ts';
import { includesSequence, type SequenceRanges } from '../firmware/journal/ranges.ts';

/** The records that a box holds in its journal, by the page. */
export interface JournalPage {
  readonly epoch: number;
  /** The sequences of all records that it holds, ascending; both ends of a range included. */
  readonly held: SequenceRanges;
  /** Those of them that were sent in this session and have no receipt yet. */
  readonly inFlight: SequenceRanges;
  /** In the order of their sequences: the whole frame of each. */
  readonly records: readonly { readonly sequence: number; readonly hex: string }[];
  /** `after` of the next page; absent: this is the last one. */
  readonly next?: number;
}

/** The records behind the sequence `after`, `limit` of them at most. */
export function journalPage(
  { flash: { journal }, ram }: BoxState,
  { after, limit }: { readonly after: number; readonly limit: number },
): JournalPage {
  const entries = allEntries(journal.entryIndex);
  // Without a session no earlier transmission counts: all records are sent again.
  const sent = ram.power === 'up' && ram.session.phase === 'ready' ? (ram.outbox.sent ?? []) : [];
  const behind = entries.filter(({ sequence }) => sequence > after);
  const page = behind.slice(0, limit);
  const last = page.at(-1)?.sequence;
  return {
    epoch: journal.epoch,
    held: rangesOf(entries),
    inFlight: rangesOf(entries.filter(({ sequence }) => includesSequence(sent, sequence))),
    records: page.map(({ sequence, bytes }) => ({ sequence, hex: Buffer.from(bytes).toString('hex') })),
    ...(behind.length > page.length && last !== undefined ? { next: last } : {}),
  };
}

/** Of entries in ascending order. */
function rangesOf(entries: readonly JournalEntry[]): SequenceRanges {
  const ranges: [first: number, last: number][] = [];
  for (const { sequence } of entries) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] + 1 === sequence) range[1] = sequence;
    else ranges.push([sequence, sequence]);
  }
  return ranges;
}
