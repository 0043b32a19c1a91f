import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { limits } from '../../../../backend/base/limits.ts';
import { writeStateReceived } from '../../../../backend/events/message.ts';
import {
  type OutboxPublisher,
  type OutboxPublisherParts,
  startOutboxPublisher,
} from '../../../../backend/events/outbox-publisher.ts';
import type { OutgoingMessage } from '../../../../backend/store/port/outbox-store.ts';
import { type Store, StoreFailed } from '../../../../backend/store/port/store.ts';
import { openSqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { ingestBatch } from '../../../support/store/store-rows.ts';

const QUEUE = 'VehicleState_v1-test';

function message(number: number, vehicle = 1, fleetId = 'FLEET1'): OutgoingMessage {
  const atMs = 1_767_592_800_999;
  return writeStateReceived({
    messageId: `01KE6000000000000000${String(number).padStart(6, '0')}`,
    vehicleId: `VEH0${vehicle}`,
    fleetId,
    partition: 0,
    flowId: '6a0f5a8e-0000-4000-8000-000000000002',
    createdMs: atMs,
    receivedMs: atMs,
    triggeredBy: undefined,
    properties: {},
  });
}

describe('the outbox publisher', () => {
  let world: VirtualWorld;
  let store: Store;
  let outboxPublisher: OutboxPublisher | undefined;
  let counters: ReturnType<typeof makeCounters>;
  beforeEach(() => {
    world = openVirtualWorld({ seed: 1 });
    store = openSqliteStore(':memory:');
    counters = makeCounters();
  });
  afterEach(async () => {
    outboxPublisher?.sever();
    await store.close();
  });

  function start(outbox: OutboxPublisherParts['outbox'] = store.outbox): OutboxPublisher {
    const instance = world.instance('backend');
    const { amqp } = instance;
    if (amqp === undefined) throw new Error('the virtual world has an exchange');
    outboxPublisher = startOutboxPublisher({
      world: instance,
      amqp,
      outbox,
      queues: [{ name: QUEUE, fleetId: 'FLEET1' }],
      counters,
    });
    return outboxPublisher;
  }
  async function write(...messages: readonly OutgoingMessage[]): Promise<void> {
    const { written } = await store.ingest.commit(ingestBatch({ messages }));
    outboxPublisher?.wake(written);
  }
  const arrived = () => world.amqpBroker.messages(QUEUE).map(({ messageId }) => messageId);
  const ids = (...numbers: readonly number[]) => numbers.map((number) => message(number).messageId);
  const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  test('publishes the messages of the outbox to the queue, with type, headers and routing, and removes them', async () => {
    await write(message(1));
    start();
    await world.runFor(1_000);
    expect(world.amqpBroker.messages(QUEUE)).toMatchObject([
      {
        exchange: 'service.events',
        routingKey: 'FLEET1.VehicleStateReceived',
        messageId: message(1).messageId,
        type: 'service.VehicleStateReceived',
        timestampS: 1_767_592_800,
        contentType: 'application/json',
        headers: {
          'Flow-ID': '6a0f5a8e-0000-4000-8000-000000000002',
          'Message-Type': 'service.VehicleStateReceived',
          'Message-Version': '2.0.0',
        },
      },
    ]);
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('is woken by a commit and does not wait for its slow poll', async () => {
    start();
    await world.runFor(1_000);
    await write(message(1));
    await world.runFor(100);
    expect(arrived()).toEqual(ids(1));
  });

  test('does not read messages again that a commit passes on, unless others were written in between', async () => {
    let reads = 0;
    start({
      ...store.outbox,
      next: (query) => {
        reads += 1;
        return store.outbox.next(query);
      },
    });
    await write(message(1));
    await world.runFor(100);
    const before = reads;
    await write(message(2));
    await write(message(3), message(4, 2));
    await world.runFor(100);
    expect(arrived()).toEqual(ids(1, 2, 4, 3));
    expect(reads).toBe(before);
    await store.ingest.commit(ingestBatch({ messages: [message(5)] }));
    await write(message(6));
    await world.runFor(100);
    expect(arrived()).toEqual(ids(1, 2, 4, 3, 5, 6));
    expect(reads).toBeGreaterThan(before);
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('reads messages of a commit later if its buffer is full, in order', async () => {
    start();
    await world.runFor(1_000);
    world.amqpBroker.setBlocked(true);
    await write(...range(limits.outboxReadAhead - 1).map((number) => message(number, number % 9)));
    await write(message(limits.outboxReadAhead, 1), message(limits.outboxReadAhead + 1, 1));
    world.amqpBroker.setBlocked(false);
    await world.runUntil(() => counters.read()['messages.confirmed'] === limits.outboxReadAhead + 1, 60_000);
    expect(arrived()).toHaveLength(limits.outboxReadAhead + 1);
    expect(arrived().at(-1)).toBe(message(limits.outboxReadAhead + 1).messageId);
  });

  test('finds messages written by another backend with its slow poll', async () => {
    start();
    await world.runFor(1_000);
    await store.ingest.commit(ingestBatch({ messages: [message(1)] }));
    await world.runFor(limits.outboxPollMs + 100);
    expect(arrived()).toEqual(ids(1));
  });

  test('publishes more than its window, each vehicle in order, many vehicles at once', async () => {
    const count = limits.outboxReadAhead + limits.outboxReadRows + 7;
    await write(...range(count).map((number) => message(number, number % 9)));
    start();
    // Not by looking into the queue: after each event that would take most of the time.
    await world.runUntil(() => counters.read()['messages.confirmed'] === count, 60_000);
    await world.runFor(1_000);
    for (let vehicle = 0; vehicle < 9; vehicle += 1) {
      const expected = range(count).filter((number) => number % 9 === vehicle);
      const isOfVehicle = (id: string) => Number(id.slice(-6)) % 9 === vehicle;
      expect(arrived().filter(isOfVehicle)).toEqual(ids(...expected));
    }
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('has at most one unconfirmed message per vehicle', async () => {
    start();
    await world.runFor(1_000);
    world.amqpBroker.swallowConfirms(1);
    await write(message(1), message(2), message(3, 2));
    await world.runFor(1_000);
    expect(arrived()).toEqual(ids(1, 3));
  });

  test('closes a connection without a confirm, and repeats messages in doubt with the same id', async () => {
    start();
    await world.runFor(1_000);
    world.amqpBroker.swallowConfirms(1);
    await write(message(1), message(2));
    await world.runFor(limits.confirmTimeoutMs + 2 * limits.outboxPollMs);
    expect(arrived()).toEqual(ids(1, 1, 2));
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('resumes after the broker was down, and loses nothing', async () => {
    start();
    await write(message(1));
    await world.runFor(1_000);
    world.amqpBroker.setDown(true);
    await write(message(2), message(3));
    await world.runFor(5 * 60_000);
    expect(arrived()).toEqual(ids(1));
    world.amqpBroker.setDown(false);
    await world.runFor(limits.lastBackoffMs + 1_000);
    expect(arrived()).toEqual(ids(1, 2, 3));
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('repeats messages in flight when the connection is lost, in order', async () => {
    start();
    await world.runFor(1_000);
    for (let round = 0; round < 20; round += 1) {
      await write(...range(5).map((index) => message(round * 5 + index)));
      await world.runFor(3);
      world.amqpBroker.cut();
      await world.runFor(7);
    }
    await world.runFor(2 * limits.lastBackoffMs);
    expect(counters.read()['messages.in-doubt']).toBeGreaterThan(0);
    const firsts = [...new Set(arrived())];
    expect(firsts).toEqual(ids(...range(100)));
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('waits while the broker is blocked, without closing the connection', async () => {
    start();
    await world.runFor(1_000);
    world.amqpBroker.setBlocked(true);
    await write(message(1), message(2));
    await world.runFor(3 * limits.confirmTimeoutMs);
    expect(arrived()).toEqual([]);
    world.amqpBroker.setBlocked(false);
    await world.runFor(1_000);
    expect(arrived()).toEqual(ids(1, 2));
    expect(counters.read()['outlet.opened']).toBe(1);
  });

  test('retries a refused message, before the later ones of its vehicle', async () => {
    start();
    await world.runFor(1_000);
    world.amqpBroker.refuseNext(1);
    await write(message(1), message(2), message(3, 2));
    await world.runFor(100);
    expect(arrived()).toEqual(ids(3));
    await world.runFor(limits.firstRefusedBackoffMs + 100);
    expect(arrived()).toEqual(ids(3, 1, 2));
    expect(counters.read()['messages.refused']).toBe(1);
  });

  test('counts a message without a subscriber, and does not keep it', async () => {
    start();
    await write(message(1, 1, 'FLEET2'));
    await world.runFor(1_000);
    expect(counters.read()['messages.unroutable']).toBe(1);
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('declares exchange, queue and binding again at each connection', async () => {
    start();
    await world.runFor(1_000);
    world.amqpBroker.deleteQueue(QUEUE);
    world.amqpBroker.cut();
    await world.runFor(2_000);
    await write(message(1));
    await world.runFor(1_000);
    expect(arrived()).toEqual(ids(1));
  });

  test('continues once the store can be read and written again', async () => {
    let isBroken = true;
    const guard = <T>(work: () => Promise<T>): Promise<T> =>
      isBroken ? Promise.reject(new StoreFailed('no medium')) : work();
    start({
      ...store.outbox,
      next: (query) => guard(() => store.outbox.next(query)),
      sent: (positions) => guard(() => store.outbox.sent(positions)),
    });
    await write(message(1));
    await world.runFor(10_000);
    isBroken = false;
    await world.runFor(10_000);
    expect(arrived()).toEqual(ids(1));
    isBroken = true;
    await write(message(2));
    await world.runFor(20_000);
    isBroken = false;
    await world.runFor(20_000);
    expect(arrived()).toEqual(ids(1, 2));
    expect((await store.outbox.size()).messages).toBe(0);
    expect(counters.read()['messages.in-doubt']).toBeUndefined();
  });

  test('waits for messages in flight when it is stopped, and marks them as sent', async () => {
    const running = start();
    await world.runFor(1_000);
    await write(message(1), message(2, 2));
    await world.run(() => running.stop(), { withinMs: 10_000 });
    expect(arrived()).toEqual(ids(1, 2));
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('repeats messages in flight of a severed publisher with the same id', async () => {
    const first = start();
    await world.runFor(1_000);
    await write(message(1), message(2));
    await world.runFor(3);
    first.sever();
    await world.runFor(1_000);
    start();
    await world.runFor(5_000);
    expect([...new Set(arrived())]).toEqual(ids(1, 2));
    expect((await store.outbox.size()).messages).toBe(0);
  });
});
