import type { Message } from '../../protocol/message.ts';
import type { Pages, RecordedFrame } from '../evidence/evidence.ts';
import type { SequenceRange } from '../ledger/facts.ts';
import { joined } from '../ledger/ranges.ts';

/** One epoch of a box's journal, as seen on the wire. */
export interface EpochRecording {
  readonly epoch: number;
  readonly sent: ReadonlySet<number>;
  /** The sequences named by receipts, as ascending ranges that do not touch. */
  readonly receipted: readonly SequenceRange[];
  /** The ranges of the tombstones, each by the tombstone's own sequence. */
  readonly tombstones: ReadonlyMap<number, { readonly covers: SequenceRange; readonly lost: number }>;
}

interface OpenEpochRecording {
  readonly epoch: number;
  readonly sent: Set<number>;
  contiguous: number;
  beyond: readonly SequenceRange[];
  readonly tombstones: Map<number, { readonly covers: SequenceRange; readonly lost: number }>;
}

/** How many ranges are kept before they are merged. */
const LOOSE_RANGES = 1_024;

/** A box's journals, one for each epoch, in the order of their first frames. */
export class JournalRecording {
  readonly #drafts = new Map<number, OpenEpochRecording>();

  record(
    direction: RecordedFrame['direction'],
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

  /** Records that this sequence was sent. */
  sent(epoch: number, sequence: number): void {
    this.#draftOf(epoch).sent.add(sequence);
  }

  journals(): ReadonlyMap<number, EpochRecording> {
    return new Map(
      [...this.#drafts].map(([epoch, { contiguous, beyond, ...rest }]): [number, EpochRecording] => {
        const first: readonly SequenceRange[] = contiguous === 0 ? [] : [[1, contiguous]];
        return [epoch, { ...rest, receipted: joined([...first, ...beyond]) }];
      }),
    );
  }

  #draftOf(epoch: number): OpenEpochRecording {
    const known = this.#drafts.get(epoch);
    if (known !== undefined) return known;
    const draft: OpenEpochRecording = {
      epoch,
      sent: new Set(),
      contiguous: 0,
      beyond: [],
      tombstones: new Map(),
    };
    this.#drafts.set(epoch, draft);
    return draft;
  }
}

/** Reads a box's frames as journals, one for each epoch, in the order of their first frames. */
export async function readJournals(
  frames: Pages<RecordedFrame>,
): Promise<ReadonlyMap<number, EpochRecording>> {
  const recording = new JournalRecording();
  for await (const page of frames) for (const frame of page) recording.record(frame.direction, frame);
  return recording.journals();
}
