import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { limits } from '../../../../backend/base/limits.ts';
import { writeStateReceived } from '../../../../backend/events/message.ts';
import { type OutboxPublisher, startOutboxPublisher } from '../../../../backend/events/outbox-publisher.ts';
import type { Store } from '../../../../backend/store/port/store.ts';
import { openSqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { ingestBatch, START_MS } from '../../../support/store/store-rows.ts';

const QUEUE = 'VehicleState_v1-test';

/** The id of the message with that letter, and the letter of an id. */
const idOf = (letter: string) => `01KE600000000000000000000${letter}`;
const letterOf = (id: string) => id.at(-1) ?? '';

const message = (letter: string, partition: number) =>
  writeStateReceived({
    messageId: idOf(letter),
    partition,
    vehicleId: `VEH0${partition}`,
    fleetId: 'FLEET1',
    flowId: '6a0f5a8e-0000-4000-8000-000000000002',
    createdMs: START_MS,
    receivedMs: START_MS,
    triggeredBy: undefined,
    properties: {},
  });

/** Two publishers on one store and one exchange, each with partitions of its own. */
describe('publishers that share the partitions', () => {
  let world: VirtualWorld;
  let store: Store;
  let publishers: OutboxPublisher[];
  beforeEach(() => {
    world = openVirtualWorld({ seed: 1 });
    store = openSqliteStore(':memory:');
    publishers = [];
  });
  afterEach(async () => {
    for (const publisher of publishers) publisher.sever();
    await store.close();
  });

  function start(): OutboxPublisher {
    const instance = world.instance('backend');
    const { amqp } = instance;
    if (amqp === undefined) throw new Error('the virtual world has an exchange');
    const publisher = startOutboxPublisher({
      world: instance,
      amqp,
      outbox: store.outbox,
      counters: makeCounters(),
      queues: [{ name: QUEUE, fleetId: 'FLEET1' }],
      partitions: [],
    });
    publishers.push(publisher);
    return publisher;
  }
  /** A message of a vehicle in that partition. */
  async function write(partition: number, ...ids: readonly string[]): Promise<void> {
    const messages = ids.map((id) => message(id, partition));
    const { written } = await store.ingest.commit(ingestBatch({ messages }));
    for (const publisher of publishers) publisher.wake(written);
  }
  const arrived = () => world.amqpBroker.messages(QUEUE).map(({ messageId }) => letterOf(messageId));

  test('each publishes what is in its own partitions, and nothing of others', async () => {
    const [one, other] = [start(), start()];
    await write(1, 'A');
    await write(2, 'B');
    await world.runFor(1_000);
    expect(arrived()).toEqual([]);
    one.gained([1]);
    await world.runFor(1_000);
    expect(arrived()).toEqual(['A']);
    other.gained([2, 3]);
    await write(3, 'C');
    await world.runFor(1_000);
    expect([...arrived()].sort()).toEqual(['A', 'B', 'C']);
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('what waits in a partition that is passed on is published by its next holder, in order', async () => {
    const [one, other] = [start(), start()];
    one.gained([1]);
    await world.runFor(1_000);
    world.amqpBroker.setBlocked(true);
    await write(1, 'A', 'B', 'C');
    await world.runFor(100);
    const drained = one.drain([1]);
    world.amqpBroker.setBlocked(false);
    await world.run(() => drained);
    const before = arrived();
    other.gained([1]);
    await write(1, 'D');
    await world.runFor(1_000);
    expect(arrived()).toEqual(['A', 'B', 'C', 'D']);
    expect(before).toEqual(['A']);
  });

  test('a drain ends when what is under way is answered and marked, and no later message follows it', async () => {
    const one = start();
    one.gained([1, 2]);
    await world.runFor(1_000);
    world.amqpBroker.delayConfirms(2, 5_000);
    await write(1, 'A', 'B');
    await write(2, 'C');
    await world.runFor(100);
    let isDrained = false;
    void one.drain([1]).then(() => {
      isDrained = true;
    });
    await world.runFor(1_000);
    expect(isDrained).toBe(false);
    await world.runFor(5_000);
    expect(isDrained).toBe(true);
    expect([...arrived()].sort()).toEqual(['A', 'C']);
    expect(
      (await store.outbox.next({ afterPosition: 0, limit: 10 })).map(({ messageId }) => letterOf(messageId)),
    ).toEqual(['B']);
    await write(1, 'D');
    await world.runFor(2 * limits.outboxPollMs);
    expect([...arrived()].sort()).toEqual(['A', 'C']);
  });

  test('a drain ends at once where nothing of it is under way, whatever else is', async () => {
    const one = start();
    one.gained([1, 2]);
    await world.runFor(1_000);
    world.amqpBroker.delayConfirms(1, 5_000);
    await write(2, 'A');
    await world.runFor(100);
    await world.run(() => one.drain([1]), { withinMs: 1_000 });
    expect(arrived()).toEqual(['A']);
  });

  test('a partition that is lost and gained again is read from its first message', async () => {
    const one = start();
    one.gained([1]);
    await world.runFor(1_000);
    world.amqpBroker.setBlocked(true);
    await write(1, 'A', 'B');
    await world.runFor(100);
    one.lost([1]);
    world.amqpBroker.setBlocked(false);
    await world.runFor(1_000);
    one.gained([1]);
    await world.runFor(1_000);
    expect([...new Set(arrived())]).toEqual(['A', 'B']);
    expect((await store.outbox.size()).messages).toBe(0);
  });
});
