import { ExchangeRefused, type ExchangeSession } from '../../world/exchange.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import type { OutboxRow, OutboxStore } from '../store/outbox-store.ts';
import { within } from '../within.ts';
import { Lanes } from './lanes.ts';
import { makeMarker } from './marker.ts';
import { toExchange } from './outgoing.ts';
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
  /** What was published and not answered yet, the oldest first, and since when. */
  const inFlight = new Map<OutboxRow, number>();
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
  /** Since when the broker takes messages: while it is blocked it answers nothing. */
  let openedMs = 0;
  const outlet = startOutlet({
    ...parts,
    opened: () => {
      openedMs = world.time.nowMs();
      publish();
    },
  });
  let cancelPoll = poll();

  /** Publishes as much as may be on its way. */
  function publish(): void {
    if (isOver || isStopping) return;
    const session = outlet.session();
    if (session === undefined || session === lost) return;
    while (inFlight.size < limits.courierInFlight && marker.size < limits.courierUnmarked) {
      const message = lanes.take();
      if (message === undefined) break;
      send(session, message);
    }
  }

  function send(session: ExchangeSession, message: OutboxRow): void {
    inFlight.set(message, world.time.nowMs());
    session.publish(toExchange(message)).then(
      (verdict) => {
        if (isOver) return;
        inFlight.delete(message);
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
      (error: unknown) => {
        if (isOver) return;
        inFlight.delete(message);
        if (error instanceof ExchangeRefused) {
          // It does not fit the wire, and the session goes on without it.
          counters.add('messages.unsendable');
          const fields = { messageId: message.messageId, error: String(error) };
          world.log.error(fields, 'a message cannot be sent');
          offerLater(message);
        } else {
          // In doubt: it may have arrived. It goes out again, with the same id, over the next connection.
          lost = session;
          counters.add('messages.in-doubt');
          lanes.again(message);
        }
        next();
      },
    );
  }

  function next(): void {
    if (inFlight.size === 0) landed?.();
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
      watch();
      cancelPoll = poll();
    });
  }

  /** A confirm that does not come would hold its vehicle's messages for ever: the connection is given up. */
  function watch(): void {
    const [oldestMs] = inFlight.values();
    if (oldestMs === undefined || outlet.session() === undefined) return;
    if (world.time.nowMs() - Math.max(oldestMs, openedMs) < limits.courierConfirmMs) return;
    counters.add('outlet.silent');
    outlet.renew('a confirm did not come');
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
      if (inFlight.size > 0) {
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
