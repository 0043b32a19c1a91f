import type { AmqpPublisherSession, AmqpQueueType } from '../../world/amqp/amqp-publisher.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { limits } from '../base/limits.ts';
import { makeRetry, type Retry } from '../base/retry.ts';
import { makeWorkLoop, type WorkLoop } from '../base/work-loop.ts';
import { makeQueueWatch, type QueueWatch } from './queue-watch.ts';
import { type QueueState, SubscribedQueues } from './subscribed-queues.ts';
import { type DeclaredQueues, declareQueues, type FleetQueue, type RefusedQueue } from './topology.ts';

export interface AmqpConnectionParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly amqp: NonNullable<World['amqp']>;
  /** Declared at each connect, regardless of subscriptions. */
  readonly queues: readonly FleetQueue[];
  /** The queues of all current subscriptions. Called at each connect. */
  readonly subscribed?: (() => Promise<readonly FleetQueue[]>) | undefined;
  /**
   * The names of those, and of subscriptions that are being made: other queues that this connection declared are
   * deleted.
   */
  readonly claimed?: (() => Promise<readonly string[]>) | undefined;
  readonly queueType?: AmqpQueueType | undefined;
  readonly counters: Counters;
  /** A session accepts messages: after the first connect, after a loss, after the broker has unblocked. */
  opened(): void;
}

export type AmqpConnectionCondition = 'open' | 'blocked' | 'away';

/** The connection to the AMQP broker, reopened whenever it ends. */
export interface AmqpConnection {
  /** The session that accepts messages now. Undefined while there is none, or the broker has blocked it. */
  session(): AmqpPublisherSession | undefined;
  /** The queues that the broker refused when the session was opened. */
  refused(): readonly RefusedQueue[];
  /** These queues have been declared since, over the open session. */
  added(queues: readonly FleetQueue[]): void;
  /** These queues are about to be deleted: messages that reach none of them are not an error. */
  removing(names: readonly string[]): void;
  /** The queues of the subscriptions have changed without a call of `added` or `removing`: they are read again. */
  subscribedElsewhere(): void;
  /** The state of the queues for such a message of that fleet. */
  queueState(message: { readonly fleetId: string; readonly name: string }): QueueState;
  /** `away`: there is no session; one is being opened, or the next attempt is awaited. */
  condition(): AmqpConnectionCondition;
  /** Abandons the session as if it had ended, and opens another. */
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
  return new ReopenedAmqpConnection(parts);
}

class ReopenedAmqpConnection implements AmqpConnection {
  readonly #parts: AmqpConnectionParts;
  readonly #world: AmqpConnectionParts['world'];
  readonly #counters: AmqpConnectionParts['counters'];
  #state: State = 'opening';
  #session: AmqpPublisherSession | undefined;
  #refused: readonly RefusedQueue[] = [];
  #subscribed = new SubscribedQueues();
  #cancelLook = (): void => undefined;
  /** The subscriptions may have changed since they were last read. */
  #isOutdated = true;
  readonly #reconnect: Retry;
  readonly #reading: WorkLoop;
  readonly #queueWatch: QueueWatch;

