import type { AmqpPublisherSession, AmqpQueueType } from '../../world/amqp/amqp-publisher.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import { makeRetry } from '../retry.ts';
import { makeQueueWatch } from './queue-watch.ts';
import { type QueueState, SubscribedQueues } from './subscribed-queues.ts';
import { type DeclaredQueues, declareQueues, type FleetQueue, type RefusedQueue } from './topology.ts';

export interface AmqpConnectionParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly amqp: NonNullable<World['amqp']>;
  /** Declared at each connect, regardless of subscriptions. */
  readonly queues: readonly FleetQueue[];
  /** The queues of all current subscriptions. Called at each connect. */
  readonly subscribed?: (() => Promise<readonly FleetQueue[]>) | undefined;
  /** The names of those, and of subscriptions that are being made: what else this connection declared is to go. */
  readonly claimed?: (() => Promise<readonly string[]>) | undefined;
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
  /** What such a message of that fleet finds at the broker. */
  queueState(message: { readonly fleetId: string; readonly name: string }): QueueState;
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
  let subscribed = new SubscribedQueues();
  let cancelLook = (): void => undefined;
  /** The subscriptions may have changed since they were last read. */
  let isOutdated = true;
  let isReading = false;
  const reconnect = makeRetry({
    world,
    chance: world.random.stream('backend/outlet'),
    counters,
    counter: 'outlet.lost',
    warning: 'no connection to the message broker',
    open,
  });
  const isEnded = (): boolean => state === 'over';
  const queueWatch = makeQueueWatch({
    world,
    session: () => connection.session(),
    queues: () => subscribed.shared(),
    isDeclared: (name) => subscribed.has(name),
    declareAgain: declareMissing,
  });

  function open(): void {
    state = 'opening';
    let isOver = false;
    let isBlocked = false;
    const giveUp = (reason: string): void => {
      if (isOver) return;
      isOver = true;
      session = undefined;
      cancelLook();
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
        if (blocked) return;
        queueWatch.lookAt(subscribed.shared());
        parts.opened();
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
    let declared: DeclaredQueues;
    try {
      // A broker may have lost them all.
      queues = await wantedQueues();
      declared = await declareQueues(opened, queues, parts.queueType);
      queues = await withoutEnded(queues, opened);
    } catch (error) {
      // Not awaited: a broker that refuses a declaration may be slow to close.
      void closeQuietly(opened);
      throw error;
    }
    if (attempt.isOver()) return undefined;
    if (isEnded()) return closeQuietly(opened);
    session = opened;
    refused = declared.refused;
    subscribed = new SubscribedQueues();
    subscribed.declared(queues, declared);
    reconnect.reset();
    state = attempt.isBlocked() ? 'blocked' : 'open';
    counters.add('outlet.opened');
    world.log.info({ queues: queues.length }, 'connected to the message broker');
    tellOf(declared);
    lookAgain(opened);
    queueWatch.changed();
    if (state === 'open') parts.opened();
    await readAgain();
    return undefined;
  }

  async function wantedQueues(): Promise<readonly FleetQueue[]> {
    isOutdated = false;
    return [...parts.queues, ...((await parts.subscribed?.()) ?? [])];
  }

  /** Declares nothing: who has changed a subscription has done that as well. */
  async function readAgain(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      while (isOutdated && session !== undefined && !isEnded()) {
        const asked = session;
        const wanted = await wantedQueues();
        // Another session has read them since.
        if (session !== asked) return;
        subscribed.changedElsewhere(wanted, refused);
        queueWatch.changed();
      }
    } catch (error) {
      // The next session finds them, or the next wake-up.
      isOutdated = true;
      world.log.warn({ error: String(error) }, 'the store cannot tell which queues are subscribed to');
    } finally {
      isReading = false;
    }
  }

  function tellOf({ refused: refusals, unreachable, otherType }: DeclaredQueues): void {
    for (const { name, detail } of refusals) {
      counters.add('queues.refused');
      world.log.error({ queue: name, detail }, 'the message broker refuses a queue');
    }
    if (unreachable.length > 0)
      world.log.warn(
        { queues: unreachable.length, example: unreachable[0]?.name },
        'queues are at a node of the message broker that is down: messages for them wait until it is back',
      );
    if (otherType.length > 0)
      world.log.info(
        { queues: otherType.length, example: otherType[0] },
        'queues keep the type that they have',
      );
  }

  /** Queues that are unreachable are declared again from time to time: a node that came back may have lost them. */
  function lookAgain(opened: AmqpPublisherSession): void {
    cancelLook();
    if (session !== opened || subscribed.unreachable().length === 0) return;
    cancelLook = world.time.alarm(world.time.nowMs() + limits.unreachableQueueLookMs, () => {
      declareUnreachable(opened).then(
        () => lookAgain(opened),
        // The next session declares all of them.
        (error: unknown) => {
          if (session === opened) connection.renew(String(error));
        },
      );
    });
  }

  async function declareUnreachable(opened: AmqpPublisherSession): Promise<void> {
    for (const queue of subscribed.unreachable()) {
      // A subscription may have ended meanwhile, and with it its queue.
      if (session !== opened || !subscribed.unreachable().includes(queue)) continue;
      const declared = await declareQueues(opened, [queue], parts.queueType);
      if (session !== opened) return;
      subscribed.declared([queue], declared);
      refused = [...refused, ...declared.refused];
      tellOf({ ...declared, unreachable: [] });
    }
  }

  /**
   * Takes those away again whose subscriptions ended while they were declared: who ended them elsewhere had deleted the queues
   * before. Resolves with the others. Rejects where the store cannot tell.
   */
  async function withoutEnded(
    queues: readonly FleetQueue[],
    opened: AmqpPublisherSession,
  ): Promise<readonly FleetQueue[]> {
    const names = new Set(await claimedNames());
    const ended = queues.filter(({ name }) => !names.has(name));
    for (const { name } of ended) await opened.deleteQueue(name);
    return queues.filter(({ name }) => names.has(name));
  }

  async function claimedNames(): Promise<readonly string[]> {
    const subscribedNames =
      (await parts.claimed?.()) ?? ((await parts.subscribed?.()) ?? []).map(({ name }) => name);
    return [...parts.queues.map(({ name }) => name), ...subscribedNames];
  }

  /**
   * If it is wanted still: who ends a subscription elsewhere deletes its queues, and where the store cannot be asked a queue
   * that is missing may be one of those. Looks after that once more.
   */
  async function declareMissing(queue: FleetQueue, opened: AmqpPublisherSession): Promise<void> {
    const { name } = queue;
    if (!(await claimedNames()).includes(name)) {
      if (session === opened) subscribed.removing([name]);
      return;
    }
    counters.add('queues.missing');
    world.log.warn({ queue: name }, 'a subscribed queue is missing at the broker and is declared again');
    const declared = await declareQueues(opened, [queue], parts.queueType);
    if (session === opened && subscribed.has(name)) {
      subscribed.declared([queue], declared);
      refused = [...refused, ...declared.refused];
      tellOf(declared);
      lookAgain(opened);
    }
    const left = await withoutEnded([queue], opened);
    if (session === opened && left.length === 0) subscribed.removing([name]);
  }

  function retry(reason: string): void {
    if (isEnded()) return;
    state = 'waiting';
    reconnect.schedule(reason);
  }

  const connection: AmqpConnection = {
    session: () => (state === 'open' ? session : undefined),
    refused: () => refused,
    added(queues) {
      subscribed.added(queues);
      queueWatch.changed();
      // They hide from now on that one beside them is missing.
      queueWatch.lookAt(subscribed.beside(queues));
    },
    removing: (names) => subscribed.removing(names),
    subscribedElsewhere() {
      isOutdated = true;
      void readAgain();
    },
    queueState: (message) => subscribed.stateFor(message),
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
      cancelLook();
      queueWatch.stop();
      if (session !== undefined) await closeQuietly(session);
    },
    sever() {
      state = 'over';
      reconnect.cancel();
      cancelLook();
      queueWatch.stop();
      session = undefined;
    },
  };
  open();
  return connection;
}

function closeQuietly(session: AmqpPublisherSession): Promise<void> {
  return session.close().catch(() => undefined);
}
