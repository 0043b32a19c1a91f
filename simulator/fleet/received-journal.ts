import { wireLimits } from '../../protocol/limits.ts';
import type { Frame, Generation, Hello, Receipt, RecordMessage } from '../../protocol/message.ts';
import { includesSequence, type SequenceRanges, withRange } from '../firmware/journal/ranges.ts';
import { limits } from '../limits.ts';

const NOTHING: SequenceRanges = [[0, 0]];

/** The part of one box's journal that a receiver has. */
export class ReceivedJournal {
  generation: Generation = 1;
  epoch = 0;
  /** Of the last hello. */
  connection = 0;
  isReady = false;
  #settled: SequenceRanges = NOTHING;

  /** The box has connected. Sequences below its lowest record are settled: nothing can fill them any more. */
  greet({ generation, epoch }: Frame, { connection, lowestHeld }: Hello): void {
    this.#beginEpoch(generation, epoch);
    this.connection = connection;
    this.#settled = withRange(this.#settled, 0, lowestHeld - 1);
  }

  /**
   * Takes a record. False: it is there already, or it would leave more gaps than are kept; then no receipt names it,
   * and the box sends it again.
   */
  settle({ generation, epoch, sequence }: Frame, message: RecordMessage): boolean {
    this.#beginEpoch(generation, epoch);
    if (includesSequence(this.#settled, sequence)) return false;
    const before =
      message.kind === 'tombstone' ? withRange(this.#settled, message.first, message.last) : this.#settled;
    const after = withRange(before, sequence, sequence);
    if (after.length > limits.receiverRanges && after.length > this.#settled.length) return false;
    this.#settled = after;
    return true;
  }

  /** Has room for the lowest ranges only; the others follow once the gaps below them are filled. */
  receipt(): Receipt {
    const [first, ...beyond] = this.#settled;
    return {
      kind: 'receipt',
      contiguous: first?.[1] ?? 0,
      ranges: beyond.slice(0, wireLimits.receiptRanges),
    };
  }

  /** A box whose flash was wiped restarts its sequences. */
  #beginEpoch(generation: Generation, epoch: number): void {
    this.generation = generation;
    if (epoch === this.epoch) return;
    this.epoch = epoch;
    this.#settled = NOTHING;
  }
}
