import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { limits } from '../../../../backend/base/limits.ts';
import { makeDropWatch } from '../../../../backend/events/drop-watch.ts';
import { writeStateReceived } from '../../../../backend/events/message.ts';
import { type OutboxPublisher, startOutboxPublisher } from '../../../../backend/events/outbox-publisher.ts';
import { declareQueues } from '../../../../backend/events/topology.ts';
import type { DropTotal, OutboxStore, OutgoingMessage } from '../../../../backend/store/port/outbox-store.ts';
import type { Store } from '../../../../backend/store/port/store.ts';
import { openSqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { ingestBatch, START_MS } from '../../../support/store/store-rows.ts';

const QUEUE = 'VehicleState_v1-test';

function message(number: number, fleetId = 'FLEET1', vehicleId = 'VEH01'): OutgoingMessage {
  return writeStateReceived({
    messageId: `01KE6000000000000000${String(number).padStart(6, '0')}`,
    vehicleId,
    fleetId,
    partition: 0,
    flowId: '6a0f5a8e-0000-4000-8000-000000000002',
    createdMs: START_MS,
    receivedMs: START_MS,
    triggeredBy: undefined,
    properties: {},
  });
}
const ids = (...numbers: readonly number[]) => numbers.map((number) => message(number).messageId);

describe('an outbox publisher whose broker fails', () => {
  let world: VirtualWorld;
  let store: Store;
  let outboxPublisher: OutboxPublisher;
  let counters: ReturnType<typeof makeCounters>;
  beforeEach(() => {
    store = openSqliteStore(':memory:');
    begin();
  });
  afterEach(async () => {
    outboxPublisher.sever();
    await store.close();
  });

  function begin(): void {
    world = openVirtualWorld({ seed: 1 });
    counters = makeCounters();
    const instance = world.instance('backend');
    if (instance.amqp === undefined) throw new Error('the virtual world has an exchange');
    outboxPublisher = startOutboxPublisher({
      world: instance,
      amqp: instance.amqp,
      outbox: store.outbox,
      queues: [{ name: QUEUE, fleetId: 'FLEET1' }],
      counters,
    });
  }
  async function write(...messages: readonly OutgoingMessage[]): Promise<void> {
    await store.ingest.commit(ingestBatch({ messages }));
    outboxPublisher.wake();
  }
  const arrived = () => world.amqpBroker.messages(QUEUE).map(({ messageId }) => messageId);

  test('continues wherever the connection is lost: during connect, declare, bind, publish or confirm', async () => {
    const phases = new Set<string>();
    for (let cutMs = 0; cutMs <= 40; cutMs += 1) {
      outboxPublisher.sever();
      begin();
      await write(message(1), message(2), message(3));
      await world.runFor(cutMs);
      phases.add(`${outboxPublisher.condition()} ${arrived().length}`);
      world.amqpBroker.cut();
      await world.runFor(5_000);
      expect([...new Set(arrived())], `cut after ${cutMs} ms`).toEqual(ids(1, 2, 3));
      expect((await store.outbox.size()).messages).toBe(0);
    }
    expect([...phases].toSorted()).toEqual(['away 0', 'open 0', 'open 1', 'open 2', 'open 3']);
  });

  test('reports whether the connection is lost, blocked or open', async () => {
    expect(outboxPublisher.condition()).toBe('away');
    await world.runFor(1_000);
    expect(outboxPublisher.condition()).toBe('open');
    world.amqpBroker.setBlocked(true);
    await world.runFor(100);
    expect(outboxPublisher.condition()).toBe('blocked');
    world.amqpBroker.setDown(true);
    await world.runFor(100);
    expect(outboxPublisher.condition()).toBe('away');
  });

  test('declares a queue again that was deleted at the broker, and publishes unroutable messages again', async () => {
    await world.runFor(1_000);
    world.amqpBroker.deleteQueue(QUEUE);
    await write(message(1), message(2));
    await world.runFor(10_000);
    expect(arrived()).toEqual(ids(1, 2));
    expect(counters.read()['messages.homeless']).toBe(1);
    // Of a fleet that has no queue nothing is kept, and no connection is given up for it.
    await write(message(3, 'FLEET2'));
    await world.runFor(1_000);
    expect((await store.outbox.size()).messages).toBe(0);
    expect(counters.read()['outlet.opened']).toBe(2);
  });

  test('keeps its connection where a subscription begins while a message of its fleet is under way', async () => {
    const queue = { name: 'VehicleState_v1-new', fleetId: 'FLEET2' };
    const ends = new Set<string>();
    for (let sentMs = 0; sentMs <= 40; sentMs += 1) {
      outboxPublisher.sever();
      begin();
      await world.runFor(1_000);
      const session = outboxPublisher.amqpConnection.session();
      if (session === undefined) throw new Error('it is connected by then');
      // The confirm of what came before the binding comes after it.
      world.amqpBroker.delayConfirms(1, 30);
      void declareQueues(session, [queue], undefined).then(() =>
        outboxPublisher.amqpConnection.added([queue]),
      );
      await world.runFor(sentMs);
      await write(message(1, 'FLEET2', 'VEH02'));
      await world.runFor(10_000);
      ends.add(`${world.amqpBroker.messages(queue.name).length} arrived`);
      expect(counters.read(), `sent after ${sentMs} ms`).toMatchObject({ 'outlet.opened': 1 });
      expect(counters.read()['messages.homeless']).toBeUndefined();
      expect((await store.outbox.size()).messages).toBe(0);
    }
    expect(ends).toEqual(new Set(['1 arrived']));
  });

  test('keeps what is for a queue whose node is down until it is back, over the same connection, and publishes the rest', async () => {
    await world.runFor(1_000);
    world.amqpBroker.setUnreachable(QUEUE, true);
    await write(message(1), message(2));
    await world.runFor(60_000);
    await write(message(3, 'FLEET2', 'VEH02'));
    await world.runFor(60_000);
    expect(arrived()).toEqual([]);
    expect((await store.outbox.size()).messages).toBe(2);
    // The first loss is taken for a queue that was deleted.
    expect(counters.read()['outlet.opened']).toBe(2);
    world.amqpBroker.setUnreachable(QUEUE, false);
    await world.runFor(limits.lastBackoffMs + 1_000);
    expect(arrived()).toEqual(ids(1, 2));
    expect(counters.read()['outlet.opened']).toBe(2);
  });

  test('declares a queue again that its node has lost while it was down', async () => {
    await world.runFor(1_000);
    world.amqpBroker.setUnreachable(QUEUE, true);
    await write(message(1));
    await world.runFor(5_000);
    world.amqpBroker.setUnreachable(QUEUE, false);
    world.amqpBroker.deleteQueue(QUEUE);
    await world.runFor(limits.unreachableQueueLookMs + limits.lastBackoffMs);
    expect(arrived()).toEqual(ids(1));
  });

  test('retries a message that is refused repeatedly less and less often', async () => {
    await world.runFor(1_000);
    world.amqpBroker.refuseNext(1_000);
    await write(message(1));
    await world.runFor(10 * 60_000);
    const offers = counters.read()['messages.refused'] ?? 0;
    expect(offers).toBeGreaterThan(20);
    expect(offers).toBeLessThan(30);
    world.amqpBroker.refuseNext(offers - 1_000);
    await world.runFor(limits.lastBackoffMs + 1_000);
    expect(arrived()).toEqual(ids(1));
  });

  test('goes to another connection where one goes on refusing messages, less and less often while that does not help', async () => {
    const opened = () => counters.read()['outlet.opened'] ?? 0;
    await world.runFor(60_000);
    world.amqpBroker.refuseNext(1);
    await write(message(1));
    await world.runFor(5_000);
    expect([arrived(), opened()]).toEqual([ids(1), 1]);
    world.amqpBroker.setRefusing(true);
    await write(message(2), message(3, 'FLEET1', 'VEH02'));
    await world.runFor(5_000);
    expect(opened()).toBe(2);
    expect(world.warnings.map(({ fields }) => fields['reason'])).toContain(
      'the message broker goes on refusing messages',
    );
    await world.runFor(60 * 60_000);
    expect(opened()).toBeGreaterThan(8);
    expect(opened()).toBeLessThan(16);
    world.amqpBroker.setRefusing(false);
    await world.runFor(limits.lastBackoffMs + 1_000);
    expect(arrived()).toEqual(ids(1, 2, 3));
    // What helped once may help soon again: the wait begins with the short one.
    const before = opened();
    world.amqpBroker.setRefusing(true);
    await write(message(4));
    await world.runFor(60_000);
    expect(opened() - before).toBeGreaterThan(2);
  });

  test('dropped messages are counted, and logged with their fleets at most every ten minutes', async () => {
    let totals: DropTotal[] = [];
    const total = (messages: number): DropTotal => ({
      fleetId: 'FLEET1',
      reason: 'messages',
      messages,
      arrived: 0,
      lastMs: START_MS,
    });
    const watch = makeDropWatch({
      world: world.instance('watch'),
      outbox: { drops: () => Promise.resolve(totals) },
      counters,
    });
    const lines = () => world.warnings.filter(({ message: said }) => said.includes('the outbox is full'));
    async function look(messages: number, laterMs: number): Promise<void> {
      totals = [total(messages)];
      await world.runFor(laterMs);
      watch.check();
      await world.runFor(1);
    }
    await look(5, 0);
    expect(lines()).toHaveLength(0);
    await look(7, limits.dropCheckMs);
    await look(8, limits.dropCheckMs);
    expect(lines()).toHaveLength(1);
    expect(lines()[0]?.fields).toMatchObject({ messages: 2, dropped: 'FLEET1 2 (messages)' });
    await look(9, limits.dropLogMs);
    expect(lines()[1]?.fields).toMatchObject({ messages: 2, dropped: 'FLEET1 2 (messages)' });
    expect(counters.read()['messages.dropped']).toBe(4);
    // What is not told yet is told later, though nothing more is written.
    await look(10, limits.dropCheckMs);
    expect(lines()).toHaveLength(2);
    await world.runFor(limits.dropLogMs);
    expect(lines()[2]?.fields).toMatchObject({ messages: 1 });
    watch.stop();
  });

  test('dropped messages of many fleets are told with all of their number, and a bounded number of fleets', async () => {
    let isFull = false;
    const total = (_: unknown, fleet: number): DropTotal => ({
      fleetId: `FLEET${fleet}`,
      reason: 'messages',
      messages: 1,
      arrived: 0,
      lastMs: START_MS,
    });
    const count = limits.dropLogRows + 5;
    const watch = makeDropWatch({
      world: world.instance('watch'),
      outbox: { drops: () => Promise.resolve(isFull ? Array.from({ length: count }, total) : []) },
      counters,
    });
    watch.check();
    await world.runFor(limits.dropCheckMs);
    isFull = true;
    watch.check();
    await world.runFor(1);
    const told = world.warnings.find(({ message: said }) => said.includes('the outbox is full'))?.fields;
    expect(told?.['messages']).toBe(count);
    expect(String(told?.['dropped']).split(', ')).toHaveLength(limits.dropLogRows);
    watch.stop();
  });

  /** A watch whose store answers so, and how often it was asked. */
  function countedWatch(answer: () => ReturnType<OutboxStore['drops']>) {
    let looks = 0;
    const drops = () => {
      looks += 1;
      return answer();
    };
    const watch = makeDropWatch({ world: world.instance('watch'), outbox: { drops }, counters });
    return { watch, looks: () => looks };
  }

  test('dropped messages are detected soon after the write that dropped them, even after a failure', async () => {
    let isFailing = false;
    const { watch, looks } = countedWatch(() =>
      isFailing ? Promise.reject(new Error('full')) : Promise.resolve([]),
    );
    watch.check();
    await world.runFor(1_000);
    isFailing = true;
    for (let write = 0; write < 100; write += 1) watch.check();
    expect(looks()).toBe(1);
    await world.runFor(limits.dropCheckMs);
    isFailing = false;
    await world.runFor(limits.dropCheckMs);
    expect(looks()).toBe(3);
    await world.runFor(60 * limits.dropCheckMs);
    expect(looks()).toBe(3);
    watch.stop();
  });

  test('dropped messages are not looked for any more after a stop, even if a look fails after it', async () => {
    const { watch, looks } = countedWatch(() => Promise.reject(new Error('closed')));
    watch.check();
    watch.stop();
    await world.runFor(2 * limits.dropCheckMs);
    watch.check();
    await world.runFor(2 * limits.dropCheckMs);
    expect(looks()).toBe(1);
  });
});
