import type { Random, Stream } from '../../world/random/random.ts';
import { exp } from '../arithmetic.ts';
import { limits } from '../radio/limits.ts';
import type { Actuation } from '../vehicle/sensing/vehicle-ports.ts';

/**
 * The delays of connection, processor and motors of one box on the road. Each is drawn when it is needed, so
 * the same box, seed and commands have the same delays. The `ideal` setting has none of them.
 *
 *     service ── link ── paging, if the radio sleeps ── processor ── motor ── link ── service
 */
export class BoxDelays {
  readonly #stream: Stream;
  /** The median one-way delay of this box's connection. */
  readonly #medianMs: number;
  /** When a frame last passed: the radio stays awake for a while after it. */
  #usedMs = Number.NEGATIVE_INFINITY;

  constructor(random: Random, boxId: string) {
    this.#stream = random.stream(`box/${boxId}/delays`);
    this.#medianMs = this.#between(limits.linkMedianMs);
  }

  /** The delay of a frame from the box, by the signal quality. */
  uplinkMs(nowMs: number, csq: number): number {
    return Math.round(this.#wakingMs(nowMs, false) + this.#linkMs(csq));
  }

  /** The delay of a frame to the box, until the program has read it. */
  downlinkMs(nowMs: number, csq: number): number {
    return Math.round(this.#wakingMs(nowMs, true) + this.#linkMs(csq) + this.#between(limits.processorMs));
  }

  /** The duration of these actuations in sequence. */
  motorMs(actuations: readonly Pick<Actuation, 'set'>[]): number {
    let sum = 0;
    for (const { set } of actuations) sum += this.#between(limits.motorMs[set]);
    return Math.round(sum);
  }

  /** Log-normal around the median of this box, longer with a poor signal, and limited. */
  #linkMs(csq: number): number {
    // Twelve uniform numbers minus six are nearly Gaussian, and bounded.
    let gaussian = -6;
    for (let count = 0; count < 12; count += 1) gaussian += this.#stream.fraction();
    const repeats = 1 + Math.max(0, limits.poorCsq - csq) * limits.slowerPerCsq;
    return Math.min(this.#medianMs * exp(limits.linkSigma * gaussian) * repeats, limits.linkMostMs);
  }

  /**
   * A radio that has been idle sets up its connection again. It can be paged only at its next paging occasion
   * (3GPP TS 36.304, 7.1; TS 36.331, 5.3.3).
   */
  #wakingMs(nowMs: number, isCalled: boolean): number {
    const isIdle = nowMs - this.#usedMs > limits.awakeMs;
    this.#usedMs = nowMs;
    if (!isIdle) return 0;
    return this.#between(limits.setUpMs) + (isCalled ? this.#between([0, limits.pagingMs]) : 0);
  }

  #between([shortest, longest]: readonly [number, number]): number {
    return shortest + this.#stream.fraction() * (longest - shortest);
  }
}
