import type { Message } from '../../protocol/message.ts';
import type { Range } from '../ledger/facts.ts';
import { joined } from '../ledger/ranges.ts';
import type { Pages, SeenFrame } from '../run/evidence.ts';

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

/** A box's journals, one for each epoch, in the order in which the wire saw them first. */
export class JournalBook {
  readonly #drafts = new Map<number, Draft>();

  take(
    direction: SeenFrame['direction'],
    frame: { readonly epoch: number; readonly sequence: number; readonly message: Message },
  ): void {
    const { epoch, sequence, message } = frame;
    if (direction === 'up' && sequence > 0) {
      this.sent(epoch, sequence);
      if (message.kind === 'tombstone') {
        const { first, last, reports, events, replies } = message;
        const lost = reports + events + replies;
        this.#draftOf(epoch).tombstones.set(sequence, { covers: [first, last], lost });
      }
    } else if (direction === 'down' && message.kind === 'receipt') {
      const draft = this.#draftOf(epoch);
      draft.contiguous = Math.max(draft.contiguous, message.contiguous);
      if (message.ranges.length === 0) return;
      const all = [...draft.beyond, ...message.ranges];
      draft.beyond = all.length > LOOSE_RANGES ? joined(all) : all;
    }
  }

  /** The record of that sequence went up. */
  sent(epoch: number, sequence: number): void {
    this.#draftOf(epoch).sent.add(sequence);
  }

  journals(): ReadonlyMap<number, EpochBook> {
    return new Map(
      [...this.#drafts].map(([epoch, { contiguous, beyond, ...rest }]): [number, EpochBook] => {
        const first: readonly Range[] = contiguous === 0 ? [] : [[1, contiguous]];
        return [epoch, { ...rest, receipted: joined([...first, ...beyond]) }];
      }),
    );
  }

  #draftOf(epoch: number): Draft {
    const known = this.#drafts.get(epoch);
    if (known !== undefined) return known;
    const draft: Draft = { epoch, sent: new Set(), contiguous: 0, beyond: [], tombstones: new Map() };
    this.#drafts.set(epoch, draft);
    return draft;
  }
}

/** Reads a box's frames as journals, one for each epoch, in the order in which the wire saw them first. */
export async function readJournals(frames: Pages<SeenFrame>): Promise<ReadonlyMap<number, EpochBook>> {
  const book = new JournalBook();
  for await (const page of frames) for (const frame of page) book.take(frame.direction, frame);
  return book.journals();
}
