import { outboxLimits } from '../../backend/store/port/outbox-limits.ts';
import type { Store } from '../../backend/store/port/store.ts';
import type { RealProxy } from '../../world/network/real-proxy.ts';
import type { Time } from '../../world/time/time.ts';
import { limits } from './limits.ts';

/** The highest observed levels of queues and lists: sampled every second, and at the end. */
export class RealLevels {
  readonly #store: Pick<Store, 'outbox'>;
  readonly #proxy: Pick<RealProxy, 'names'>;
  readonly #messages = { name: 'messages in the outbox', most: 0, bound: outboxLimits.messages };
  readonly #bytes = { name: 'bytes in the outbox', most: 0, bound: outboxLimits.bytes };
  readonly #sessions: { readonly name: string; most: number; readonly bound: number };

  constructor(store: Pick<Store, 'outbox'>, proxy: Pick<RealProxy, 'names'>, vehicles: number) {
    this.#store = store;
    this.#proxy = proxy;
    // Those of the boxes and of the service; a client that reconnects may count twice until the broker has noticed it.
    this.#sessions = { name: 'connections to the MQTT broker', most: 0, bound: 2 * (vehicles + 1) };
  }

  begin(time: Time): void {
    const look = (): void => {
      this.look().catch(() => undefined);
      time.alarm(time.nowMs() + limits.levelsMs, look);
    };
    look();
  }

  async look(): Promise<void> {
    raise(this.#sessions, this.#proxy.names().length);
    const { messages, bytes } = await this.#store.outbox.size();
    raise(this.#messages, messages);
    raise(this.#bytes, bytes);
  }

  all() {
    return [this.#messages, this.#bytes, this.#sessions];
  }
}

function raise(level: { most: number }, to: number): void {
  if (to > level.most) level.most = to;
}
