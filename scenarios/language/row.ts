import type { z } from 'zod';

export type WorldName = 'virtual' | 'real';

/** Which worlds can do it, and why the others cannot. */
export interface Worlds {
  readonly virtual: boolean;
  readonly real: boolean;
  /** Where one is false: the reason, one sentence. */
  readonly because?: string;
  /** Where `real` is false: the settings with which it can be done there all the same, and their name. */
  readonly butFor?: { readonly told: string; readonly suits: (settings: never) => boolean };
}

export const BOTH: Worlds = { virtual: true, real: true };

export function onlyVirtual(because: string): Worlds {
  return { virtual: true, real: false, because };
}

/** One word of the language: what stands under it, what it does, how it looks. Reference and schema are made of rows. */
export interface Row<Settings extends z.ZodType = z.ZodType> {
  /** What stands under the word. Only codecs of quantity.ts may change a value, so that it can be written back. */
  readonly settings: Settings;
  /** One English sentence. */
  readonly does: string;
  /** What may stand under the word. */
  readonly example: z.input<Settings>;
  readonly worlds: Worlds;
  /** It goes on until its `for` is over, or to the end. Absent: it is over as soon as it has happened. */
  readonly lasts?: true;
}

export type Table = Readonly<Record<string, Row>>;

/** Joins a row's types: its example is one of its settings. */
export function row<Settings extends z.ZodType>(made: Row<Settings>): Row<Settings> {
  return made;
}

/** One word of a table with its settings as read: `{ name: 'latency', settings: { base: 200, jitter: 0 } }`. */
export type Chosen<T extends Table> = {
  [Name in keyof T & string]: { readonly name: Name; readonly settings: z.output<T[Name]['settings']> };
}[keyof T & string];
