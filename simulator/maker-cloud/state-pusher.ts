import type { World } from '../../world/world.ts';
import { makerLimits } from '../limits.ts';

export type StatePusherWorld = Pick<World, 'time' | 'http' | 'crypto'>;

/** Where a subscriber receives notifications, and the secret that authenticates them. */
export interface StateSubscription {
  readonly url: string;
  readonly secret: string;
}

/**
 * The header that signs a notification: `t=<seconds since 1970>,v1=<HMAC-SHA-256 of "<t>.<body>" in hex>`.
 */
export const SIGNATURE_HEADER = 'x-northwind-signature';

/**
 * Sends one car's samples to a subscriber, one by one and in order. A notification that is not accepted is
 * sent again after a while. The queue is limited: the oldest is dropped.
 */
export class StatePusher {
  readonly #world: StatePusherWorld;
  readonly #subscription: () => StateSubscription | undefined;
  #waiting: string[] = [];
  #isBusy = false;
  #isStopped = false;
  #tries = 0;
  #cancelAlarm: () => void = () => undefined;

  constructor(world: StatePusherWorld, subscription: () => StateSubscription | undefined) {
    this.#world = world;
    this.#subscription = subscription;
  }

  /** The number of queued notifications. */
  get waiting(): number {
    return this.#waiting.length;
  }

  push(body: string): void {
    this.#waiting.push(body);
    // The first may be in progress.
    if (this.#waiting.length > makerLimits.pushQueue) this.#waiting.splice(this.#isBusy ? 1 : 0, 1);
    this.#next();
  }

  /** Clears the queue. */
  clear(): void {
    this.#waiting = this.#isBusy ? this.#waiting.slice(0, 1) : [];
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelAlarm();
  }

  #next(): void {
    const [body] = this.#waiting;
    const subscription = this.#subscription();
    if (this.#isBusy || this.#isStopped || body === undefined) return;
    if (subscription === undefined) {
      this.#waiting = [];
      return;
    }
    this.#isBusy = true;
    void this.#send(subscription, body).then((isTaken) => {
      if (isTaken || this.#isStopped) return this.#done();
      const delayMs = Math.min(
        makerLimits.pushFirstRetryMs * doublings(this.#tries),
        makerLimits.pushLastRetryMs,
      );
      this.#tries += 1;
      this.#cancelAlarm = this.#world.time.alarm(this.#world.time.nowMs() + delayMs, () => {
        this.#isBusy = false;
        this.#next();
      });
    });
  }

  #done(): void {
    this.#waiting.shift();
    this.#tries = 0;
    this.#isBusy = false;
    this.#next();
  }

  async #send({ url, secret }: StateSubscription, body: string): Promise<boolean> {
    const { time, http, crypto } = this.#world;
    const second = Math.floor(time.nowMs() / 1_000);
    try {
      const { status } = await http.call({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          [SIGNATURE_HEADER]: `t=${second},v1=${crypto.mac(secret, `${second}.${body}`)}`,
        },
        body,
        timeoutMs: makerLimits.pushTimeoutMs,
        maxBodyBytes: makerLimits.pushAnswerBytes,
      });
      return status >= 200 && status < 300;
    } catch {
      return false;
    }
  }
}

function doublings(count: number): number {
  let factor = 1;
  for (let left = Math.min(count, 10); left > 0; left -= 1) factor *= 2;
  return factor;
}
