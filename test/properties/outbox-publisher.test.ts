import { array, assert, asyncProperty, constant, integer, oneof, record } from 'fast-check';
import { expect, test } from 'vitest';
import { makeCounters } from '../../backend/base/counters.ts';
import { writeStateReceived } from '../../backend/events/message.ts';
import { type OutboxPublisher, startOutboxPublisher } from '../../backend/events/outbox-publisher.ts';
import type { OutgoingMessage } from '../../backend/store/port/outbox-store.ts';
import { openSqliteStore, type SqliteStore } from '../../backend/store/sqlite/store.ts';
import type { StoredAmqpMessage } from '../../world/amqp/virtual-amqp-broker.ts';
import { openVirtualWorld, type VirtualWorld } from '../../world/virtual-world.ts';
import { ingestBatch, START_MS } from '../support/store/store-rows.ts';

const QUEUE = 'VehicleState_v1-test';
const VEHICLES = 4;

const kind = <K extends string>(name: K) => constant(name);
const few = integer({ min: 1, max: 3 });
/** What may happen around an outbox publisher, in any order, and how much time passes afterwards. */
const disturbance = record({
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
  // Mostly within the milliseconds of a connect, a declaration or a confirm.
  thenMs: oneof(
    integer({ min: 0, max: 12 }),
    integer({ min: 0, max: 400 }),
    integer({ min: 0, max: 40_000 }),
  ),
});
type Disturbance = NonNullable<ReturnType<typeof disturbance.generate>['value']>;

/** A store, an outbox publisher that is restarted after each crash, and a consumer that keeps every message. */
class Stage {
  readonly world: VirtualWorld = openVirtualWorld({ seed: 1 });
  readonly written: OutgoingMessage[] = [];
  readonly #received: StoredAmqpMessage[] = [];
  #store: SqliteStore;
  #publisher: OutboxPublisher;

  constructor(empty: Uint8Array) {
    this.#store = openSqliteStore(empty);
    this.#publisher = this.#start();
  }

  #start(): OutboxPublisher {
    const instance = this.world.instance('backend');
    const { amqp } = instance;
    if (amqp === undefined) throw new Error('the virtual world has an AMQP broker');
    return startOutboxPublisher({
      world: instance,
      amqp,
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
        partition: 0,
        flowId: '6a0f5a8e-0000-4000-8000-000000000002',
        createdMs: START_MS,
        receivedMs: START_MS,
        triggeredBy: undefined,
        properties: {},
      });
      this.written.push(one);
      return one;
    });
    await this.#store.ingest.commit(ingestBatch({ messages }));
    this.#publisher.wake();
  }

  async perform({ what, thenMs }: Disturbance): Promise<void> {
    const broker = this.world.amqpBroker;
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
        // Its messages were consumed before.
        this.received();
        broker.deleteQueue(QUEUE);
        break;
      case 'stop and start': {
        const before = this.#publisher;
        await this.world.run(() => before.stop(), { withinMs: 60_000 });
        this.#publisher = this.#start();
        break;
      }
      case 'power cut': {
        this.#publisher.sever();
        const left = this.#store.serialize();
        await this.#store.close();
        this.#store = openSqliteStore(left);
        this.#publisher = this.#start();
        break;
      }
      case 'crash':
        this.#publisher.sever();
        this.#publisher = this.#start();
        break;
      default:
        what satisfies never;
    }
    await this.world.runFor(thenMs);
  }

  /** All messages received so far, in order. */
  received(): readonly StoredAmqpMessage[] {
    this.#received.push(...this.world.amqpBroker.drain(QUEUE));
    return this.#received;
  }

  /** Ends all faults and waits; returns how many messages are left in the outbox. */
  async heal(): Promise<number> {
    this.world.amqpBroker.setDown(false);
    this.world.amqpBroker.setBlocked(false);
    for (let minute = 0; minute < 30; minute += 1) {
      if ((await this.#store.outbox.size()).messages === 0) return 0;
      await this.world.runFor(60_000);
    }
    return (await this.#store.outbox.size()).messages;
  }

  async close(): Promise<void> {
    this.#publisher.sever();
    await this.#store.close();
  }
}

test('whatever fails in broker, connection and backend, no message is lost or changed, or overtakes an earlier one of its vehicle', async () => {
  const first = openSqliteStore(':memory:');
  const empty = first.serialize();
  await first.close();
  await assert(
    asyncProperty(array(disturbance, { minLength: 3, maxLength: 16 }), async (disturbances) => {
      const stage = new Stage(empty);
      try {
        for (const one of disturbances) await stage.perform(one);
        expect(await stage.heal()).toBe(0);
        const received = stage.received();
        const places = new Map(stage.written.map((one, index) => [one.messageId, index]));
        expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(stage.written.length);
        const highest = new Map<number, number>();
        for (const { messageId, body } of received) {
          const place = places.get(messageId) ?? -1;
          expect(Buffer.from(body).toString()).toBe(stage.written[place]?.body);
          // A repeated message may be older, but none overtakes one that has not arrived yet.
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
