import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/counters.ts';
import { type Courier, type CourierParts, startCourier } from '../../../../backend/events/courier.ts';
import { writeStateReceived } from '../../../../backend/events/message.ts';
import { limits } from '../../../../backend/limits.ts';
import type { OutgoingMessage } from '../../../../backend/store/outbox-store.ts';
import { openSqliteStore } from '../../../../backend/store/sqlite.ts';
import { type Store, StoreFailed } from '../../../../backend/store/store.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { batch } from '../../../contracts/store-kit.ts';

const QUEUE = 'VehicleState_v1-test';

function message(number: number, vehicle = 1, fleetId = 'FLEET1'): OutgoingMessage {
  const atMs = 1_767_592_800_999;
  return writeStateReceived({
    messageId: `01KE6000000000000000${String(number).padStart(6, '0')}`,
    vehicleId: `VEH0${vehicle}`,
    fleetId,
    flowId: '6a0f5a8e-0000-4000-8000-000000000002',
    createdMs: atMs,
    receivedMs: atMs,
    triggeredBy: undefined,
    properties: {},
  });
}

describe('the courier', () => {
  let world: VirtualWorld;
  let store: Store;
  let courier: Courier | undefined;
  let counters: ReturnType<typeof makeCounters>;
  beforeEach(() => {
    world = openVirtualWorld({ seed: 1 });
    store = openSqliteStore(':memory:');
    counters = makeCounters();
  });
  afterEach(async () => {
    courier?.sever();
    await store.close();
  });

  function start(outbox: CourierParts['outbox'] = store.outbox): Courier {
    const incarnation = world.incarnation('backend');
    const { exchange } = incarnation;
    if (exchange === undefined) throw new Error('the virtual world has an exchange');
    courier = startCourier({
      world: incarnation,
      exchange,
      outbox,
      queues: [{ name: QUEUE, fleetId: 'FLEET1' }],
      counters,
    });
    return courier;
  }
  async function write(...messages: readonly OutgoingMessage[]): Promise<void> {
    const { written } = await store.ingest.commit(batch({ messages }));
    courier?.wake(written);
  }
  const arrived = () => world.exchangeBroker.messages(QUEUE).map(({ messageId }) => messageId);
  const ids = (...numbers: readonly number[]) => numbers.map((number) => message(number).messageId);
  const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  test('brings what is in the outbox to the queue, with type, headers and routing, and takes it off', async () => {
    await write(message(1));
    start();
    await world.pass(1_000);
    expect(world.exchangeBroker.messages(QUEUE)).toMatchObject([
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
    await world.pass(1_000);
    await write(message(1));
    await world.pass(100);
    expect(arrived()).toEqual(ids(1));
  });

  test('does not read again what a commit hands over, unless others were written in between', async () => {
    let reads = 0;
    start({
      next: (query) => {
        reads += 1;
        return store.outbox.next(query);
      },
      sent: (positions) => store.outbox.sent(positions),
      drops: () => store.outbox.drops(),
    });
    await write(message(1));
    await world.pass(100);
    const before = reads;
    await write(message(2));
    await write(message(3), message(4, 2));
    await world.pass(100);
    expect(arrived()).toEqual(ids(1, 2, 4, 3));
    expect(reads).toBe(before);
    await store.ingest.commit(batch({ messages: [message(5)] }));
    await write(message(6));
    await world.pass(100);
    expect(arrived()).toEqual(ids(1, 2, 4, 3, 5, 6));
    expect(reads).toBeGreaterThan(before);
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('reads what a commit hands over later where there is no room for it, in order', async () => {
    start();
    await world.pass(1_000);
    world.exchangeBroker.setBlocked(true);
    await write(...range(limits.courierWindow - 1).map((number) => message(number, number % 9)));
    await write(message(limits.courierWindow, 1), message(limits.courierWindow + 1, 1));
    world.exchangeBroker.setBlocked(false);
    await world.until(() => counters.read()['messages.confirmed'] === limits.courierWindow + 1, 60_000);
    expect(arrived()).toHaveLength(limits.courierWindow + 1);
    expect(arrived().at(-1)).toBe(message(limits.courierWindow + 1).messageId);
  });

  test('finds what another backend has written by its slow poll', async () => {
    start();
    await world.pass(1_000);
    await store.ingest.commit(batch({ messages: [message(1)] }));
    await world.pass(limits.courierPollMs + 100);
    expect(arrived()).toEqual(ids(1));
  });

  test('brings more than its window holds, each vehicle in order, many vehicles at once', async () => {
    const count = limits.courierWindow + limits.courierReadRows + 7;
    await write(...range(count).map((number) => message(number, number % 9)));
    start();
    // Not by looking into the queue: after each event that would take most of the time.
    await world.until(() => counters.read()['messages.confirmed'] === count, 60_000);
    await world.pass(1_000);
    for (let vehicle = 0; vehicle < 9; vehicle += 1) {
      const expected = range(count).filter((number) => number % 9 === vehicle);
      const isOfVehicle = (id: string) => Number(id.slice(-6)) % 9 === vehicle;
      expect(arrived().filter(isOfVehicle)).toEqual(ids(...expected));
    }
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('has one unconfirmed message of a vehicle on its way', async () => {
    start();
    await world.pass(1_000);
    world.exchangeBroker.swallowConfirms(1);
    await write(message(1), message(2), message(3, 2));
    await world.pass(1_000);
    expect(arrived()).toEqual(ids(1, 3));
  });

  test('gives up a connection on which a confirm does not come, and repeats what is in doubt with its id', async () => {
    start();
    await world.pass(1_000);
    world.exchangeBroker.swallowConfirms(1);
    await write(message(1), message(2));
    await world.pass(limits.courierConfirmMs + 2 * limits.courierPollMs);
    expect(arrived()).toEqual(ids(1, 1, 2));
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('resumes after the broker was away, and loses nothing', async () => {
    start();
    await write(message(1));
    await world.pass(1_000);
    world.exchangeBroker.setDown(true);
    await write(message(2), message(3));
    await world.pass(5 * 60_000);
    expect(arrived()).toEqual(ids(1));
    world.exchangeBroker.setDown(false);
    await world.pass(limits.lastBackoffMs + 1_000);
    expect(arrived()).toEqual(ids(1, 2, 3));
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('a connection that breaks with messages under way repeats them, in order', async () => {
    start();
    await world.pass(1_000);
    for (let round = 0; round < 20; round += 1) {
      await write(...range(5).map((index) => message(round * 5 + index)));
      await world.pass(3);
      world.exchangeBroker.cut();
      await world.pass(7);
    }
    await world.pass(2 * limits.lastBackoffMs);
    expect(counters.read()['messages.in-doubt']).toBeGreaterThan(0);
    const firsts = [...new Set(arrived())];
    expect(firsts).toEqual(ids(...range(100)));
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('waits while the broker is blocked, without giving the connection up', async () => {
    start();
    await world.pass(1_000);
    world.exchangeBroker.setBlocked(true);
    await write(message(1), message(2));
    await world.pass(3 * limits.courierConfirmMs);
    expect(arrived()).toEqual([]);
    world.exchangeBroker.setBlocked(false);
    await world.pass(1_000);
    expect(arrived()).toEqual(ids(1, 2));
    expect(counters.read()['outlet.opened']).toBe(1);
  });

  test('offers a refused message again, and keeps the later ones of its vehicle behind it', async () => {
    start();
    await world.pass(1_000);
    world.exchangeBroker.refuseNext(1);
    await write(message(1), message(2), message(3, 2));
    await world.pass(100);
    expect(arrived()).toEqual(ids(3));
    await world.pass(limits.courierRefusedMs + 100);
    expect(arrived()).toEqual(ids(3, 1, 2));
    expect(counters.read()['messages.refused']).toBe(1);
  });

  test('counts a message that nobody has subscribed, and does not keep it', async () => {
    start();
    await write(message(1, 1, 'FLEET2'));
    await world.pass(1_000);
    expect(counters.read()['messages.unroutable']).toBe(1);
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('declares exchange, queue and binding anew at each connection', async () => {
    start();
    await world.pass(1_000);
    world.exchangeBroker.deleteQueue(QUEUE);
    world.exchangeBroker.cut();
    await world.pass(2_000);
    await write(message(1));
    await world.pass(1_000);
    expect(arrived()).toEqual(ids(1));
  });

  test('goes on once a store works again that could neither be read nor marked', async () => {
    let isBroken = true;
    const guard = <T>(work: () => Promise<T>): Promise<T> =>
      isBroken ? Promise.reject(new StoreFailed('no medium')) : work();
    start({
      next: (query) => guard(() => store.outbox.next(query)),
      sent: (positions) => guard(() => store.outbox.sent(positions)),
      drops: () => store.outbox.drops(),
    });
    await write(message(1));
    await world.pass(10_000);
    isBroken = false;
    await world.pass(10_000);
    expect(arrived()).toEqual(ids(1));
    isBroken = true;
    await write(message(2));
    await world.pass(20_000);
    isBroken = false;
    await world.pass(20_000);
    expect(arrived()).toEqual(ids(1, 2));
    expect((await store.outbox.size()).messages).toBe(0);
    expect(counters.read()['messages.in-doubt']).toBeUndefined();
  });

  test('an end on purpose lets what is on its way arrive and marks it', async () => {
    const running = start();
    await world.pass(1_000);
    await write(message(1), message(2, 2));
    await world.run(() => running.stop(), { withinMs: 10_000 });
    expect(arrived()).toEqual(ids(1, 2));
    expect((await store.outbox.size()).messages).toBe(0);
  });

  test('what a severed courier had on its way is repeated by the next one with the same id', async () => {
    const first = start();
    await world.pass(1_000);
    await write(message(1), message(2));
    await world.pass(3);
    first.sever();
    await world.pass(1_000);
    start();
    await world.pass(5_000);
    expect([...new Set(arrived())]).toEqual(ids(1, 2));
    expect((await store.outbox.size()).messages).toBe(0);
  });
});
