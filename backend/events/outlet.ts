import type { ExchangeSession } from '../../world/exchange.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import { makeRetry } from '../retry.ts';
import { EXCHANGE, routingKey } from './message.ts';

/** A queue that is declared and bound to one kind of message of a fleet. */
export interface FleetQueue {
  readonly name: string;
  readonly fleetId: string;
  /** `DamageDetected`; absent: `VehicleStateReceived`. */
  readonly messages?: string;
}

export interface OutletParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly exchange: NonNullable<World['exchange']>;
  readonly queues: readonly FleetQueue[];
  readonly counters: Counters;
  /** A session is there and takes messages: at the first time, after a loss, after the broker has unblocked. */
  opened(): void;
}

/** The connection to the exchange, opened anew whenever it ends. */
export interface Outlet {
  /** The session that takes messages now. Undefined while there is none, or the broker has blocked it. */
  session(): ExchangeSession | undefined;
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
    try {
      await declare(opened, parts.queues);
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
    world.log.info({ queues: parts.queues.length }, 'connected to the message broker');
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

/** Declares what the messages need; all of it durable, so that doing it again changes nothing. */
async function declare(session: ExchangeSession, queues: readonly FleetQueue[]): Promise<void> {
  await session.declareExchange(EXCHANGE, 'topic');
  for (const { name, fleetId, messages = 'VehicleStateReceived' } of queues) {
    await session.declareQueue(name, { messageTtlMs: limits.messageTtlMs });
    await session.bind(name, EXCHANGE, routingKey({ fleetId, name: messages }));
  }
}

function closeQuietly(session: ExchangeSession): Promise<void> {
  return session.close().catch(() => undefined);
}
