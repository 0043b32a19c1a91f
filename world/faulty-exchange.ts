import {
  type Exchange,
  type ExchangeEvents,
  ExchangeLost,
  type ExchangeMessage,
  type ExchangeSession,
} from './exchange.ts';
import { sleep, type Time } from './time.ts';

type Word = 'confirmed' | 'unroutable' | 'refused';
type Mishap =
  | { readonly kind: 'swallow' | 'swallow-and-cut' }
  | { readonly kind: 'delay'; readonly byMs: number };

/** The line to the broker, as faults take it away. */
export interface ExchangeLine {
  readonly isDown: boolean;
  setDown(isDown: boolean): void;
  /** Breaks all connections. */
  cut(): void;
}

/** What becomes of one session by faults of others. */
interface Held {
  readonly events: ExchangeEvents;
  /** Settled once the connection has ended. */
  readonly gone: Promise<void>;
}

/**
 * An exchange of which its broker's faults can be had without the broker: what it refuses, confirms late, never
 * confirms, or has no room for. The same calls as those of the virtual broker. What is taken is really published.
 */
export class FaultyExchange {
  readonly #time: Time;
  readonly #line: ExchangeLine;
  readonly #sessions = new Set<Held>();
  readonly #mishaps: { readonly mishap: Mishap; left: number }[] = [];
  readonly #takers = new Set<() => void>();
  #isRefusing = false;
  #unblocked: PromiseWithResolvers<void> | undefined;

  constructor(time: Time, line: ExchangeLine) {
    this.#time = time;
    this.#line = line;
  }

  get isDown(): boolean {
    return this.#line.isDown;
  }

  setDown(isDown: boolean): void {
    this.#line.setDown(isDown);
  }

  cut(): void {
    this.#line.cut();
  }

  /** Connections are blocked (RabbitMQ's memory or disk alarm): what publishers send waits. */
  setBlocked(isBlocked: boolean): void {
    if (isBlocked === (this.#unblocked !== undefined)) return;
    this.#unblocked?.resolve();
    this.#unblocked = isBlocked ? Promise.withResolvers() : undefined;
    for (const { events } of this.#sessions) events.blocked(isBlocked);
  }

  setRefusing(isRefusing: boolean): void {
    this.#isRefusing = isRefusing;
  }

  /**
   * The confirms of the next `count` publications never come; `isCut`: with each the connections break. The returned
   * function spares those that are left.
   */
  swallowConfirms(count: number, { isCut = false }: { readonly isCut?: boolean } = {}): () => void {
    return this.#expect(count, { kind: isCut ? 'swallow-and-cut' : 'swallow' });
  }

  /** The returned function spares those that are left. */
  delayConfirms(count: number, byMs: number): () => void {
    return this.#expect(count, { kind: 'delay', byMs });
  }

  /** Calls `taken` with each publication that the broker has taken over, before its publisher hears of it. */
  whenTaken(taken: () => void): () => void {
    this.#takers.add(taken);
    return () => this.#takers.delete(taken);
  }

  /** The same exchange, with the faults in it. */
  guard(exchange: Exchange): Exchange {
    return {
      open: async (options, events) => {
        const { promise: gone, resolve } = Promise.withResolvers<void>();
        const held: Held = { events, gone };
        const session = await exchange.open(options, {
          closed: (reason) => {
            this.#sessions.delete(held);
            resolve();
            events.closed(reason);
          },
          blocked: (isBlocked) => events.blocked(isBlocked),
        });
        this.#sessions.add(held);
        if (this.#unblocked !== undefined) events.blocked(true);
        return guarded(session, (message) => this.#publish(session, held, message));
      },
    };
  }

  #expect(count: number, mishap: Mishap): () => void {
    const expected = { mishap, left: count };
    this.#mishaps.push(expected);
    return () => {
      expected.left = 0;
    };
  }

  #nextMishap(): Mishap | undefined {
    while (this.#mishaps[0]?.left === 0) this.#mishaps.shift();
    const [next] = this.#mishaps;
    if (next !== undefined) next.left -= 1;
    return next?.mishap;
  }

  async #publish(session: ExchangeSession, { gone }: Held, message: ExchangeMessage): Promise<Word> {
    const lost = gone.then((): never => {
      throw new ExchangeLost('The AMQP connection is gone.');
    });
    // Nobody may be waiting for it.
    lost.catch(() => undefined);
    if (this.#unblocked !== undefined) await Promise.race([this.#unblocked.promise, lost]);
    if (this.#isRefusing) return 'refused';
    const mishap = this.#nextMishap();
    const word = await session.publish(message);
    if (word !== 'refused') for (const taken of [...this.#takers]) taken();
    if (mishap?.kind === 'delay') await Promise.race([sleep(this.#time, mishap.byMs), lost]);
    else if (mishap !== undefined) {
      if (mishap.kind === 'swallow-and-cut') this.#line.cut();
      await lost;
    }
    return word;
  }
}

/** Written out: the members of a session are methods of a class. */
function guarded(session: ExchangeSession, publish: ExchangeSession['publish']): ExchangeSession {
  return {
    declareExchange: (name, type) => session.declareExchange(name, type),
    declareQueue: (name, options) => session.declareQueue(name, options),
    hasQueue: (name) => session.hasQueue(name),
    bind: (queue, exchange, key) => session.bind(queue, exchange, key),
    unbind: (queue, exchange, key) => session.unbind(queue, exchange, key),
    deleteQueue: (name) => session.deleteQueue(name),
    publish,
    close: () => session.close(),
  };
}
