import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/counters.ts';
import { type Courier, startCourier } from '../../../../backend/events/courier.ts';
import { makeDropWatch } from '../../../../backend/events/drop-watch.ts';
import { writeStateReceived } from '../../../../backend/events/message.ts';
import { limits } from '../../../../backend/limits.ts';
import type { DropTotal, OutgoingMessage } from '../../../../backend/store/outbox-store.ts';
import { openSqliteStore } from '../../../../backend/store/sqlite.ts';
import type { Store } from '../../../../backend/store/store.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { batch, T } from '../../../contracts/store-kit.ts';

const QUEUE = 'VehicleState_v1-test';

function message(number: number, fleetId = 'FLEET1'): OutgoingMessage {
  return writeStateReceived({
    messageId: `01KE6000000000000000${String(number).padStart(6, '0')}`,
    vehicleId: 'VEH01',
    fleetId,
    flowId: '6a0f5a8e-0000-4000-8000-000000000002',
    createdMs: T,
    receivedMs: T,
    triggeredBy: undefined,
    properties: {},
  });
}
const ids = (...numbers: readonly number[]) => numbers.map((number) => message(number).messageId);

describe('a courier whose broker fails', () => {
  let world: VirtualWorld;
  let store: Store;
  let courier: Courier;
  let counters: ReturnType<typeof makeCounters>;
  beforeEach(() => {
    store = openSqliteStore(':memory:');
    begin();
  });
  afterEach(async () => {
    courier.sever();
    await store.close();
  });

  function begin(): void {
    world = openVirtualWorld({ seed: 1 });
    counters = makeCounters();
    const incarnation = world.incarnation('backend');
    if (incarnation.exchange === undefined) throw new Error('the virtual world has an exchange');
    courier = startCourier({
      world: incarnation,
      exchange: incarnation.exchange,
      outbox: store.outbox,
      queues: [{ name: QUEUE, fleetId: 'FLEET1' }],
      counters,
    });
  }
  async function write(...messages: readonly OutgoingMessage[]): Promise<void> {
    await store.ingest.commit(batch({ messages }));
    courier.wake();
  }
  const arrived = () => world.exchangeBroker.messages(QUEUE).map(({ messageId }) => messageId);

  test('goes on wherever the connection is lost: while it connects, declares, binds, publishes, is confirmed', async () => {
    const phases = new Set<string>();
    for (let cutMs = 0; cutMs <= 40; cutMs += 1) {
      courier.sever();
      begin();
      await write(message(1), message(2), message(3));
      await world.pass(cutMs);
      phases.add(`${courier.condition()} ${arrived().length}`);
      world.exchangeBroker.cut();
      await world.pass(5_000);
      expect([...new Set(arrived())], `cut after ${cutMs} ms`).toEqual(ids(1, 2, 3));
      expect((await store.outbox.size()).messages).toBe(0);
    }
    expect([...phases].toSorted()).toEqual(['away 0', 'open 0', 'open 1', 'open 2', 'open 3']);
  });

  test('says that it is away, blocked, or open', async () => {
    expect(courier.condition()).toBe('away');
    await world.pass(1_000);
    expect(courier.condition()).toBe('open');
    world.exchangeBroker.setBlocked(true);
    await world.pass(100);
    expect(courier.condition()).toBe('blocked');
    world.exchangeBroker.setDown(true);
    await world.pass(100);
    expect(courier.condition()).toBe('away');
  });

  test('declares a queue anew that was taken away at the broker, and brings what found none', async () => {
    await world.pass(1_000);
    world.exchangeBroker.deleteQueue(QUEUE);
    await write(message(1), message(2));
    await world.pass(10_000);
    expect(arrived()).toEqual(ids(1, 2));
    expect(counters.read()['messages.homeless']).toBe(1);
    // Of a fleet that has no queue nothing is kept, and no connection is given up for it.
    await write(message(3, 'FLEET2'));
    await world.pass(1_000);
    expect((await store.outbox.size()).messages).toBe(0);
    expect(counters.read()['outlet.opened']).toBe(2);
  });

  test('offers a message that is refused again and again less and less often', async () => {
    await world.pass(1_000);
    world.exchangeBroker.refuseNext(1_000);
    await write(message(1));
    await world.pass(10 * 60_000);
    const offers = counters.read()['messages.refused'] ?? 0;
    expect(offers).toBeGreaterThan(20);
    expect(offers).toBeLessThan(30);
    world.exchangeBroker.refuseNext(offers - 1_000);
    await world.pass(limits.lastBackoffMs + 1_000);
    expect(arrived()).toEqual(ids(1));
  });

  test('messages that were dropped are counted, and told with their fleets at most every ten minutes', async () => {
    let totals: DropTotal[] = [];
    const total = (messages: number): DropTotal => ({
      fleetId: 'FLEET1',
      reason: 'messages',
      messages,
      arrived: 0,
      lastMs: T,
    });
    const watch = makeDropWatch({
      world: world.incarnation('watch'),
      outbox: { drops: () => Promise.resolve(totals) },
      counters,
    });
    const lines = () => world.complaints.filter(({ message: said }) => said.includes('the outbox is full'));
    async function look(messages: number, laterMs: number): Promise<void> {
      totals = [total(messages)];
      await world.pass(laterMs);
      watch.look();
      await world.pass(1);
    }
    await look(5, 0);
    expect(lines()).toHaveLength(0);
    await look(7, limits.dropLookMs);
    await look(8, limits.dropLookMs);
    expect(lines()).toHaveLength(1);
    expect(lines()[0]?.fields).toMatchObject({ messages: 2, dropped: 'FLEET1 2 (messages)' });
    await look(9, limits.dropComplaintMs);
    expect(lines()[1]?.fields).toMatchObject({ messages: 2, dropped: 'FLEET1 2 (messages)' });
    expect(counters.read()['messages.dropped']).toBe(4);
    // What is not told yet is told later, though nothing more is written.
    await look(10, limits.dropLookMs);
    expect(lines()).toHaveLength(2);
    await world.pass(limits.dropComplaintMs);
    expect(lines()[2]?.fields).toMatchObject({ messages: 1 });
    watch.stop();
  });

  test('that messages were dropped is found out soon after the write that dropped them, over a failure too', async () => {
    let isFailing = false;
    let looks = 0;
    const watch = makeDropWatch({
      world: world.incarnation('watch'),
      outbox: {
        drops: () => {
          looks += 1;
          return isFailing ? Promise.reject(new Error('full')) : Promise.resolve([]);
        },
      },
      counters,
    });
    watch.look();
    await world.pass(1_000);
    isFailing = true;
    for (let write = 0; write < 100; write += 1) watch.look();
    expect(looks).toBe(1);
    await world.pass(limits.dropLookMs);
    isFailing = false;
    await world.pass(limits.dropLookMs);
    expect(looks).toBe(3);
    await world.pass(60 * limits.dropLookMs);
    expect(looks).toBe(3);
    watch.stop();
  });
});
