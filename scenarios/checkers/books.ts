import type { KindName } from '../../protocol/kinds.ts';
import type { CheckerName } from '../language/checkers.ts';
import { ALL_KINDS, type Books, NO_BOOK } from '../run/books.ts';

/** Frames that tell what the service promised to have, and what a box gave up. */
export const OF_RECEIPTS: ReadonlySet<KindName> = new Set<KindName>(['receipt', 'tombstone']);
/** Frames that tell what a box was asked for, and what it answered. */
export const OF_REQUESTS: ReadonlySet<KindName> = new Set<KindName>(['command', 'configuration', 'reply']);

/** Which books each checker reads. To read one that is not in its row throws: it may not have been kept. */
const READS: Readonly<Record<CheckerName, Partial<Books>>> = {
  'nothing-lost': { frames: OF_RECEIPTS, messages: 'heads' },
  'nothing-doubled': { frames: ALL_KINDS, messages: 'whole' },
  'order-per-box': { messages: 'heads' },
  'twin-is-fold': { frames: ALL_KINDS },
  'twin-is-true': { truth: true },
  'commands-at-most-once': { frames: OF_REQUESTS },
  'answers-agree': { frames: OF_REQUESTS },
  'one-result-per-vehicle': { frames: OF_REQUESTS },
  'tokens-expire': {},
  'fleets-apart': { messages: 'whole' },
  'within-bounds': {},
  heals: {},
};

const AMOUNTS: readonly Books['messages'][] = ['none', 'heads', 'whole'];

/** The books that these checkers read together. */
export function booksOf(checkers: readonly CheckerName[]): Books {
  const reads = checkers.map((checker): Books => ({ ...NO_BOOK, ...READS[checker] }));
  const most = reads.reduce((amount, { messages }) => Math.max(amount, AMOUNTS.indexOf(messages)), 0);
  return {
    frames: new Set(reads.flatMap(({ frames }) => [...frames])),
    messages: AMOUNTS[most] ?? 'whole',
    truth: reads.some(({ truth }) => truth),
  };
}
