import type { z } from 'zod';

/**
 * The commands that have settings, each some of them. `doctor` checks what `up` would start with, `ledger` the data
 * that it has left.
 */
export const PARTS = ['up', 'fleet', 'backend', 'brokers', 'doctor', 'ledger'] as const;
export type Part = (typeof PARTS)[number];

/** One setting: an option, an environment variable, and a key of a settings file. */
export interface Setting {
  /** The constraint on its value. */
  readonly schema: z.ZodType;
  /** How the text of an option or of a variable becomes a value. */
  readonly reading: 'text' | 'number' | 'list';
  /** Of the value, in the help: `port`. */
  readonly placeholder: string;
  readonly help: string;
  /** The commands that have it. */
  readonly parts: readonly Part[];
  /** Without one the command decides, as the help says. */
  readonly fallback?: Readonly<Partial<Record<Part, string | number>>> | string | number;
  /** A former name, which is still accepted and no longer shown. */
  readonly formerly?: string;
  /** The part of its value that is not shown: `all` of it, or the password in its `url`. */
  readonly secret?: 'all' | 'url';
}

/** The default; undefined: the command decides. */
export function fallbackOf({ fallback }: Setting, part: Part): string | number | undefined {
  return typeof fallback === 'object' ? fallback[part] : fallback;
}

/** The value of a text, not yet checked. A list has commas between its parts. */
export function readText({ reading }: Pick<Setting, 'reading'>, text: string): unknown {
  if (reading === 'number') return /^\d{1,10}$/.test(text) ? Number(text) : text;
  return reading === 'list' ? text.split(',').map((part) => part.trim()) : text;
}
