import { type AmqpPublisherSession, AmqpRefused } from '../../world/amqp/amqp-publisher.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { limits } from '../base/limits.ts';
import { within } from '../base/within.ts';
import type { OutboxRow, OutboxStore } from '../store/port/outbox-store.ts';
import {
  type AmqpConnection,
  type AmqpConnectionCondition,
  type AmqpConnectionParts,
  startAmqpConnection,
} from './amqp-connection.ts';
import { toAmqpMessage } from './amqp-message.ts';
import { type DropWatch, makeDropWatch } from './drop-watch.ts';
import { makeOutboxReader, type OutboxReader } from './outbox-reader.ts';
import { RefusalWatch } from './refusal-watch.ts';
import { makeSentMarker, type SentMarker } from './sent-marker.ts';
import type { QueueState } from './subscribed-queues.ts';
import { VehicleOrder } from './vehicle-order.ts';

export interface OutboxPublisherParts
  extends Pick<AmqpConnectionParts, 'queues' | 'subscribed' | 'claimed' | 'queueType'> {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly amqp: NonNullable<World['amqp']>;
  readonly outbox: Pick<OutboxStore, 'next' | 'nextByPartition' | 'sent' | 'drops'>;
  /** The partitions whose messages it publishes at first; absent: all, from a store that no other process writes to. */
  readonly partitions?: readonly number[] | undefined;
  /** Whether this backend still holds these, by the clock; absent: always. */
  readonly mayPublish?: (() => boolean) | undefined;
  readonly counters: Counters;
  /** A session was opened, and has its queues. */
  readonly connected?: (() => void) | undefined;
}

/** Publishes messages from the outbox to the exchange. */
export interface OutboxPublisher {
  /** The connection that it publishes over. */
  readonly amqpConnection: Pick<
    AmqpConnection,
    'session' | 'refused' | 'added' | 'removing' | 'subscribedElsewhere'
  >;
  /** A commit has put messages into the outbox: these, or those that are found there. */
  wake(rows?: readonly OutboxRow[]): void;
  /** Publishes messages of these partitions from now on. */
  gained(partitions: readonly number[]): void;
  /** Stops publishing these. Messages in flight may arrive; another backend publishes them again, with their ids. */
  lost(partitions: readonly number[]): void;
  /** As `lost`, in order: resolves once messages in flight are answered, and marked as sent. */
  drain(partitions: readonly number[]): Promise<void>;
  /** Whether the broker accepts messages now. */
  condition(): AmqpConnectionCondition;
  /** Waits briefly for confirms of what is in flight, marks it as sent, and closes the connection. */
  stop(): Promise<void>;
  sever(): void;
}

const VERDICT_COUNTS = {
  confirmed: 'messages.confirmed',
  unroutable: 'messages.unroutable',
  refused: 'messages.refused',
} as const;

/**
 * The outbox reader fills the queues of the vehicles from the outbox, or with what was just written there.
 * The publisher sends many vehicles' messages at once and one unconfirmed message of each. The sent marker
 * removes confirmed messages from the outbox. A message in memory is only a copy: after any failure it is
 * still in the outbox, and is published again with the same id and the same bytes.
 */
export function startOutboxPublisher(parts: OutboxPublisherParts): OutboxPublisher {
  return new InOrderPublisher(parts);
}

class InOrderPublisher implements OutboxPublisher {
  readonly amqpConnection: Pick<
    AmqpConnection,
    'session' | 'refused' | 'added' | 'removing' | 'subscribedElsewhere'
  >;
  readonly #parts: OutboxPublisherParts;
  readonly #world: OutboxPublisherParts['world'];
  readonly #counters: OutboxPublisherParts['counters'];
  readonly #vehicleOrder = new VehicleOrder();
  /** Published and not yet answered, the oldest first, with the time of publishing. */
  readonly #inFlight = new Map<OutboxRow, number>();
  #isOver = false;
  #isStopping = false;
  #allAnswered: (() => void) | undefined;
  /** The callers that wait for the messages in flight of these partitions. */
  readonly #drains = new Set<{ readonly partitions: ReadonlySet<number>; readonly resolve: () => void }>();
  /** A session that lost a publication accepts no more, even before `closed` reports its end. */
  #lost: AmqpPublisherSession | undefined;
  #lostMs = 0;
  readonly #refused = new Set<() => void>();
  /** How often the broker refused each message. */
  readonly #refusals = new WeakMap<OutboxRow, number>();
  readonly #refusalWatch = new RefusalWatch();
  readonly #dropWatch: DropWatch;
  readonly #sentMarker: SentMarker;
  readonly #outboxReader: OutboxReader;
  /** Since when the broker accepts messages: while it is blocked it answers nothing. */
  #openedMs = 0;
  readonly #amqpConnection: AmqpConnection;
  #cancelPoll: () => void;
  #cancelWatch: (() => void) | undefined;

