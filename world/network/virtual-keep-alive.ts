import type { VirtualLoop } from '../loop/virtual-loop.ts';

/** MQTT 3.1.1 section 3.1.2.10: a server drops a client that sends nothing for one and a half keep-alive periods. */
const KEEP_ALIVE_GRACE = 1.5;

/**
 * The keep-alive of a connection. Pings are not simulated as events, since on an undisturbed connection they change
 * nothing. On a disturbed one, the last ping that passed is computed from the last packet and the period.
 */
export class VirtualKeepAlive {
  readonly #loop: VirtualLoop;
  readonly #label: string;
  readonly #expired: () => void;
  /** 0: there is none. */
  periodMs = 0;
  /** When the last packet arrived at either end; any packet counts as a sign of life. */
  #lastArrivalMs: number;
  #disturbedSinceMs = 0;
  #cancelExpiry: () => void = () => undefined;

  /** `expired` is called when an end drops the other one, while the connection is disturbed. */
  constructor(loop: VirtualLoop, label: string, expired: () => void) {
    this.#loop = loop;
    this.#label = label;
    this.#expired = expired;
    this.#lastArrivalMs = loop.nowMs;
  }

  arrived(): void {
    this.#lastArrivalMs = this.#loop.nowMs;
  }

  /** Nothing arrives from now on, until `cancel`. */
  disturbed(): void {
    this.#disturbedSinceMs = this.#loop.nowMs;
    if (this.periodMs === 0) return;
    this.#cancelExpiry = this.#loop.schedule(this.givesUpMs(), this.#label, this.#expired);
  }

  cancel(): void {
    this.#cancelExpiry();
  }

  /** When an end drops the other one if that sends nothing from now on; infinity: never. */
  givesUpMs(): number {
    if (this.periodMs === 0) return Number.POSITIVE_INFINITY;
    return this.#lastPingMs(this.#loop.nowMs) + this.periodMs * KEEP_ALIVE_GRACE;
  }

  /**
   * Nothing arrives while packets are lost, so a ping was lost if one was due since the last sign of life.
   */
  wasPingLost(): boolean {
    if (this.periodMs === 0) return false;
    return this.#lastPingMs(this.#disturbedSinceMs) + this.periodMs <= this.#loop.nowMs;
  }

  /**
   * When the last sign of life passed: the last packet, or a ping a whole number of keep-alive periods after
   * it.
   */
  #lastPingMs(atMs: number): number {
    const silentMs = atMs - this.#lastArrivalMs;
    return this.#lastArrivalMs + Math.floor(silentMs / this.periodMs) * this.periodMs;
  }
}
