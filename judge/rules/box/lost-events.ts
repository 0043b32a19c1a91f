import type { RecordedFrame } from '../../evidence/evidence.ts';
import type { SequenceRange } from '../../ledger/facts.ts';
import { limits } from '../limits.ts';
import type { ExpectedEvent } from './expected-events.ts';

/** A record that was sent, and when it was written by the clock of its box. */
interface Written {
  readonly epoch: number;
  readonly sequence: number;
  readonly clockMs: number;
}

/** The records that a box has sent, and those between which an event that it gave up can lie. */
export class SentRecords {
  readonly #written: Written[] = [];
  readonly #losses: { readonly epoch: number; readonly range: SequenceRange }[] = [];
  readonly #keys = new Set<string>();

  add({ direction, epoch, sequence, clockMs, message }: RecordedFrame): void {
    if (direction !== 'up' || sequence === 0) return;
    this.#keys.add(`${epoch}/${sequence}`);
    if (message.kind === 'tombstone') {
      if (message.events > 0) this.#losses.push({ epoch, range: [message.first, message.last] });
    } else if (clockMs > 0) this.#written.push({ epoch, sequence, clockMs });
  }

  has(epoch: number, sequence: number): boolean {
    return this.#keys.has(`${epoch}/${sequence}`);
  }

  /**
   * Whether a tombstone that names events can replace this one: its range lies between what was written before and
   * after. `errorMs`: how far the box's clock may have been off.
   */
  mayHaveGivenUp({ atMs, dueMs }: Pick<ExpectedEvent, 'atMs' | 'dueMs'>, errorMs: number): boolean {
    const slackMs = errorMs + limits.eventSlackMs;
    const between = new Map<number, { below: number; above: number }>();
    for (const { epoch, sequence, clockMs } of this.#written) {
      const bounds = between.get(epoch) ?? { below: 0, above: Number.POSITIVE_INFINITY };
      if (clockMs < atMs - slackMs) bounds.below = Math.max(bounds.below, sequence);
      if (clockMs > dueMs + slackMs) bounds.above = Math.min(bounds.above, sequence);
      between.set(epoch, bounds);
    }
    return this.#losses.some(({ epoch, range: [first, last] }) => {
      const { below = 0, above = Number.POSITIVE_INFINITY } = between.get(epoch) ?? {};
      return last > below && first < above;
    });
  }
}
