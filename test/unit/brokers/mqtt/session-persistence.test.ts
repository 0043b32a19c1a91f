import type { BrokerPacket } from 'aedes-persistence/asyncPersistence.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../brokers/limits.ts';
import { SessionPersistence } from '../../../../brokers/mqtt/session-persistence.ts';
import { SessionQueue } from '../../../../brokers/mqtt/session-queue.ts';
import { matchesFilter } from '../../../../world/mqtt/topic-filter.ts';

let counter = 0;
const packet = (bytes: number, change: Partial<BrokerPacket> = {}): BrokerPacket => ({
  cmd: 'publish',
  topic: 'boxes/a/down',
  payload: new Uint8Array(bytes),
  brokerId: 'here',
  brokerCounter: ++counter,
  ...change,
});

const subscribers = (...ids: string[]) => ids.map((clientId) => ({ clientId }));

function setUp() {
  const full: string[] = [];
  const persistence = new SessionPersistence((clientId) => full.push(clientId));
  const queued = async (id: string): Promise<BrokerPacket[]> => persistence.outgoingStream({ id }).toArray();
  const length = async (id: string) => (await queued(id)).length;
  return { persistence, full, queued, length };
}

describe('the queue of a session', () => {
  test('keeps messages up to the limit in bytes, and each acknowledgement frees space', async () => {
    const { persistence, full, queued, length } = setUp();
    const large = () => packet(limits.mqtt.queuedBytes / 4);
    for (let round = 0; round < 6; round++) await persistence.outgoingEnqueueCombi(subscribers('a'), large());
    expect([await length('a'), full]).toEqual([4, ['a', 'a']]);
    const [first] = await queued('a');
    await persistence.outgoingUpdate({ id: 'a' }, { ...(first as BrokerPacket), messageId: 7 });
    await persistence.outgoingClearMessageId({ id: 'a' }, packet(0, { messageId: 7 }));
    await persistence.outgoingEnqueueCombi(subscribers('a'), large());
    expect([await length('a'), full.length]).toEqual([4, 2]);
  });

  test('that is full does not affect another', async () => {
    const { persistence, full, length } = setUp();
    await persistence.outgoingEnqueueCombi(subscribers('a'), packet(limits.mqtt.queuedBytes));
    await persistence.outgoingEnqueueCombi(subscribers('a', 'b'), packet(1));
    expect([await length('a'), await length('b'), full]).toEqual([1, 1, ['a']]);
  });

  test('an acknowledgement of an unknown message frees no space, and an unknown update is an error', async () => {
    const { persistence, full } = setUp();
    const large = packet(limits.mqtt.queuedBytes);
    await persistence.outgoingClearMessageId({ id: 'a' }, { ...large, messageId: 3 });
    await persistence.outgoingEnqueueCombi(subscribers('a'), large);
    await persistence.outgoingClearMessageId({ id: 'a' }, { ...large, messageId: 3 });
    await persistence.outgoingEnqueueCombi(subscribers('a'), packet(1));
    expect(full).toEqual(['a']);
    await expect(persistence.outgoingUpdate({ id: 'a' }, packet(1, { messageId: 4 }))).rejects.toThrow(
      'no such packet',
    );
  });

  test('limits the number of messages too, however small', async () => {
    const { persistence, full, length } = setUp();
    for (let count = 0; count < limits.mqtt.queuedMessages + 10; count++)
      await persistence.outgoingEnqueueCombi(subscribers('a'), packet(0));
    expect([await length('a'), full.length]).toEqual([limits.mqtt.queuedMessages, 10]);
  });

  test('a session that begins clean has nothing of the one before (MQTT-3.1.2-6)', async () => {
    const { persistence, length } = setUp();
    await persistence.outgoingEnqueueCombi(subscribers('a', 'b'), packet(1));
    await persistence.cleanSubscriptions({ id: 'a' });
    expect([await length('a'), await length('b')]).toEqual([0, 1]);
  });

  /** The same by searching a list, as aedes-persistence does. */
  class ListQueue {
    #list: BrokerPacket[] = [];
    add(one: BrokerPacket): void {
      this.#list.push(one);
    }
    update(one: BrokerPacket): boolean {
      const same = this.#list.find(
        (each) =>
          one.brokerId !== undefined &&
          each.brokerId === one.brokerId &&
          each.brokerCounter === one.brokerCounter,
      );
      if (same !== undefined) {
        same.messageId = one.messageId;
        return true;
      }
      const at = this.#list.findIndex((each) => each.messageId === one.messageId);
      if (at < 0) return false;
      this.#list[at] = one;
      return true;
    }
    remove(messageId: number): BrokerPacket | undefined {
      const at = this.#list.findIndex((each) => each.messageId === messageId);
      return at < 0 ? undefined : this.#list.splice(at, 1)[0];
    }
    get ids(): readonly unknown[] {
      return this.#list.map(({ cmd, brokerCounter, messageId }) => [cmd, brokerCounter, messageId]);
    }
  }

  test('whatever is queued, sent, released and acknowledged: it holds what a list would hold, in its order', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const) }),
      fc.record({ do: fc.constant('send' as const), at: fc.nat(20), id: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ do: fc.constant('release' as const), id: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ do: fc.constant('acknowledge' as const), id: fc.integer({ min: 1, max: 6 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new SessionQueue();
        const list = new ListQueue();
        const known: BrokerPacket[] = [];
        const inUse = () => new Set(queue.toSend().map(({ messageId }) => messageId));
        for (const one of steps) {
          if (one.do === 'add') {
            const next = packet(1);
            known.push(next);
            queue.add({ ...next });
            list.add({ ...next });
          } else if (one.do === 'send') {
            const sent = known[one.at % Math.max(known.length, 1)];
            // aedes does not use an identifier twice at a time (section 2.3.1).
            if (sent === undefined || inUse().has(one.id)) continue;
            const update = { ...sent, messageId: one.id };
            expect(queue.update({ ...update })).toBe(list.update({ ...update }));
          } else if (one.do === 'release') {
            const pubrel = { cmd: 'pubrel', topic: '', payload: '', brokerCounter: 0, messageId: one.id };
            expect(queue.update({ ...pubrel })).toBe(list.update({ ...pubrel }));
          } else {
            const removed = queue.remove(packet(0, { messageId: one.id }));
            expect(removed?.brokerCounter).toBe(list.remove(one.id)?.brokerCounter);
          }
          expect(
            queue.toSend().map(({ cmd, brokerCounter, messageId }) => [cmd, brokerCounter, messageId]),
          ).toEqual(list.ids);
        }
      }),
    );
  });
});

test('retained messages are found by every filter that matches their topic, and no other', async () => {
  const level = fc.constantFrom('boxes', 'a', 'b', 'presence');
  const topic = fc.array(level, { minLength: 1, maxLength: 3 }).map((levels) => levels.join('/'));
  const filter = fc.oneof(
    topic,
    fc
      .array(fc.oneof(level, fc.constant('+')), { minLength: 1, maxLength: 3 })
      .map((levels) => levels.join('/')),
    topic.map((start) => `${start}/#`),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(topic, { maxLength: 12 }),
      fc.array(topic, { maxLength: 4 }),
      filter,
      async (kept, gone, wanted) => {
        const { persistence } = setUp();
        for (const one of kept) await persistence.storeRetained(packet(1, { topic: one }));
        for (const one of gone) await persistence.storeRetained(packet(0, { topic: one }));
        const found = (await persistence.createRetainedStreamCombi([wanted]).toArray()) as BrokerPacket[];
        const left = [...new Set(kept)].filter((one) => !gone.includes(one));
        expect(new Set(found.map((one) => one.topic))).toEqual(
          new Set(left.filter((one) => matchesFilter(wanted, one))),
        );
      },
    ),
  );
});