  constructor(parts: OutboxPublisherParts) {
    this.#parts = parts;
    this.#world = parts.world;
    this.#counters = parts.counters;
    this.#dropWatch = makeDropWatch(parts);
    this.#sentMarker = makeSentMarker({
      world: this.#world,
      outbox: parts.outbox,
      counters: this.#counters,
      hasRoom: () => this.#publish(),
    });
    this.#outboxReader = makeOutboxReader({
      world: this.#world,
      outbox: parts.outbox,
      counters: this.#counters,
      partitions: parts.partitions,
      freeRows: () => limits.outboxReadAhead - this.#vehicleOrder.size,
      rowsRead: (rows) => {
        // A partition that was lost and gained again is reread, and its last marks may not be written yet.
        for (const row of rows) if (!this.#sentMarker.wasMarked(row.position)) this.#vehicleOrder.add(row);
        this.#publish();
      },
    });
    this.#amqpConnection = startAmqpConnection({
      ...parts,
      opened: () => {
        this.#openedMs = this.#world.time.nowMs();
        this.#publish();
        parts.connected?.();
      },
    });
    this.#cancelPoll = this.#poll();
    this.#outboxReader.readOn();
    this.#dropWatch.check();
    this.amqpConnection = this.#amqpConnection;
  }

  wake(rows?: readonly OutboxRow[]): void {
    if (this.#isStopping) return;
    // Each write of messages may have dropped older ones.
    this.#dropWatch.check();
    if (rows === undefined) this.#outboxReader.wake();
    else this.#outboxReader.rowsWritten(rows);
  }

  gained(partitions: readonly number[]): void {
    this.#outboxReader.begin(partitions);
  }

  async drain(partitions: readonly number[]): Promise<void> {
    this.lost(partitions);
    await new Promise<void>((resolve) => {
      this.#drains.add({ partitions: new Set(partitions), resolve });
      this.#endDrains();
    });
    await this.#sentMarker.flush();
  }

  condition(): AmqpConnectionCondition {
    return this.#amqpConnection.condition();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#outboxReader.sever();
    this.#cancelAlarms();
    if (this.#inFlight.size > 0) {
      const arrived = new Promise<void>((resolve) => {
        this.#allAnswered = resolve;
      });
      await within(this.#world.time, limits.stopMs, arrived);
    }
    this.#isOver = true;
    await this.#sentMarker.flush();
    this.#sentMarker.sever();
    await this.#amqpConnection.stop();
  }

  sever(): void {
    this.#isOver = true;
    this.#outboxReader.sever();
    this.#sentMarker.sever();
    this.#cancelAlarms();
    this.#amqpConnection.sever();
  }

  /** Publishes as many messages as may be in flight. */
  #publish(): void {
    if (this.#isOver || this.#isStopping) return;
    const session = this.#amqpConnection.session();
    if (session === undefined || session === this.#lost || this.#parts.mayPublish?.() === false) return;
    while (this.#inFlight.size < limits.messagesInFlight && this.#sentMarker.size < limits.sentUnmarked) {
      const message = this.#vehicleOrder.take();
      if (message === undefined) break;
      this.#send(session, message);
    }
  }

  #send(session: AmqpPublisherSession, message: OutboxRow): void {
    this.#inFlight.set(message, this.#world.time.nowMs());
    this.#watchIn(limits.confirmTimeoutMs);
    const queue = this.#amqpConnection.queueState(message);
    session.publish(toAmqpMessage(message)).then(
      (verdict) => {
        if (this.#isOver) return;
        this.#inFlight.delete(message);
        this.#counters.add(VERDICT_COUNTS[verdict]);
        switch (verdict) {
          case 'confirmed':
            this.#counters.observe('courier', (this.#world.time.nowMs() - message.createdMs) / 1_000);
            if (this.#refusals.has(message)) this.#refusalWatch.confirmed();
            this.#done(message);
            break;
          case 'unroutable':
            this.#reachedNoQueue(message, queue);
            break;
          case 'refused':
            this.#refusedByBroker(message);
            break;
          default:
            verdict satisfies never;
        }
        this.#next();
      },
      (error: unknown) => {
        if (this.#isOver) return;
        this.#inFlight.delete(message);
        if (error instanceof AmqpRefused) {
          // It cannot be encoded, and the session continues without it.
          this.#counters.add('messages.unsendable');
          const fields = { messageId: message.messageId, error: String(error) };
          this.#world.log.error(fields, 'a message cannot be sent');
          this.#offerLater(message);
        } else {
          // It may have arrived. It is published again, with the same id, over the next connection.
          this.#lost = session;
          this.#lostMs = this.#world.time.nowMs();
          this.#watchIn(limits.confirmTimeoutMs);
          this.#counters.add('messages.in-doubt');
          this.#vehicleOrder.retry(message);
        }
        this.#next();
      },
    );
  }

  #done(message: OutboxRow): void {
    this.#vehicleOrder.done(message);
    this.#sentMarker.mark(message.position);
  }

  /**
   * Without a subscription a message is dropped. With one that came while the message was under way (`before`: the state
   * of its queue when it was sent), it is sent again. Otherwise its queue was deleted at the broker from outside: it is
   * declared again; or its node is down, and it returns with the node. Nothing is lost.
   */
  #reachedNoQueue(message: OutboxRow, before: QueueState): void {
    const queue = this.#amqpConnection.queueState(message);
    if (queue === 'none') {
      this.#done(message);
      return;
    }
    this.#offerLater(message);
    if (before === 'none') return;
    this.#counters.add('messages.homeless');
    if (queue === 'declared')
      this.#amqpConnection.renew('a subscribed queue is missing at the broker and is declared again');
  }

  #refusedByBroker(message: OutboxRow): void {
    this.#offerLater(message);
    if (
      this.#refusalWatch.refused(this.#refusals.get(message) ?? 0, this.#world.time.nowMs(), this.#openedMs)
    )
      this.#amqpConnection.renew('the message broker goes on refusing messages');
  }

  #next(): void {
    if (this.#inFlight.size === 0) this.#allAnswered?.();
    if (this.#drains.size > 0) this.#endDrains();
    this.#outboxReader.readOn();
    this.#publish();
  }

  lost(partitions: readonly number[]): void {
    this.#outboxReader.end(partitions);
    this.#vehicleOrder.forget(new Set(partitions));
  }

  #endDrains(): void {
    for (const drain of this.#drains) {
      if ([...this.#inFlight.keys()].some(({ partition }) => drain.partitions.has(partition))) continue;
      this.#drains.delete(drain);
      drain.resolve();
    }
  }

  /** A message that the broker has no room for waits, and so do later ones of its vehicle. */
  #offerLater(message: OutboxRow): void {
    if (this.#isStopping) return;
    const times = this.#refusals.get(message) ?? 0;
    this.#refusals.set(message, times + 1);
    const delayMs = Math.min(limits.firstRefusedBackoffMs * 2 ** times, limits.lastBackoffMs);
    const cancel = this.#world.time.alarm(this.#world.time.nowMs() + delayMs, () => {
      this.#refused.delete(cancel);
      this.#vehicleOrder.retry(message);
      this.#publish();
    });
    this.#refused.add(cancel);
  }

  #poll(): () => void {
    return this.#world.time.alarm(this.#world.time.nowMs() + limits.outboxPollMs, () => {
      this.#outboxReader.wake();
      this.#cancelPoll = this.#poll();
    });
  }

  /** Checks the connection after that time, and again as long as answers are missing. */
  #watchIn(durationMs: number): void {
    if (this.#isStopping || this.#cancelWatch !== undefined) return;
    this.#cancelWatch = this.#world.time.alarm(this.#world.time.nowMs() + durationMs, () => {
      this.#cancelWatch = undefined;
      this.#watch();
      const [oldestMs] = this.#inFlight.values();
      if (
        oldestMs === undefined &&
        (this.#lost === undefined || this.#amqpConnection.session() !== this.#lost)
      )
        return;
      const dueMs = (oldestMs ?? this.#lostMs) + limits.confirmTimeoutMs;
      this.#watchIn(Math.max(limits.confirmCheckMs, dueMs - this.#world.time.nowMs()));
    });
  }

  /** A missing confirm would block its vehicle's messages for ever: the connection is closed. */
  #watch(): void {
    const session = this.#amqpConnection.session();
    if (session === undefined) return;
    if (session === this.#lost) {
      // Its end is overdue: without it nothing would ever be published again.
      if (this.#world.time.nowMs() - this.#lostMs >= limits.confirmTimeoutMs)
        this.#amqpConnection.renew('a session that lost a message does not end');
      return;
    }
    const [oldestMs] = this.#inFlight.values();
    if (oldestMs === undefined) return;
    if (this.#world.time.nowMs() - Math.max(oldestMs, this.#openedMs) < limits.confirmTimeoutMs) return;
    this.#counters.add('outlet.silent');
    this.#amqpConnection.renew('a publisher confirm did not arrive');
  }

  #cancelAlarms(): void {
    this.#cancelPoll();
    this.#cancelWatch?.();
    this.#dropWatch.stop();
    for (const cancel of this.#refused) cancel();
    this.#refused.clear();
  }
}
