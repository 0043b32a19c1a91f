import type { ExchangeMessage, ExchangeSession } from '../../world/exchange.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import type { OutboxRow, OutboxStore } from '../store/store.ts';
import { within } from '../within.ts';
import { Lanes } from './lanes.ts';
import { makeMarker } from './marker.ts';
import { EXCHANGE, messageType, routingKey } from './message.ts';
import { type FleetQueue, startOutlet } from './outlet.ts';
import { makeReadAhead } from './read-ahead.ts';

export interface CourierParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly exchange: NonNullable<World['exchange']>;
  readonly outbox: OutboxStore;
  readonly queues: readonly FleetQueue[];
  readonly counters: Counters;
}

/** Brings messages from the outbox to the exchange. */
export interface Courier {
  /** A commit has put messages into the outbox. */
  wake(): void;
  /** Lets what is on its way arrive, for a short time, marks it, and closes the connection. */
  stop(): Promise<void>;
  sever(): void;
}

/**
 * The producer (read-ahead.ts) fills the lanes from the outbox; the consumer here publishes: many vehicles at once
 * and one unconfirmed message of each; the marker takes off the outbox what was confirmed. A message is in memory
 * only as a copy: whatever ends, it is still in the outbox, and goes out again with the same id and the same bytes.
 */
export function startCourier(parts: CourierParts): Courier {
  const { world, counters } = parts;
  const lanes = new Lanes();
  let inFlight = 0;
  let isOver = false;
  let isStopping = false;
  let landed: (() => void) | undefined;
  /** A session of which a publication was lost takes no more, even before its end is told. */
  let lost: ExchangeSession | undefined;
  const refused = new Set<() => void>();

  const marker = makeMarker({ world, outbox: parts.outbox, counters, relieved: publish });
  const readAhead = makeReadAhead({
    world,
    outbox: parts.outbox,
    counters,
    room: () => limits.courierWindow - lanes.size,
    read: (rows) => {
      for (const row of rows) lanes.add(row);
      publish();
    },
  });
  const outlet = startOutlet({ ...parts, opened: publish });
  let cancelPoll = poll();

  /** Publishes as much as may be on its way. */
  function publish(): void {
    if (isOver || isStopping) return;
    const session = outlet.session();
    if (session === undefined || session === lost) return;
    while (inFlight < limits.courierInFlight && marker.size < limits.courierUnmarked) {
      const message = lanes.take();
      if (message === undefined) break;
      send(session, message);
    }
  }

  function send(session: ExchangeSession, message: OutboxRow): void {
    inFlight += 1;
    session.publish(toExchange(message)).then(
      (verdict) => {
        if (isOver) return;
        inFlight -= 1;
        counters.add(`messages.${verdict}`);
        switch (verdict) {
          case 'confirmed':
          case 'unroutable': // nobody has subscribed: such a message is not kept
            lanes.done(message);
            marker.mark(message.position);
            break;
          case 'refused':
            offerLater(message);
            break;
          default:
            verdict satisfies never;
        }
        next();
      },
      () => {
        // In doubt: it may have arrived. It goes out again, with the same id, over the next connection.
        if (isOver) return;
        lost = session;
        inFlight -= 1;
        counters.add('messages.in-doubt');
        lanes.again(message);
        next();
      },
    );
  }

  function next(): void {
    if (inFlight === 0) landed?.();
    readAhead.goOn();
    publish();
  }

  /** A message that the broker has no room for waits, and the later ones of its vehicle behind it. */
  function offerLater(message: OutboxRow): void {
    const cancel = world.time.alarm(world.time.nowMs() + limits.courierRefusedMs, () => {
      refused.delete(cancel);
      lanes.again(message);
      publish();
    });
    refused.add(cancel);
  }

  function poll(): () => void {
    return world.time.alarm(world.time.nowMs() + limits.courierPollMs, () => {
      readAhead.wake();
      cancelPoll = poll();
    });
  }

  function cancelAlarms(): void {
    cancelPoll();
    for (const cancel of refused) cancel();
    refused.clear();
  }

  readAhead.goOn();
  return {
    wake: () => {
      if (!isStopping) readAhead.wake();
    },
    async stop() {
      isStopping = true;
      readAhead.sever();
      cancelAlarms();
      if (inFlight > 0) {
        const arrived = new Promise<void>((resolve) => {
          landed = resolve;
        });
        await within(world.time, limits.stopMs, arrived);
      }
      isOver = true;
      await marker.flush();
      marker.sever();
      await outlet.stop();
    },
    sever() {
      isOver = true;
      readAhead.sever();
      marker.sever();
      cancelAlarms();
      outlet.sever();
    },
  };
}

const encoder = new TextEncoder();

/** Persistent, with the headers of service.md section 6. */
function toExchange(message: OutboxRow): ExchangeMessage {
  const type = messageType(message);
  return {
    exchange: EXCHANGE,
    routingKey: routingKey(message),
    body: encoder.encode(message.body),
    messageId: message.messageId,
    type,
    timestampS: Math.floor(message.createdMs / 1000),
    contentType: 'application/json',
    headers: { 'Flow-ID': message.flowId, 'Message-Type': type, 'Message-Version': message.version },
  };
}
