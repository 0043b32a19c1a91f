import type { Aedes } from 'aedes';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../brokers/mqtt/limits.ts';
import { boundQueues } from '../../../../brokers/mqtt/queue-bound.ts';

interface Packet {
  readonly payload: Uint8Array;
}

/** Queues as aedes keeps them, one for each session. */
function setUp() {
  const queues = new Map<string, Packet[]>();
  const persistence = {
    async outgoingEnqueueCombi(subscriptions: readonly { clientId: string }[], packet: Packet) {
      for (const { clientId } of subscriptions)
        queues.set(clientId, [...(queues.get(clientId) ?? []), packet]);
    },
    async outgoingClearMessageId({ id }: { id: string }, _packet: Packet) {
      return queues.get(id)?.shift();
    },
  };
  const full: string[] = [];
  boundQueues({ persistence } as unknown as Aedes, (clientId) => full.push(clientId));
  const length = (clientId: string) => queues.get(clientId)?.length ?? 0;
  return { persistence, full, length };
}

const subscribers = (...ids: string[]) => ids.map((clientId) => ({ clientId }));

describe('queue bound', () => {
  test('keeps messages up to the bytes that are allowed, and room returns with each acknowledgement', async () => {
    const { persistence, full, length } = setUp();
    const packet = { payload: new Uint8Array(limits.queuedBytes / 4) };
    for (let round = 0; round < 6; round++) await persistence.outgoingEnqueueCombi(subscribers('a'), packet);
    expect([length('a'), full]).toEqual([4, ['a', 'a']]);
    await persistence.outgoingClearMessageId({ id: 'a' }, packet);
    await persistence.outgoingEnqueueCombi(subscribers('a'), packet);
    expect([length('a'), full.length]).toEqual([4, 2]);
  });

  test('one session that is full takes nothing from another', async () => {
    const { persistence, full, length } = setUp();
    const large = { payload: new Uint8Array(limits.queuedBytes) };
    await persistence.outgoingEnqueueCombi(subscribers('a'), large);
    await persistence.outgoingEnqueueCombi(subscribers('a', 'b'), { payload: new Uint8Array(1) });
    expect([length('a'), length('b'), full]).toEqual([1, 1, ['a']]);
  });

  test('an acknowledgement of nothing gives no room', async () => {
    const { persistence, full } = setUp();
    const large = { payload: new Uint8Array(limits.queuedBytes) };
    for (let round = 0; round < 3; round++) await persistence.outgoingClearMessageId({ id: 'a' }, large);
    await persistence.outgoingEnqueueCombi(subscribers('a'), large);
    await persistence.outgoingEnqueueCombi(subscribers('a'), large);
    expect(full).toEqual(['a']);
  });

  test('counts messages too, however small', async () => {
    let kept = 0;
    const persistence = {
      async outgoingEnqueueCombi(subscriptions: readonly unknown[], _packet: Packet) {
        kept += subscriptions.length;
      },
      outgoingClearMessageId: async () => undefined,
    };
    boundQueues({ persistence } as unknown as Aedes, () => undefined);
    const empty = { payload: new Uint8Array(0) };
    for (let count = 0; count < limits.queuedMessages + 10; count++) {
      await persistence.outgoingEnqueueCombi(subscribers('a'), empty);
    }
    expect(kept).toBe(limits.queuedMessages);
  });

  test('says so where aedes keeps its queues elsewhere', () => {
    expect(() => boundQueues({} as unknown as Aedes, () => undefined)).toThrow(/elsewhere/);
  });
});
