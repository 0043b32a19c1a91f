import type { z } from 'zod';

export type WorldName = 'virtual' | 'real';

/** The worlds in which a word is available, and why not in the others. */
export interface WorldSupport {
  readonly virtual: boolean;
  readonly real: boolean;
  /** The reason when one is false, one sentence. */
  readonly because?: string;
}

export const BOTH_WORLDS: WorldSupport = { virtual: true, real: true };

export function onlyVirtual(because: string): WorldSupport {
  return { virtual: true, real: false, because };
}

/**
 * One word of the language: its settings, what it does, an example. Reference and schema are generated from
 * the rows.
 */
export interface WordRow<Settings extends z.ZodType = z.ZodType> {
  /**
   * The settings of the word. Only codecs of quantity.ts may transform a value, so that it can be written
   * back.
   */
  readonly settings: Settings;
  /** One English sentence. */
  readonly does: string;
  /** An example of its settings. */
  readonly example: z.input<Settings>;
  readonly worlds: WorldSupport;
  /** Whether it lasts until its `for` ends, or the run. Absent: it ends at once. */
  readonly lasts?: true;
  /**
   * The settings that are times for which something is held back. Random scenarios draw them short: what is sent under
   * minutes of latency arrives long after the weather ends.
   */
  readonly holdsBack?: readonly string[];
}

export type WordTable = Readonly<Record<string, WordRow>>;

/** Checks a row's types: its example must fit its settings. */
export function wordRow<Settings extends z.ZodType>(made: WordRow<Settings>): WordRow<Settings> {
  return made;
}

/** One word of a table with its settings as read: `{ name: 'latency', settings: { base: 200, jitter: 0 } }`. */
export type ChosenWord<T extends WordTable> = {
  [Name in keyof T & string]: { readonly name: Name; readonly settings: z.output<T[Name]['settings']> };
}[keyof T & string];
