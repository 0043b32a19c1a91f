import { type AmqpPublisherSession, AmqpRefused } from '../../world/amqp/amqp-publisher.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import type { OutboxRow, OutboxStore } from '../store/port/outbox-store.ts';
import { within } from '../within.ts';
import {
  type AmqpConnection,
  type AmqpConnectionCondition,
  type AmqpConnectionParts,
  startAmqpConnection,
} from './amqp-connection.ts';
import { toAmqpMessage } from './amqp-message.ts';
import { makeDropWatch } from './drop-watch.ts';
import { makeOutboxReader } from './outbox-reader.ts';
import { RefusalWatch } from './refusal-watch.ts';
import { makeSentMarker } from './sent-marker.ts';
import { VehicleOrder } from './vehicle-order.ts';

export interface OutboxPublisherParts
  extends Pick<AmqpConnectionParts, 'queues' | 'subscribed' | 'claimed' | 'queueType'> {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly amqp: NonNullable<World['amqp']>;
  readonly outbox: Pick<OutboxStore, 'next' | 'nextByPartition' | 'sent' | 'drops'>;
  /** The partitions whose messages it publishes at first; absent: all, from a store that no other process writes to. */
  readonly partitions?: readonly number[] | undefined;
  /** Whether these are still its own, by the clock; absent: they always are. */
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
  /** Publishes none of these any more. What is under way may arrive; another backend publishes it again, with its id. */
  lost(partitions: readonly number[]): void;
  /** The same in order: resolves once what was under way is answered, and marked as sent. */
  drain(partitions: readonly number[]): Promise<void>;
  /** Whether the broker takes messages now. */
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
  const { world, counters } = parts;
  const vehicleOrder = new VehicleOrder();
  /** Published and not yet answered, the oldest first, with the time of publishing. */
  const inFlight = new Map<OutboxRow, number>();
  let isOver = false;
  let isStopping = false;
  let allAnswered: (() => void) | undefined;
  /** Who waits for the answers to what is under way of these partitions. */
  const drains = new Set<{ readonly partitions: ReadonlySet<number>; readonly resolve: () => void }>();
  /** A session that lost a publication takes no more, even before `closed` reports its end. */
  let lost: AmqpPublisherSession | undefined;
  let lostMs = 0;
  const refused = new Set<() => void>();
  /** How often the broker refused each message. */
  const refusals = new WeakMap<OutboxRow, number>();
  const refusalWatch = new RefusalWatch();
  const dropWatch = makeDropWatch(parts);

  const sentMarker = makeSentMarker({ world, outbox: parts.outbox, counters, hasRoom: publish });
  const outboxReader = makeOutboxReader({
    world,
    outbox: parts.outbox,
    counters,
    partitions: parts.partitions,
    freeRows: () => limits.outboxReadAhead - vehicleOrder.size,
    rowsRead: (rows) => {
      // A partition that was lost and gained again is read anew, and its last marks may not be written yet.
      for (const row of rows) if (!sentMarker.wasMarked(row.position)) vehicleOrder.add(row);
      publish();
    },
  });
  /** Since when the broker takes messages: while it is blocked it answers nothing. */
  let openedMs = 0;
  const amqpConnection = startAmqpConnection({
    ...parts,
    opened: () => {
      openedMs = world.time.nowMs();
      publish();
      parts.connected?.();
    },
  });
  let cancelPoll = poll();
  let cancelWatch: (() => void) | undefined;

  /** Publishes as many messages as may be in flight. */
  function publish(): void {
    if (isOver || isStopping) return;
    const session = amqpConnection.session();
    if (session === undefined || session === lost || parts.mayPublish?.() === false) return;
    while (inFlight.size < limits.messagesInFlight && sentMarker.size < limits.sentUnmarked) {
      const message = vehicleOrder.take();
      if (message === undefined) break;
      send(session, message);
    }
  }

  function send(session: AmqpPublisherSession, message: OutboxRow): void {
    inFlight.set(message, world.time.nowMs());
    watchIn(limits.confirmTimeoutMs);
    session.publish(toAmqpMessage(message)).then(
      (verdict) => {
        if (isOver) return;
        inFlight.delete(message);
        counters.add(VERDICT_COUNTS[verdict]);
        switch (verdict) {
          case 'confirmed':
            counters.observe('courier', (world.time.nowMs() - message.createdMs) / 1_000);
            if (refusals.has(message)) refusalWatch.confirmed();
            done(message);
            break;
          case 'unroutable':
            reachedNoQueue(message);
            break;
          case 'refused':
            refusedByBroker(message);
            break;
          default:
            verdict satisfies never;
        }
        next();
      },
      (error: unknown) => {
        if (isOver) return;
        inFlight.delete(message);
        if (error instanceof AmqpRefused) {
          // It cannot be encoded, and the session continues without it.
          counters.add('messages.unsendable');
          const fields = { messageId: message.messageId, error: String(error) };
          world.log.error(fields, 'a message cannot be sent');
          offerLater(message);
        } else {
          // In doubt: it may have arrived. It is published again, with the same id, over the next connection.
          lost = session;
          lostMs = world.time.nowMs();
          watchIn(limits.confirmTimeoutMs);
          counters.add('messages.in-doubt');
          vehicleOrder.retry(message);
        }
        next();
      },
    );
  }

  function done(message: OutboxRow): void {
    vehicleOrder.done(message);
    sentMarker.mark(message.position);
  }

  /**
   * Without a subscription a message is dropped. With one, its queue was deleted at the broker from outside: it is
   * declared again; or its node is down, and comes back with it. Nothing is lost.
   */
  function reachedNoQueue(message: OutboxRow): void {
    const queue = amqpConnection.queueState(message);
    if (queue === 'none') {
      done(message);
      return;
    }
    counters.add('messages.homeless');
    offerLater(message);
    if (queue === 'declared')
      amqpConnection.renew('a subscribed queue is missing at the broker and is declared again');
  }

  function refusedByBroker(message: OutboxRow): void {
    offerLater(message);
    if (refusalWatch.refused(refusals.get(message) ?? 0, world.time.nowMs(), openedMs))
      amqpConnection.renew('the message broker goes on refusing messages');
  }

  function next(): void {
    if (inFlight.size === 0) allAnswered?.();
    if (drains.size > 0) endDrains();
    outboxReader.readOn();
    publish();
  }

  function forget(partitions: readonly number[]): void {
    outboxReader.end(partitions);
    vehicleOrder.forget(new Set(partitions));
  }

  function endDrains(): void {
    for (const drain of drains) {
      if ([...inFlight.keys()].some(({ partition }) => drain.partitions.has(partition))) continue;
      drains.delete(drain);
      drain.resolve();
    }
  }

  /** A message that the broker has no room for waits, and the later ones of its vehicle behind it. */
  function offerLater(message: OutboxRow): void {
    if (isStopping) return;
    const times = refusals.get(message) ?? 0;
    refusals.set(message, times + 1);
    const delayMs = Math.min(limits.firstRefusedBackoffMs * 2 ** times, limits.lastBackoffMs);
    const cancel = world.time.alarm(world.time.nowMs() + delayMs, () => {
      refused.delete(cancel);
      vehicleOrder.retry(message);
      publish();
    });
    refused.add(cancel);
  }

  function poll(): () => void {
    return world.time.alarm(world.time.nowMs() + limits.outboxPollMs, () => {
      outboxReader.wake();
      cancelPoll = poll();
    });
  }

  /** Checks the connection after that time, and again as long as answers are missing. */
  function watchIn(durationMs: number): void {
    if (isStopping || cancelWatch !== undefined) return;
    cancelWatch = world.time.alarm(world.time.nowMs() + durationMs, () => {
      cancelWatch = undefined;
      watch();
      const [oldestMs] = inFlight.values();
      if (oldestMs === undefined && (lost === undefined || amqpConnection.session() !== lost)) return;
      const dueMs = (oldestMs ?? lostMs) + limits.confirmTimeoutMs;
      watchIn(Math.max(limits.confirmCheckMs, dueMs - world.time.nowMs()));
    });
  }

  /** A confirm that does not come would block its vehicle's messages for ever: the connection is given up. */
  function watch(): void {
    const session = amqpConnection.session();
    if (session === undefined) return;
    if (session === lost) {
      // Its end is overdue: without it nothing would ever be published again.
      if (world.time.nowMs() - lostMs >= limits.confirmTimeoutMs)
        amqpConnection.renew('a session that lost a message does not end');
      return;
    }
    const [oldestMs] = inFlight.values();
    if (oldestMs === undefined) return;
    if (world.time.nowMs() - Math.max(oldestMs, openedMs) < limits.confirmTimeoutMs) return;
    counters.add('outlet.silent');
    amqpConnection.renew('a publisher confirm did not arrive');
  }

  function cancelAlarms(): void {
    cancelPoll();
    cancelWatch?.();
    dropWatch.stop();
    for (const cancel of refused) cancel();
    refused.clear();
  }

  outboxReader.readOn();
  dropWatch.check();
  return {
    amqpConnection,
    wake(rows) {
      if (isStopping) return;
      // Each write of messages may have dropped older ones.
      dropWatch.check();
      if (rows === undefined) outboxReader.wake();
      else outboxReader.rowsWritten(rows);
    },
    gained: (partitions) => outboxReader.begin(partitions),
    lost: forget,
    async drain(partitions) {
      forget(partitions);
      await new Promise<void>((resolve) => {
        drains.add({ partitions: new Set(partitions), resolve });
        endDrains();
      });
      await sentMarker.flush();
    },
    condition: () => amqpConnection.condition(),
    async stop() {
      isStopping = true;
      outboxReader.sever();
      cancelAlarms();
      if (inFlight.size > 0) {
        const arrived = new Promise<void>((resolve) => {
          allAnswered = resolve;
        });
        await within(world.time, limits.stopMs, arrived);
      }
      isOver = true;
      await sentMarker.flush();
      sentMarker.sever();
      await amqpConnection.stop();
    },
    sever() {
      isOver = true;
      outboxReader.sever();
      sentMarker.sever();
      cancelAlarms();
      amqpConnection.sever();
    },
  };
}
