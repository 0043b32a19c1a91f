import type { ExchangeSession, QueueType } from '../../world/exchange.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import { makeRetry } from '../retry.ts';
import { routingKey } from './message.ts';
import { declareQueues, type FleetQueue, type RefusedQueue } from './topology.ts';

export interface OutletParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly exchange: NonNullable<World['exchange']>;
  /** Declared at each connect, whoever has subscribed. */
  readonly queues: readonly FleetQueue[];
  /** Those of all who have subscribed by now. Asked at each connect. */
  readonly subscribed?: (() => Promise<readonly FleetQueue[]>) | undefined;
  readonly queueType?: QueueType | undefined;
  readonly counters: Counters;
  /** A session is there and takes messages: at the first time, after a loss, after the broker has unblocked. */
  opened(): void;
}

export type OutletCondition = 'open' | 'blocked' | 'away';

/** The connection to the exchange, opened anew whenever it ends. */
export interface Outlet {
  /** The session that takes messages now. Undefined while there is none, or the broker has blocked it. */
  session(): ExchangeSession | undefined;
  /** The queues that the broker refused when the session was opened. */
  refused(): readonly RefusedQueue[];
  /** These have been declared since, over the session that stands. */
  added(queues: readonly FleetQueue[]): void;
  /** These are about to be deleted: nothing is amiss when messages find none of them. */
  removing(names: readonly string[]): void;
  /** Whether a queue that was declared over the session takes such messages of that fleet. */
  expects(message: { readonly fleetId: string; readonly name: string }): boolean;
  /** `away`: there is no session, and one is being opened or waited for. */
  condition(): OutletCondition;
  /** Gives up the session that stands, as if it had ended, and opens another. */
  renew(reason: string): void;
  stop(): Promise<void>;
  sever(): void;
}

/**
 * - opening: connecting, then declaring exchange, queues and bindings: a broker may have lost them.
 * - open: messages are taken.
 * - blocked: connected, but the broker has no room (RabbitMQ's memory or disk alarm).
 * - waiting: until the next attempt.
 * - over: stopped or severed.
 */
type State = 'opening' | 'open' | 'blocked' | 'waiting' | 'over';

/** Opens the connection and keeps it. */
export function startOutlet(parts: OutletParts): Outlet {
  const { world, counters } = parts;
  let state: State = 'opening';
  let session: ExchangeSession | undefined;
  let refused: readonly RefusedQueue[] = [];
  /** The routing keys of the queues that are bound, by the queues' names. */
  let expected = new Map<string, string>();
  const again = makeRetry({
    world,
    chance: world.random.stream('backend/outlet'),
    counters,
    counter: 'outlet.lost',
    complaint: 'no connection to the message broker',
    open,
  });
  const isEnded = (): boolean => state === 'over';

  function open(): void {
    state = 'opening';
    let isOver = false;
    let isBlocked = false;
    const giveUp = (reason: string): void => {
      if (isOver) return;
      isOver = true;
      session = undefined;
      retry(reason);
    };
    const events = {
      closed: giveUp,
      blocked: (blocked: boolean) => {
        isBlocked = blocked;
        if (isOver || (state !== 'open' && state !== 'blocked')) return;
        state = blocked ? 'blocked' : 'open';
        counters.add(blocked ? 'outlet.blocked' : 'outlet.unblocked');
        world.log.warn({ blocked }, 'the message broker has blocked or unblocked its publishers');
        if (!blocked) parts.opened();
      },
    };
    begin(events, {
      isOver: () => isOver,
      isBlocked: () => isBlocked,
    }).catch((error: unknown) => giveUp(String(error)));
  }

  async function begin(
    events: Parameters<OutletParts['exchange']['open']>[1],
    attempt: { isOver(): boolean; isBlocked(): boolean },
  ): Promise<void> {
    const opened = await parts.exchange.open({ connectTimeoutMs: limits.exchangeConnectTimeoutMs }, events);
    if (attempt.isOver() || isEnded()) return closeQuietly(opened);
    let queues: readonly FleetQueue[];
    try {
      // A broker may have lost them all.
      queues = [...parts.queues, ...((await parts.subscribed?.()) ?? [])];
      refused = await declareQueues(opened, queues, parts.queueType);
      expected = boundKeys(queues, refused);
    } catch (error) {
      // Not awaited: a broker that refuses a declaration may be slow to say goodbye.
      void closeQuietly(opened);
      throw error;
    }
    if (attempt.isOver()) return undefined;
    if (isEnded()) return closeQuietly(opened);
    session = opened;
    again.reset();
    state = attempt.isBlocked() ? 'blocked' : 'open';
    counters.add('outlet.opened');
    world.log.info({ queues: queues.length }, 'connected to the message broker');
    for (const { name, detail } of refused) {
      counters.add('queues.refused');
      world.log.error({ queue: name, detail }, 'the message broker refuses a queue');
    }
    if (state === 'open') parts.opened();
    return undefined;
  }

  function retry(reason: string): void {
    if (isEnded()) return;
    state = 'waiting';
    again.later(reason);
  }

  open();
  return {
    session: () => (state === 'open' ? session : undefined),
    refused: () => refused,
    added(queues) {
      for (const [name, key] of boundKeys(queues, [])) expected.set(name, key);
    },
    removing(names) {
      for (const name of names) expected.delete(name);
    },
    expects: (message) => [...expected.values()].includes(routingKey(message)),
    condition() {
      if (session === undefined) return 'away';
      return state === 'open' || state === 'blocked' ? state : 'away';
    },
    renew(reason) {
      if (session === undefined) return;
      world.log.warn({ reason }, 'the connection to the message broker is given up');
      const given = session;
      session = undefined;
      // Its end is told by `closed`, with everything that is in doubt.
      void closeQuietly(given);
    },
    async stop() {
      state = 'over';
      again.cancel();
      if (session !== undefined) await closeQuietly(session);
    },
    sever() {
      state = 'over';
      again.cancel();
      session = undefined;
    },
  };
}

/** The routing keys of the queues that are there, by name. */
function boundKeys(queues: readonly FleetQueue[], refused: readonly RefusedQueue[]): Map<string, string> {
  const missing = new Set(refused.map(({ name }) => name));
  const there = queues.filter(({ name }) => !missing.has(name));
  return new Map(
    there.map(({ name, fleetId, messages = 'VehicleStateReceived' }) => [
      name,
      routingKey({ fleetId, name: messages }),
    ]),
  );
}

function closeQuietly(session: ExchangeSession): Promise<void> {
  return session.close().catch(() => undefined);
}
