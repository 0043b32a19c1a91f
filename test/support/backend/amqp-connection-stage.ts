import { makeCounters } from '../../../backend/base/counters.ts';
import { startAmqpConnection } from '../../../backend/events/amqp-connection.ts';
import type { FleetQueue } from '../../../backend/events/topology.ts';
import {
  type AmqpPublisherEvents,
  type AmqpPublisherSession,
  AmqpRefused,
} from '../../../world/amqp/amqp-publisher.ts';
import { VirtualLoop } from '../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../world/loop/virtual-process-scope.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { sleep } from '../../../world/time/time.ts';
import { virtualTime } from '../../../world/time/virtual-time.ts';

/** Declared at each connect. */
export const QUEUES = ['one', 'two'].map((name) => ({ name, fleetId: 'FLEET1' }));
export const OPENING_MS = 10;

/** A connection to a broker that takes 10 ms to open and 10 ms for each queue, and does what the test says. */
export function openConnection(
  broker: {
    isDown?: boolean;
    refuses?: readonly string[];
    refusal?: string;
    /** Queues that somebody has deleted. */
    missing?: Set<string>;
    /** A queue of which another connection keeps everybody away. */
    exclusive?: string;
    /** How long closing a session takes. */
    closingMs?: number;
  } = {},
  subscribed: () => Promise<readonly FleetQueue[]> = () => Promise.resolve([]),
) {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('service'));
  const counters = makeCounters();
  const silent = () => undefined;
  const told: { readonly text: string; readonly fields: object }[] = [];
  const tell = (fields: object, text: string) => void told.push({ text, fields });
  const deleted: string[] = [];
  const looks: string[] = [];
  const sessions: { readonly events: AmqpPublisherEvents; closes: number }[] = [];
  let opened = 0;
  const connection = startAmqpConnection({
    world: { time, random: seededRandom(1), log: { debug: silent, info: silent, warn: tell, error: tell } },
    amqp: {
      async open(_options, events): Promise<AmqpPublisherSession> {
        await sleep(time, OPENING_MS);
        if (broker.isDown === true) throw new AmqpRefused('nobody listens');
        const one = { events, closes: 0 };
        sessions.push(one);
        const done = () => Promise.resolve();
        return {
          declareExchange: done,
          async declareQueue(name) {
            await sleep(time, OPENING_MS);
            if (broker.refuses?.includes(name)) throw new AmqpRefused(broker.refusal ?? 'not allowed');
            broker.missing?.delete(name);
          },
          hasQueue(name) {
            looks.push(name);
            if (broker.exclusive === name) return Promise.reject(new AmqpRefused('RESOURCE_LOCKED'));
            return Promise.resolve(broker.missing?.has(name) !== true);
          },
          bind: done,
          unbind: done,
          deleteQueue(name) {
            deleted.push(name);
            return Promise.resolve();
          },
          publish: () => Promise.resolve('confirmed' as const),
          async close() {
            one.closes += 1;
            if (broker.closingMs !== undefined) await sleep(time, broker.closingMs);
            events.closed('closed');
          },
        };
      },
    },
    queues: QUEUES,
    subscribed,
    queueType: broker.refusal?.includes('x-queue-type') ? undefined : 'quorum',
    counters,
    opened: () => {
      opened += 1;
    },
  });
  const pass = (durationMs: number) => loop.runUntil(loop.nowMs + durationMs);
  const seen = { deleted, looks, opened: () => opened };
  return { loop, connection, counters, told, sessions, pass, broker, ...seen };
}

/** How long it takes to connect with those queues. */
export const CONNECTED_MS = 3 * OPENING_MS;
