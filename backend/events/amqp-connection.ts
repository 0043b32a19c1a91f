import type { AmqpPublisherSession, AmqpQueueType } from '../../world/amqp/amqp-publisher.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import { makeRetry } from '../retry.ts';
import { routingKey } from './message.ts';
import { declareQueues, type FleetQueue, type RefusedQueue } from './topology.ts';

export interface AmqpConnectionParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly amqp: NonNullable<World['amqp']>;
  /** Declared at each connect, regardless of subscriptions. */
  readonly queues: readonly FleetQueue[];
  /** The queues of all current subscriptions. Called at each connect. */
  readonly subscribed?: (() => Promise<readonly FleetQueue[]>) | undefined;
  readonly queueType?: AmqpQueueType | undefined;
  readonly counters: Counters;
  /** A session takes messages: after the first connect, after a loss, after the broker has unblocked. */
  opened(): void;
}

export type AmqpConnectionCondition = 'open' | 'blocked' | 'away';

/** The connection to the AMQP broker, reopened whenever it ends. */
export interface AmqpConnection {
  /** The session that takes messages now. Undefined while there is none, or the broker has blocked it. */
  session(): AmqpPublisherSession | undefined;
  /** The queues that the broker refused when the session was opened. */
  refused(): readonly RefusedQueue[];
  /** These queues have been declared since, over the open session. */
  added(queues: readonly FleetQueue[]): void;
  /** These queues are about to be deleted: messages that reach none of them are not an error. */
  removing(names: readonly string[]): void;
  /** The queues of the subscriptions are others now, without a word of `added` or `removing`: they are read again. */
  subscribedElsewhere(): void;
  /** Whether a queue that was declared over the session takes such messages of that fleet. */
  expects(message: { readonly fleetId: string; readonly name: string }): boolean;
  /** `away`: there is no session; one is being opened, or the next attempt is awaited. */
  condition(): AmqpConnectionCondition;
  /** Gives the session up, as if it had ended, and opens another. */
  renew(reason: string): void;
  stop(): Promise<void>;
  sever(): void;
}

/**
 * - opening: connecting, then declaring exchange, queues and bindings, which a broker may have lost.
 * - open: messages are taken.
 * - blocked: connected, but the broker has no room (RabbitMQ's memory or disk alarm).
 * - waiting: until the next attempt.
 * - over: stopped or severed.
 */
type State = 'opening' | 'open' | 'blocked' | 'waiting' | 'over';

/** Opens the connection and keeps it open. */
export function startAmqpConnection(parts: AmqpConnectionParts): AmqpConnection {
  const { world, counters } = parts;
  let state: State = 'opening';
  let session: AmqpPublisherSession | undefined;
  let refused: readonly RefusedQueue[] = [];
  /** The routing keys of the queues that are bound, by queue name. */
  let expected = new Map<string, string>();
  /** The subscriptions may have changed since they were last read. */
  let isOutdated = true;
  let isReading = false;
  /** Of those, what this backend has declared since they were read. */
  const addedHere = new Map<string, string>();
  const reconnect = makeRetry({
    world,
    chance: world.random.stream('backend/outlet'),
    counters,
    counter: 'outlet.lost',
    warning: 'no connection to the message broker',
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
    events: Parameters<AmqpConnectionParts['amqp']['open']>[1],
    attempt: { isOver(): boolean; isBlocked(): boolean },
  ): Promise<void> {
    const opened = await parts.amqp.open({ connectTimeoutMs: limits.amqpConnectTimeoutMs }, events);
    if (attempt.isOver() || isEnded()) return closeQuietly(opened);
    let queues: readonly FleetQueue[];
    try {
      // A broker may have lost them all.
      addedHere.clear();
      queues = await wantedQueues();
      refused = await declareQueues(opened, queues, parts.queueType);
      expected = boundKeys(queues, refused);
    } catch (error) {
      // Not awaited: a broker that refuses a declaration may be slow to close.
      void closeQuietly(opened);
      throw error;
    }
    if (attempt.isOver()) return undefined;
    if (isEnded()) return closeQuietly(opened);
    session = opened;
    reconnect.reset();
    state = attempt.isBlocked() ? 'blocked' : 'open';
    counters.add('outlet.opened');
    world.log.info({ queues: queues.length }, 'connected to the message broker');
    for (const { name, detail } of refused) {
      counters.add('queues.refused');
      world.log.error({ queue: name, detail }, 'the message broker refuses a queue');
    }
    if (state === 'open') parts.opened();
    await renewExpected();
    return undefined;
  }

  async function wantedQueues(): Promise<readonly FleetQueue[]> {
    isOutdated = false;
    return [...parts.queues, ...((await parts.subscribed?.()) ?? [])];
  }

  /** Declares nothing: who has changed a subscription has done that as well. */
  async function renewExpected(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      while (isOutdated && session !== undefined && !isEnded()) {
        const asked = session;
        const bound = boundKeys(await wantedQueues(), refused);
        // Another session has read them since.
        if (session !== asked) return;
        expected = bound;
        for (const [name, key] of addedHere) {
          if (expected.has(name)) addedHere.delete(name);
          else expected.set(name, key);
        }
      }
    } catch (error) {
      // The next session finds them, or the next wake-up.
      isOutdated = true;
      world.log.warn({ error: String(error) }, 'the store cannot tell which queues are subscribed to');
    } finally {
      isReading = false;
    }
  }

  function retry(reason: string): void {
    if (isEnded()) return;
    state = 'waiting';
    reconnect.schedule(reason);
  }

  open();
  return {
    session: () => (state === 'open' ? session : undefined),
    refused: () => refused,
    added(queues) {
      for (const [name, key] of boundKeys(queues, [])) {
        expected.set(name, key);
        addedHere.set(name, key);
      }
    },
    removing(names) {
      for (const name of names) {
        expected.delete(name);
        addedHere.delete(name);
      }
    },
    subscribedElsewhere() {
      isOutdated = true;
      void renewExpected();
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
      // `closed` reports its end, with everything that is in doubt.
      void closeQuietly(given);
    },
    async stop() {
      state = 'over';
      reconnect.cancel();
      if (session !== undefined) await closeQuietly(session);
    },
    sever() {
      state = 'over';
      reconnect.cancel();
      session = undefined;
    },
  };
}

/** The routing keys of the declared queues, by name. */
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

function closeQuietly(session: AmqpPublisherSession): Promise<void> {
  return session.close().catch(() => undefined);
}
