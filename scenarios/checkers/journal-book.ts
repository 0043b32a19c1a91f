import type { Range } from '../ledger/facts.ts';
import { joined } from '../ledger/ranges.ts';
import type { SeenFrame } from '../run/evidence.ts';

/** What the wire saw of one epoch of a box's journal. */
export interface EpochBook {
  readonly epoch: number;
  readonly sent: ReadonlySet<number>;
  /** What the service promised to have: by its receipts. Rising, not touching. */
  readonly receipted: readonly Range[];
  /** What each tombstone stands for, by its own sequence. */
  readonly tombstones: ReadonlyMap<number, { readonly covers: Range; readonly lost: number }>;
}

interface Draft {
  readonly epoch: number;
  readonly sent: Set<number>;
  contiguous: number;
  beyond: readonly Range[];
  readonly tombstones: Map<number, { readonly covers: Range; readonly lost: number }>;
}

/** So many ranges are kept before they are joined. */
const LOOSE_RANGES = 1_024;

/** Reads a box's frames as journals, one for each epoch, in the order in which the wire saw them first. */
export async function readJournals(
  frames: AsyncIterable<SeenFrame>,
): Promise<ReadonlyMap<number, EpochBook>> {
  const drafts = new Map<number, Draft>();
  const draftOf = (epoch: number): Draft => {
    const known = drafts.get(epoch);
    if (known !== undefined) return known;
    const draft: Draft = { epoch, sent: new Set(), contiguous: 0, beyond: [], tombstones: new Map() };
    drafts.set(epoch, draft);
    return draft;
  };
  for await (const { direction, epoch, sequence, message } of frames) {
    if (direction === 'up' && sequence > 0) {
      const draft = draftOf(epoch);
      draft.sent.add(sequence);
      if (message.kind === 'tombstone') {
        const { first, last, reports, events, replies } = message;
        draft.tombstones.set(sequence, { covers: [first, last], lost: reports + events + replies });
      }
    } else if (direction === 'down' && message.kind === 'receipt') {
      const draft = draftOf(epoch);
      draft.contiguous = Math.max(draft.contiguous, message.contiguous);
      if (message.ranges.length === 0) continue;
      const all = [...draft.beyond, ...message.ranges];
      draft.beyond = all.length > LOOSE_RANGES ? joined(all) : all;
    }
  }
  return new Map(
    [...drafts].map(([epoch, { contiguous, beyond, ...rest }]): [number, EpochBook] => {
      const first: readonly Range[] = contiguous === 0 ? [] : [[1, contiguous]];
      return [epoch, { ...rest, receipted: joined([...first, ...beyond]) }];
    }),
  );
}
