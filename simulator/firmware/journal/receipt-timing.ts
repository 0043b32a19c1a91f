import type { JournalEntry } from './entry-index.ts';

/**
 * How long a receipt took, by one record at a time: from when that record was first sent in this session to when it was
 * receipted. Its receipt was made in between, so the time that the receipt states is no older than that (Cristian,
 * 1989). A record that was sent before, possibly before this boot, is not timed: its receipt may answer the earlier
 * frame.
 */
export interface ReceiptTiming {
  /** No record from this sequence on was ever sent. */
  readonly neverSentFrom: number;
  readonly timed: { readonly sequence: number; readonly at: number } | undefined;
}

/** After boot: the records in flash may have been sent. */
export function timingFrom(next: number): ReceiptTiming {
  return { neverSentFrom: next, timed: undefined };
}

/** These records are sent at `at`. One of them is timed from now on, if none is. */
export function timeSent(
  { neverSentFrom, timed }: ReceiptTiming,
  entries: readonly JournalEntry[],
  at: number,
): ReceiptTiming {
  const first = entries.find(({ sequence }) => sequence >= neverSentFrom);
  if (first === undefined) return { neverSentFrom, timed };
  const highest = Math.max(...entries.map(({ sequence }) => sequence));
  return { neverSentFrom: highest + 1, timed: timed ?? { sequence: first.sequence, at } };
}

/** This record is sent out of its turn: it is not timed, and never will be. */
export function noteSent({ neverSentFrom, timed }: ReceiptTiming, sequence: number): ReceiptTiming {
  return { neverSentFrom: Math.max(neverSentFrom, sequence + 1), timed };
}

/** Times the next record that is sent, instead of the one under way. */
export function timeAnew({ neverSentFrom }: ReceiptTiming): ReceiptTiming {
  return { neverSentFrom, timed: undefined };
}

/** Since when the record was timed, if a receipt has just removed it; undefined: it has not. */
export function timedSince({ timed }: ReceiptTiming, receipted: readonly JournalEntry[]): number | undefined {
  return timed !== undefined && receipted.some(({ sequence }) => sequence === timed.sequence)
    ? timed.at
    : undefined;
}
