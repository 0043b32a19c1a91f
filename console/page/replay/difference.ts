import type { Entry } from './entry-of.ts';
import type { RunIndex } from './run-index.ts';

/** Where two runs diverge: the first line of the log that differs, or that only one of them has. */
export interface RunDifference {
  /** From the beginning of the scenario, in milliseconds. */
  readonly afterMs: number;
  /** Undefined: this run has no further line. */
  readonly one: Entry | undefined;
  readonly other: Entry | undefined;
}

/**
 * The first difference between two runs, by the events and their times from the beginning of the scenario in each.
 * Frames are compared by their bytes, so that the smallest change is found. Lines before that beginning that differ
 * only in their times count as equal. Undefined: they are the same.
 */
export function firstDifference(one: RunIndex, other: RunIndex): RunDifference | undefined {
  const [oneMs, otherMs] = [one.beginMs ?? 0, other.beginMs ?? 0];
  const length = Math.max(one.entries.length, other.entries.length);
  for (let index = 0; index < length; index += 1) {
    const [a, b] = [one.entries[index], other.entries[index]];
    if (a !== undefined && b !== undefined) {
      if (lineOf(a, oneMs) === lineOf(b, otherMs)) continue;
      const isBefore = a.atMs < oneMs && b.atMs < otherMs;
      if (isBefore && wordsOf(a) === wordsOf(b)) continue;
    }
    const times = [
      ...(a === undefined ? [] : [a.atMs - oneMs]),
      ...(b === undefined ? [] : [b.atMs - otherMs]),
    ];
    return { afterMs: Math.min(...times), one: a, other: b };
  }
  return undefined;
}

function lineOf(entry: Entry, beginMs: number): string {
  return `${entry.atMs - beginMs} ${wordsOf(entry)}`;
}

function wordsOf({ kind, vehicle, text, hex = '' }: Entry): string {
  return `${kind} ${vehicle ?? ''} ${text} ${hex}`;
}
