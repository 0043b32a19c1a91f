import { array, assert, asyncProperty, constant, integer, oneof, record } from 'fast-check';
import { expect, test } from 'vitest';
import { makeCounters } from '../../backend/counters.ts';
import { type Courier, startCourier } from '../../backend/events/courier.ts';
import { writeStateReceived } from '../../backend/events/message.ts';
import type { OutgoingMessage } from '../../backend/store/outbox-store.ts';
import { openSqliteStore, type SqliteStore } from '../../backend/store/sqlite.ts';
import type { StoredMessage } from '../../world/virtual-exchange-broker.ts';
import { openVirtualWorld, type VirtualWorld } from '../../world/virtual-world.ts';
import { batch, T } from '../contracts/store-kit.ts';

const QUEUE = 'VehicleState_v1-test';
const VEHICLES = 4;

const kind = <K extends string>(name: K) => constant(name);
const few = integer({ min: 1, max: 3 });
/** What may happen to a courier, in any order, and how much time passes behind it. */
const deed = record({
  what: oneof(
    { weight: 6, arbitrary: record({ kind: kind('commit'), count: integer({ min: 1, max: 4 }) }) },
    { weight: 1, arbitrary: record({ kind: kind('cut') }) },
    { weight: 1, arbitrary: record({ kind: kind('down') }) },
    { weight: 2, arbitrary: record({ kind: kind('up') }) },
    { weight: 1, arbitrary: record({ kind: kind('block') }) },
    { weight: 2, arbitrary: record({ kind: kind('unblock') }) },
    { weight: 1, arbitrary: record({ kind: kind('refuse'), count: few }) },
    { weight: 1, arbitrary: record({ kind: kind('swallow'), count: few }) },
    { weight: 1, arbitrary: record({ kind: kind('queue gone') }) },
    { weight: 1, arbitrary: record({ kind: kind('stop and start') }) },
    { weight: 1, arbitrary: record({ kind: kind('crash') }) },
    { weight: 1, arbitrary: record({ kind: kind('power cut') }) },
  ),
  // Most of it within the milliseconds of a connect, a declaration or a confirm.
  thenMs: oneof(
    integer({ min: 0, max: 12 }),
    integer({ min: 0, max: 400 }),
    integer({ min: 0, max: 40_000 }),
  ),
});
type Deed = NonNullable<ReturnType<typeof deed.generate>['value']>;

/** A store, a courier that is replaced whenever it dies, and a consumer who writes down all that comes. */
class Stage {
  readonly world: VirtualWorld = openVirtualWorld({ seed: 1 });
  readonly written: OutgoingMessage[] = [];
  readonly #received: StoredMessage[] = [];
  #store: SqliteStore;
  #courier: Courier;

  constructor(empty: Uint8Array) {
    this.#store = openSqliteStore(empty);
    this.#courier = this.#start();
  }

  #start(): Courier {
    const incarnation = this.world.incarnation('backend');
    const { exchange } = incarnation;
    if (exchange === undefined) throw new Error('the virtual world has an exchange');
    return startCourier({
      world: incarnation,
      exchange,
      outbox: this.#store.outbox,
      queues: [{ name: QUEUE, fleetId: 'FLEET1' }],
      counters: makeCounters(),
    });
  }

  async #commit(count: number): Promise<void> {
    const messages = Array.from({ length: count }, () => {
      const index = this.written.length;
      const one = writeStateReceived({
        messageId: `01KE6000000000000000${String(index).padStart(6, '0')}`,
        vehicleId: `VEH0${index % VEHICLES}`,
        fleetId: 'FLEET1',
        flowId: '6a0f5a8e-0000-4000-8000-000000000002',
        createdMs: T,
        receivedMs: T,
        triggeredBy: undefined,
        properties: {},
      });
      this.written.push(one);
      return one;
    });
    await this.#store.ingest.commit(batch({ messages }));
    this.#courier.wake();
  }

  async perform({ what, thenMs }: Deed): Promise<void> {
    const broker = this.world.exchangeBroker;
    switch (what.kind) {
      case 'commit':
        await this.#commit(what.count);
        break;
      case 'cut':
        broker.cut();
        break;
      case 'down':
      case 'up':
        broker.setDown(what.kind === 'down');
        break;
      case 'block':
      case 'unblock':
        broker.setBlocked(what.kind === 'block');
        break;
      case 'refuse':
        broker.refuseNext(what.count);
        break;
      case 'swallow':
        broker.swallowConfirms(what.count);
        break;
      case 'queue gone':
        // What lay in it was consumed before.
        this.received();
        broker.deleteQueue(QUEUE);
        break;
      case 'stop and start': {
        const before = this.#courier;
        await this.world.run(() => before.stop(), { withinMs: 60_000 });
        this.#courier = this.#start();
        break;
      }
      case 'power cut': {
        this.#courier.sever();
        const left = this.#store.serialize();
        await this.#store.close();
        this.#store = openSqliteStore(left);
        this.#courier = this.#start();
        break;
      }
      case 'crash':
        this.#courier.sever();
        this.#courier = this.#start();
        break;
      default:
        what satisfies never;
    }
    await this.world.pass(thenMs);
  }

  /** All that ever came, in its order. */
  received(): readonly StoredMessage[] {
    this.#received.push(...this.world.exchangeBroker.drain(QUEUE));
    return this.#received;
  }

  /** The broker is well again; resolves with what is left in the outbox after the courier had all the time it needs. */
  async heal(): Promise<number> {
    this.world.exchangeBroker.setDown(false);
    this.world.exchangeBroker.setBlocked(false);
    for (let minute = 0; minute < 30; minute += 1) {
      if ((await this.#store.outbox.size()).messages === 0) return 0;
      await this.world.pass(60_000);
    }
    return (await this.#store.outbox.size()).messages;
  }

  async close(): Promise<void> {
    this.#courier.sever();
    await this.#store.close();
  }
}

test('whatever happens to broker, connection and backend, no message is lost, changed, or before an earlier one of its vehicle', async () => {
  const first = openSqliteStore(':memory:');
  const empty = first.serialize();
  await first.close();
  await assert(
    asyncProperty(array(deed, { minLength: 3, maxLength: 16 }), async (deeds) => {
      const stage = new Stage(empty);
      try {
        for (const one of deeds) await stage.perform(one);
        expect(await stage.heal()).toBe(0);
        const received = stage.received();
        const places = new Map(stage.written.map((one, index) => [one.messageId, index]));
        expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(stage.written.length);
        const highest = new Map<number, number>();
        for (const { messageId, body } of received) {
          const place = places.get(messageId) ?? -1;
          expect(Buffer.from(body).toString()).toBe(stage.written[place]?.body);
          // A repeat goes back, but nothing goes ahead of what has not come yet.
          const vehicle = place % VEHICLES;
          const before = highest.get(vehicle) ?? vehicle - VEHICLES;
          expect(place).toBeLessThanOrEqual(before + VEHICLES);
          highest.set(vehicle, Math.max(before, place));
        }
      } finally {
        await stage.close();
      }
    }),
    { numRuns: 40 },
  );
});