  constructor(parts: AmqpConnectionParts) {
    this.#parts = parts;
    this.#world = parts.world;
    this.#counters = parts.counters;
    this.#reconnect = makeRetry({
      world: this.#world,
      chance: this.#world.random.stream('backend/outlet'),
      counters: this.#counters,
      counter: 'outlet.lost',
      warning: 'no connection to the message broker',
      open: () => this.#open(),
    });
    this.#reading = makeWorkLoop({
      time: this.#world.time,
      round: () => this.#readAgain(),
      failed: (error) => {
        this.#isOutdated = true;
        this.#world.log.warn({ error: String(error) }, 'the store cannot read which queues have subscribers');
        return limits.firstBackoffMs;
      },
    });
    this.#queueWatch = makeQueueWatch({
      world: this.#world,
      session: () => this.session(),
      queues: () => this.#subscribed.shared(),
      isDeclared: (name) => this.#subscribed.has(name),
      declareAgain: (queue, opened) => this.#declareMissing(queue, opened),
    });
    this.#open();
  }

  session(): AmqpPublisherSession | undefined {
    return this.#state === 'open' ? this.#session : undefined;
  }

  refused(): readonly RefusedQueue[] {
    return this.#refused;
  }

  added(queues: readonly FleetQueue[]): void {
    this.#subscribed.added(queues);
    this.#queueWatch.changed();
    // From now on they hide that another queue of their topic is missing.
    this.#queueWatch.lookAt(this.#subscribed.beside(queues));
  }

  removing(names: readonly string[]): void {
    this.#subscribed.removing(names);
  }

  subscribedElsewhere(): void {
    this.#isOutdated = true;
    this.#reading.wake();
  }

  queueState(message: { readonly fleetId: string; readonly name: string }): QueueState {
    return this.#subscribed.stateFor(message);
  }

  condition(): AmqpConnectionCondition {
    if (this.#session === undefined) return 'away';
    return this.#state === 'open' || this.#state === 'blocked' ? this.#state : 'away';
  }

  renew(reason: string): void {
    if (this.#session === undefined) return;
    this.#world.log.warn({ reason }, 'the connection to the message broker is given up');
    const given = this.#session;
    this.#session = undefined;
    // `closed` reports its end, with all unconfirmed publications.
    void closeQuietly(given);
  }

  async stop(): Promise<void> {
    this.#state = 'over';
    this.#reading.stop();
    this.#reconnect.cancel();
    this.#cancelLook();
    this.#queueWatch.stop();
    if (this.#session !== undefined) await closeQuietly(this.#session);
  }

  sever(): void {
    this.#state = 'over';
    this.#reading.stop();
    this.#reconnect.cancel();
    this.#cancelLook();
    this.#queueWatch.stop();
    this.#session = undefined;
  }

  #isEnded(): boolean {
    return this.#state === 'over';
  }

  #open(): void {
    this.#state = 'opening';
    let isOver = false;
    let isBlocked = false;
    const giveUp = (reason: string): void => {
      if (isOver) return;
      isOver = true;
      this.#session = undefined;
      this.#cancelLook();
      this.#retry(reason);
    };
    const events = {
      closed: giveUp,
      blocked: (blocked: boolean) => {
        isBlocked = blocked;
        if (isOver || (this.#state !== 'open' && this.#state !== 'blocked')) return;
        this.#state = blocked ? 'blocked' : 'open';
        this.#counters.add(blocked ? 'outlet.blocked' : 'outlet.unblocked');
        this.#world.log.warn({ blocked }, 'the message broker has blocked or unblocked its publishers');
        if (blocked) return;
        this.#queueWatch.lookAt(this.#subscribed.shared());
        this.#parts.opened();
      },
    };
    this.#begin(events, {
      isOver: () => isOver,
      isBlocked: () => isBlocked,
    }).catch((error: unknown) => giveUp(String(error)));
  }

  async #begin(
    events: Parameters<AmqpConnectionParts['amqp']['open']>[1],
    attempt: { isOver(): boolean; isBlocked(): boolean },
  ): Promise<void> {
    const opened = await this.#parts.amqp.open({ connectTimeoutMs: limits.amqpConnectTimeoutMs }, events);
    if (attempt.isOver() || this.#isEnded()) return closeQuietly(opened);
    let queues: readonly FleetQueue[];
    let declared: DeclaredQueues;
    try {
      // A broker may have lost them all.
      queues = await this.#wantedQueues();
      declared = await declareQueues(opened, queues, this.#parts.queueType);
      queues = await this.#withoutEnded(queues, opened);
    } catch (error) {
      // Not awaited: a broker that refuses a declaration may be slow to close.
      void closeQuietly(opened);
      throw error;
    }
    if (attempt.isOver()) return undefined;
    if (this.#isEnded()) return closeQuietly(opened);
    this.#session = opened;
    this.#refused = declared.refused;
    this.#subscribed = new SubscribedQueues();
    this.#subscribed.declared(queues, declared);
    this.#reconnect.reset();
    this.#state = attempt.isBlocked() ? 'blocked' : 'open';
    this.#counters.add('outlet.opened');
    this.#world.log.info({ queues: queues.length }, 'connected to the message broker');
    this.#tellOf(declared);
    this.#recheck(opened);
    this.#queueWatch.changed();
    if (this.#state === 'open') this.#parts.opened();
    this.#reading.wake();
    return undefined;
  }

  async #wantedQueues(): Promise<readonly FleetQueue[]> {
    this.#isOutdated = false;
    return [...this.#parts.queues, ...((await this.#parts.subscribed?.()) ?? [])];
  }

  /**
   * Declares nothing: the backend that changed a subscription has declared its queues. A new session reads them itself.
   */
  async #readAgain(): Promise<void> {
    const asked = this.#session;
    if (!this.#isOutdated || asked === undefined || this.#isEnded()) return;
    const wanted = await this.#wantedQueues();
    // Another session has read them since, or reads them once it is open.
    if (this.#session !== asked) return;
    this.#subscribed.changedElsewhere(wanted, this.#refused);
    this.#queueWatch.changed();
  }

  #tellOf({ refused: refusals, unreachable, otherType }: DeclaredQueues): void {
    for (const { name, detail } of refusals) {
      this.#counters.add('queues.refused');
      this.#world.log.error({ queue: name, detail }, 'the message broker refuses a queue');
    }
    if (unreachable.length > 0)
      this.#world.log.warn(
        { queues: unreachable.length, example: unreachable[0]?.name },
        'queues are at a node of the message broker that is down: messages for them wait until it is back',
      );
    if (otherType.length > 0)
      this.#world.log.info(
        { queues: otherType.length, example: otherType[0] },
        'queues keep the type that they have',
      );
  }

  /** Queues that are unreachable are declared again from time to time: a node that came back may have lost them. */
  #recheck(opened: AmqpPublisherSession): void {
    this.#cancelLook();
    if (this.#session !== opened || this.#subscribed.unreachable().length === 0) return;
    this.#cancelLook = this.#world.time.alarm(
      this.#world.time.nowMs() + limits.unreachableQueueLookMs,
      () => {
        this.#declareUnreachable(opened).then(
          () => this.#recheck(opened),
          // The next session declares all of them.
          (error: unknown) => {
            if (this.#session === opened) this.renew(String(error));
          },
        );
      },
    );
  }

  async #declareUnreachable(opened: AmqpPublisherSession): Promise<void> {
    for (const queue of this.#subscribed.unreachable()) {
      // A subscription may have ended meanwhile, and with it its queue.
      if (this.#session !== opened || !this.#subscribed.unreachable().includes(queue)) continue;
      const declared = await declareQueues(opened, [queue], this.#parts.queueType);
      if (this.#session !== opened) return;
      this.#subscribed.declared([queue], declared);
      this.#refused = [...this.#refused, ...declared.refused];
      this.#tellOf({ ...declared, unreachable: [] });
    }
  }

  /**
   * Deletes those whose subscriptions ended while they were declared: the backend that ended them deleted the queues
   * earlier. Resolves with the others. Rejects if the store fails.
   */
  async #withoutEnded(
    queues: readonly FleetQueue[],
    opened: AmqpPublisherSession,
  ): Promise<readonly FleetQueue[]> {
    const names = new Set(await this.#claimedNames());
    const ended = queues.filter(({ name }) => !names.has(name));
    for (const { name } of ended) await opened.deleteQueue(name);
    return queues.filter(({ name }) => names.has(name));
  }

  async #claimedNames(): Promise<readonly string[]> {
    const subscribedNames =
      (await this.#parts.claimed?.()) ?? ((await this.#parts.subscribed?.()) ?? []).map(({ name }) => name);
    return [...this.#parts.queues.map(({ name }) => name), ...subscribedNames];
  }

  /**
   * If it is still needed: another backend that ends a subscription deletes its queues, and if the store fails a
   * missing queue may be one of those. Checks again afterwards.
   */
  async #declareMissing(queue: FleetQueue, opened: AmqpPublisherSession): Promise<void> {
    const { name } = queue;
    if (!(await this.#claimedNames()).includes(name)) {
      if (this.#session === opened) this.#subscribed.removing([name]);
      return;
    }
    this.#counters.add('queues.missing');
    this.#world.log.warn(
      { queue: name },
      'a subscribed queue is missing at the broker and is declared again',
    );
    const declared = await declareQueues(opened, [queue], this.#parts.queueType);
    if (this.#session === opened && this.#subscribed.has(name)) {
      this.#subscribed.declared([queue], declared);
      this.#refused = [...this.#refused, ...declared.refused];
      this.#tellOf(declared);
      this.#recheck(opened);
    }
    const left = await this.#withoutEnded([queue], opened);
    if (this.#session === opened && left.length === 0) this.#subscribed.removing([name]);
  }

  #retry(reason: string): void {
    if (this.#isEnded()) return;
    this.#state = 'waiting';
    this.#reconnect.schedule(reason);
  }
}

function closeQuietly(session: AmqpPublisherSession): Promise<void> {
  return session.close().catch(() => undefined);
}
