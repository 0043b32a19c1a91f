import type { World } from '../../world/world.ts';
import { limits } from './limits.ts';

export type PusherWorld = Pick<World, 'time' | 'http' | 'seal'>;

/** Where a subscriber wants to be told, and the secret under which it knows that it is us. */
export interface Subscription {
  readonly url: string;
  readonly secret: string;
}

/** The header that signs a notification: `t=<seconds since 1970>,v1=<HMAC-SHA-256 of "<t>.<body>" in hex>`. */
export const SIGNATURE_HEADER = 'x-northwind-signature';

/**
 * Tells a subscriber of one car's samples, one after the other, in their order; a notification that is not taken is
 * sent again after a while. What waits is bounded: the oldest is dropped.
 */
export class Pusher {
  readonly #world: PusherWorld;
  readonly #subscription: () => Subscription | undefined;
  #waiting: string[] = [];
  #isBusy = false;
  #isStopped = false;
  #tries = 0;
  #cancelAlarm: () => void = () => undefined;

  constructor(world: PusherWorld, subscription: () => Subscription | undefined) {
    this.#world = world;
    this.#subscription = subscription;
  }

  /** How many notifications wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  tell(body: string): void {
    this.#waiting.push(body);
    // The first may be under way.
    if (this.#waiting.length > limits.pushQueue) this.#waiting.splice(this.#isBusy ? 1 : 0, 1);
    this.#next();
  }

  /** Forgets what waits. */
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
      const delayMs = Math.min(limits.pushFirstRetryMs * doublings(this.#tries), limits.pushLastRetryMs);
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

  async #send({ url, secret }: Subscription, body: string): Promise<boolean> {
    const { time, http, seal } = this.#world;
    const second = Math.floor(time.nowMs() / 1_000);
    try {
      const { status } = await http.call({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          [SIGNATURE_HEADER]: `t=${second},v1=${seal.mac(secret, `${second}.${body}`)}`,
        },
        body,
        timeoutMs: limits.pushTimeoutMs,
        maxBodyBytes: limits.pushAnswerBytes,
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
