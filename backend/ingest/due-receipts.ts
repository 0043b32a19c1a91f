import { wireLimits } from '../../protocol/limits.ts';
import type { JournalPosition, Vehicle } from '../store/port/stored-vehicle.ts';
import type { RecordKey } from '../vehicles/records.ts';
import type { DownlinkFrame } from './batch-result.ts';
import { isSettled, receiptOf } from './journal-position.ts';

/** The frames that one box gets once its batch is committed. */
export class DueReceipts {
  /** Sequences that were received, new or repeated. */
  readonly #namedSequences: number[] = [];
  #reasonsForReceipt = 0;
  readonly #unreadable = new Map<number, Set<number>>();

  /** The box gets a receipt even if nothing was stored: it sent a record, or hello or ready. */
  requireReceipt(): void {
    this.#reasonsForReceipt += 1;
  }

  /** The receipt should name this sequence. */
  nameSequence(sequence: number): void {
    this.#namedSequences.push(sequence);
  }

  /** A new epoch has begun: sequences of the old one are void. */
  forgetSequences(): void {
    this.#namedSequences.length = 0;
  }

  /**
   * A record with a valid header and an undecodable payload; if it is stored already, it gets its receipt.
   */
  addUnreadable(key: RecordKey, journal: JournalPosition): void {
    if (journal.past?.includes(key.epoch)) return;
    if (key.epoch === journal.epoch && isSettled(journal, key.sequence)) {
      this.requireReceipt();
      this.nameSequence(key.sequence);
      return;
    }
    const sequences = this.#unreadable.get(key.epoch) ?? new Set<number>();
    if (sequences.size < wireLimits.unreadableSequences) sequences.add(key.sequence);
    this.#unreadable.set(key.epoch, sequences);
  }

  /** The frames: at most one receipt, and one unreadable for each epoch. */
  frames(
    boxId: string,
    { generation, journal }: Pick<Vehicle['box'], 'generation' | 'journal'>,
  ): DownlinkFrame[] {
    const frames: DownlinkFrame[] = [];
    if (this.#reasonsForReceipt > 0) {
      const message = receiptOf(journal, this.#namedSequences);
      frames.push({ boxId, generation, epoch: journal.epoch, message });
    }
    for (const [epoch, sequences] of this.#unreadable) {
      const message = { kind: 'unreadable', sequences: [...sequences] } as const;
      frames.push({ boxId, generation, epoch, message });
    }
    return frames;
  }
}
