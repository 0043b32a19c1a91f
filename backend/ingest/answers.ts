import { limits as wireLimits } from '../../protocol/limits.ts';
import type { JournalPosition, Vehicle } from '../store/vehicle-store.ts';
import type { RecordKey } from '../vehicles/records.ts';
import { holds, receiptOf } from './journal-position.ts';
import type { FrameDown } from './plan.ts';

/** What one box is to be answered once its batch is committed. */
export class Answers {
  /** Sequences that came in, new or again. */
  readonly #touched: number[] = [];
  #reasonsForReceipt = 0;
  readonly #unreadable = new Map<number, Set<number>>();

  /** The box is owed a receipt, whether anything was stored or not: it sent a record, or said hello or ready. */
  oweReceipt(): void {
    this.#reasonsForReceipt += 1;
  }

  /** The receipt should name this sequence. */
  touch(sequence: number): void {
    this.#touched.push(sequence);
  }

  /** A new epoch has begun: the sequences of the one before mean nothing any more. */
  forgetTouched(): void {
    this.#touched.length = 0;
  }

  /** A record whose header can be trusted and whose payload cannot; one that is stored already gets its receipt. */
  unreadable(key: RecordKey, journal: JournalPosition): void {
    if (journal.past?.includes(key.epoch)) return;
    if (key.epoch === journal.epoch && holds(journal, key.sequence)) {
      this.oweReceipt();
      this.touch(key.sequence);
      return;
    }
    const sequences = this.#unreadable.get(key.epoch) ?? new Set<number>();
    if (sequences.size < wireLimits.unreadableSequences) sequences.add(key.sequence);
    this.#unreadable.set(key.epoch, sequences);
  }

  /** The frames: one receipt at most, and one unreadable for each epoch. */
  frames(
    boxId: string,
    { generation, journal }: Pick<Vehicle['box'], 'generation' | 'journal'>,
  ): FrameDown[] {
    const frames: FrameDown[] = [];
    if (this.#reasonsForReceipt > 0) {
      const message = receiptOf(journal, this.#touched);
      frames.push({ boxId, generation, epoch: journal.epoch, message });
    }
    for (const [epoch, sequences] of this.#unreadable) {
      const message = { kind: 'unreadable', sequences: [...sequences] } as const;
      frames.push({ boxId, generation, epoch, message });
    }
    return frames;
  }
}
