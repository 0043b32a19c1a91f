import { KINDS, type KindName } from '../../protocol/kinds.ts';

/**
 * What is written down while a run goes on, for its checkers to read at the end. A book that nobody reads is not kept:
 * a large fleet would fill the memory with it.
 */
export interface Books {
  /** Frames of these kinds. */
  readonly frames: ReadonlySet<KindName>;
  /** What came to lie in queues. `heads`: id, name, vehicle and time, without the body. */
  readonly messages: 'none' | 'heads' | 'whole';
  /** What the vehicles were, and how far the clocks of their boxes were off. */
  readonly truth: boolean;
}

export const ALL_KINDS: ReadonlySet<KindName> = new Set(KINDS.map(({ name }) => name));

export const EVERY_BOOK: Books = { frames: ALL_KINDS, messages: 'whole', truth: true };

export const NO_BOOK: Books = { frames: new Set(), messages: 'none', truth: false };
