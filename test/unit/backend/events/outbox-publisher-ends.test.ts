import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { limits } from '../../../../backend/base/limits.ts';
import { writeStateReceived } from '../../../../backend/events/message.ts';
import { type OutboxPublisher, startOutboxPublisher } from '../../../../backend/events/outbox-publisher.ts';
import type { OutgoingMessage } from '../../../../backend/store/port/outbox-store.ts';
import { openSqliteStore, type SqliteStore } from '../../../../backend/store/sqlite/store.ts';
import {
  AmqpConnectionLost,
  type AmqpMessage,
  type AmqpPublisherSession,
} from '../../../../world/amqp/amqp-publisher.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { sleep } from '../../../../world/time/time.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';
import { ingestBatch } from '../../../support/store/store-rows.ts';

type Verdict = 'confirmed' | 'refused' | 'lost';
const CONFIRM_MS = 40;

function message(number: number, createdMs: number): OutgoingMessage {
  return writeStateReceived({
    messageId: `01KE6000000000000000${String(number).padStart(6, '0')}`,
    vehicleId: `VEH0${number}`,
    fleetId: 'FLEET1',
    partition: 0,
    flowId: '6a0f5a8e-0000-4000-8000-000000000002',
    createdMs,
    receivedMs: createdMs,
    triggeredBy: undefined,
    properties: {},
  });
}

describe('an outbox publisher', () => {
  let loop: VirtualLoop;
  let store: SqliteStore;
  let publisher: OutboxPublisher;
  /** What the broker makes of the next messages; `confirmed` when there is nothing. */
  let verdicts: Verdict[];
  let sessionCount: number;
  let published: { readonly session: number; readonly message: AmqpMessage; readonly atMs: number }[];
  let durationsS: number[];
  beforeEach(() => {
    loop = new VirtualLoop();
    store = openSqliteStore(':memory:');
    [verdicts, sessionCount, published, durationsS] = [[], 0, [], []];
    const time = virtualTime(loop, new ProcessScope('service'));
    const silent = () => undefined;
    publisher = startOutboxPublisher({
      world: {
        time,
        random: seededRandom(1),
        log: { debug: silent, info: silent, warn: silent, error: silent },
      },
      amqp: {
        open(_options, events): Promise<AmqpPublisherSession> {
          sessionCount += 1;
          const session = sessionCount;
          const done = () => Promise.resolve();
          return Promise.resolve({
            declareExchange: done,
            declareQueue: done,
            hasQueue: () => Promise.resolve(true),
            bind: done,
            unbind: done,
            deleteQueue: done,
            async publish(message) {
              published.push({ session, message, atMs: loop.nowMs });
              const verdict = verdicts.shift() ?? 'confirmed';
              await sleep(time, CONFIRM_MS);
              if (verdict === 'lost') throw new AmqpConnectionLost('cut');
              return verdict;
            },
            close() {
              events.closed('closed');
              return Promise.resolve();
            },
          });
        },
      },
      outbox: store.outbox,
      queues: [{ name: 'Q', fleetId: 'FLEET1' }],
      counters: makeCounters((name, seconds) => {
        if (name === 'courier') durationsS.push(seconds);
      }),
    });
  });
  afterEach(async () => {
    publisher.sever();
    await store.close();
  });

  const pass = (durationMs: number) => loop.runUntil(loop.nowMs + durationMs);
  async function write(...numbers: readonly number[]): Promise<void> {
    const messages = numbers.map((number) => message(number, loop.nowMs));
    await store.ingest.commit(ingestBatch({ messages }));
    publisher.wake();
  }

  test('observes in seconds how long a message took from its creation to the confirm', async () => {
    await pass(1_000);
    await write(1, 2);
    await pass(1_000);
    expect(durationsS).toEqual([CONFIRM_MS / 1_000, CONFIRM_MS / 1_000]);
  });

  test('publishes nothing over a session that has lost a message, and gives it up if it does not end', async () => {
    await pass(1_000);
    verdicts = ['lost'];
    await write(1);
    await pass(CONFIRM_MS + 1);
    const lostMs = loop.nowMs;
    await write(2);
    await pass(limits.confirmTimeoutMs - limits.confirmCheckMs);
    expect(published.map(({ session }) => session)).toEqual([1]);
    await pass(2 * limits.confirmCheckMs + limits.lastBackoffMs);
    expect(published.slice(1).map(({ session }) => session)).toEqual([2, 2]);
    expect(new Set(published.map(({ message: sent }) => sent.messageId)).size).toBe(2);
    expect(published[1]?.atMs).toBeGreaterThanOrEqual(
      lostMs + limits.confirmTimeoutMs - limits.confirmCheckMs,
    );
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('does not give a session up for a message that was published only just now', async () => {
    await pass(2 * limits.confirmTimeoutMs);
    await write(1);
    await pass(limits.confirmTimeoutMs - CONFIRM_MS / 2);
    // It is in flight when the time of the first one is over, which was confirmed long ago.
    await write(2);
    await pass(limits.lastBackoffMs);
    expect(sessionCount).toBe(1);
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('stops as soon as what is in flight is answered', async () => {
    await pass(1_000);
    await write(1, 2);
    await pass(1);
    const fromMs = loop.nowMs;
    await loop.runWhile(publisher.stop());
    expect(loop.nowMs - fromMs).toBeLessThanOrEqual(CONFIRM_MS);
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('publishes no further message of a vehicle once it is being stopped', async () => {
    await pass(1_000);
    const messages = [1, 2, 3].map((number) => ({ ...message(number, loop.nowMs), vehicleId: 'VEH01' }));
    await store.ingest.commit(ingestBatch({ messages }));
    publisher.wake();
    await pass(1);
    await loop.runWhile(publisher.stop());
    expect(published).toHaveLength(1);
    expect((await store.outbox.size()).messages).toBe(2);
  });

  test('leaves a confirmed message in the outbox if it is severed before that is written', async () => {
    await pass(1_000);
    await write(1);
    await pass(CONFIRM_MS + limits.sentMarkDelayMs / 2);
    expect(durationsS).toHaveLength(1);
    publisher.sever();
    await pass(10 * limits.sentMarkDelayMs);
    expect((await store.outbox.size()).messages).toBe(1);
  });

  test('has a bounded number of messages under way at a time', async () => {
    await pass(1_000);
    const numbers = Array.from({ length: limits.messagesInFlight + 3 }, (_, index) => index + 1);
    await write(...numbers);
    await pass(CONFIRM_MS / 2);
    expect(published).toHaveLength(limits.messagesInFlight);
    await pass(CONFIRM_MS);
    expect(published).toHaveLength(numbers.length);
  });

  test.each(['stop', 'sever'] as const)('leaves nothing to happen behind after %s', async (how) => {
    await pass(1_000);
    verdicts = ['refused', 'confirmed', 'refused'];
    await write(1, 2, 3);
    await pass(CONFIRM_MS + 1);
    await loop.runWhile(Promise.resolve(publisher[how]()));
    await pass(CONFIRM_MS + limits.stopMs);
    expect(loop.scheduledCount).toBe(0);
    const count = published.length;
    await write(4);
    await pass(3_600_000);
    expect(published).toHaveLength(count);
  });
});
