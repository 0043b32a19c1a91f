import { ExchangeRefused, type ExchangeSession } from '../../world/exchange.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import type { OutboxRow, OutboxStore } from '../store/outbox-store.ts';
import { within } from '../within.ts';
import { makeDropWatch } from './drop-watch.ts';
import { Lanes } from './lanes.ts';
import { makeMarker } from './marker.ts';
import { toExchange } from './outgoing.ts';
import { type Outlet, type OutletCondition, type OutletParts, startOutlet } from './outlet.ts';
import { makeReadAhead } from './read-ahead.ts';

export interface CourierParts extends Pick<OutletParts, 'queues' | 'subscribed' | 'queueType'> {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly exchange: NonNullable<World['exchange']>;
  readonly outbox: Pick<OutboxStore, 'next' | 'sent' | 'drops'>;
  readonly counters: Counters;
  /** A session was opened, and has its queues. */
  readonly connected?: (() => void) | undefined;
}

/** Brings messages from the outbox to the exchange. */
export interface Courier {
  /** What it publishes over. */
  readonly outlet: Pick<Outlet, 'session' | 'refused' | 'added' | 'removing'>;
  /** A commit has put messages into the outbox: these, or whichever are found there. */
  wake(rows?: readonly OutboxRow[]): void;
  /** Whether the broker takes messages now. */
  condition(): OutletCondition;
  /** Lets what is on its way arrive, for a short time, marks it, and closes the connection. */
  stop(): Promise<void>;
  sever(): void;
}

const VERDICT_COUNTS = {
  confirmed: 'messages.confirmed',
  unroutable: 'messages.unroutable',
  refused: 'messages.refused',
} as const;

/**
 * The producer (read-ahead.ts) fills the lanes from the outbox, or with what was just written there; the consumer here
 * publishes: many vehicles at once and one unconfirmed message of each; the marker takes off the outbox what was
 * confirmed. A message is in memory only as a copy: whatever ends, it is still in the outbox, and goes out again with
 * the same id and the same bytes.
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
  let lostMs = 0;
  const refused = new Set<() => void>();
  /** How often the broker refused a message. */
  const refusals = new WeakMap<OutboxRow, number>();
  const drops = makeDropWatch(parts);

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
      parts.connected?.();
    },
  });
  let cancelPoll = poll();
  let cancelWatch: (() => void) | undefined;

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
    watchIn(limits.courierConfirmMs);
    session.publish(toExchange(message)).then(
      (verdict) => {
        if (isOver) return;
        inFlight.delete(message);
        counters.add(VERDICT_COUNTS[verdict]);
        switch (verdict) {
          case 'confirmed':
            counters.observe('courier', (world.time.nowMs() - message.createdMs) / 1_000);
            done(message);
            break;
          case 'unroutable':
            // Where nobody has subscribed a message is not kept. Where somebody has, the queue was taken away at the
            // broker behind our back: it is declared anew, and nothing is lost.
            if (outlet.expects(message)) homeless(message);
            else done(message);
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
          lostMs = world.time.nowMs();
          watchIn(limits.courierConfirmMs);
          counters.add('messages.in-doubt');
          lanes.again(message);
        }
        next();
      },
    );
  }

  function done(message: OutboxRow): void {
    lanes.done(message);
    marker.mark(message.position);
  }

  function homeless(message: OutboxRow): void {
    counters.add('messages.homeless');
    offerLater(message);
    outlet.renew('a queue that is subscribed is gone at the broker, and is declared anew');
  }

  function next(): void {
    if (inFlight.size === 0) landed?.();
    readAhead.goOn();
    publish();
  }

  /** A message that the broker has no room for waits, and the later ones of its vehicle behind it. */
  function offerLater(message: OutboxRow): void {
    if (isStopping) return;
    const times = refusals.get(message) ?? 0;
    refusals.set(message, times + 1);
    const delayMs = Math.min(limits.courierRefusedMs * 2 ** times, limits.lastBackoffMs);
    const cancel = world.time.alarm(world.time.nowMs() + delayMs, () => {
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

  /** Looks at the connection then, and on as long as something is to be answered. */
  function watchIn(durationMs: number): void {
    if (isStopping || cancelWatch !== undefined) return;
    cancelWatch = world.time.alarm(world.time.nowMs() + durationMs, () => {
      cancelWatch = undefined;
      watch();
      const [oldestMs] = inFlight.values();
      if (oldestMs === undefined && (lost === undefined || outlet.session() !== lost)) return;
      const dueMs = (oldestMs ?? lostMs) + limits.courierConfirmMs;
      watchIn(Math.max(limits.courierWatchMs, dueMs - world.time.nowMs()));
    });
  }

  /** A confirm that does not come would hold its vehicle's messages for ever: the connection is given up. */
  function watch(): void {
    const session = outlet.session();
    if (session === undefined) return;
    if (session === lost) {
      // Its end is overdue: without it nothing would ever be published again.
      if (world.time.nowMs() - lostMs >= limits.courierConfirmMs)
        outlet.renew('a session that lost a message does not end');
      return;
    }
    const [oldestMs] = inFlight.values();
    if (oldestMs === undefined) return;
    if (world.time.nowMs() - Math.max(oldestMs, openedMs) < limits.courierConfirmMs) return;
    counters.add('outlet.silent');
    outlet.renew('a confirm did not come');
  }

  function cancelAlarms(): void {
    cancelPoll();
    cancelWatch?.();
    drops.stop();
    for (const cancel of refused) cancel();
    refused.clear();
  }

  readAhead.goOn();
  drops.look();
  return {
    outlet,
    wake(rows) {
      if (isStopping) return;
      // Whatever writes messages may have dropped others.
      drops.look();
      if (rows === undefined) readAhead.wake();
      else readAhead.written(rows);
    },
    condition: () => outlet.condition(),
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
