import { describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { limits } from '../../../../backend/base/limits.ts';
import { makeOutboxReader } from '../../../../backend/events/outbox-reader.ts';
import type { OutboxRow } from '../../../../backend/store/port/outbox-store.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { sleep } from '../../../../world/time/time.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';

const READ_MS = 10;

/** A reader of an outbox that takes 10 ms for a read, which ends as the test says. */
function openReader(read: () => Promise<readonly OutboxRow[]>, freeRows: number = limits.outboxReadAhead) {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('service'));
  const silent = () => undefined;
  const counters = makeCounters();
  const limitsAsked: number[] = [];
  let batches = 0;
  const next = async ({ limit }: { readonly limit: number }) => {
    limitsAsked.push(limit);
    await sleep(time, READ_MS);
    return read();
  };
  const reader = makeOutboxReader({
    world: {
      time,
      random: seededRandom(1),
      log: { debug: silent, info: silent, warn: silent, error: silent },
    },
    outbox: { next, nextByPartition: () => Promise.reject(new Error('all are read in one order')) },
    counters,
    freeRows: () => freeRows,
    rowsRead: () => {
      batches += 1;
    },
  });
  const pass = (durationMs: number) => loop.runUntil(loop.nowMs + durationMs);
  return { loop, reader, counters, limitsAsked, pass, batches: () => batches };
}

const ROW: OutboxRow = {
  position: 1,
  messageId: 'M1',
  vehicleId: 'VEH01',
  fleetId: 'FLEET1',
  partition: 0,
  name: 'VehicleStateReceived',
  version: '2.0.0',
  flowId: '',
  createdMs: 1,
  body: '{}',
};

describe('the reader of the outbox', () => {
  test.each([
    ['found rows', () => Promise.resolve([ROW])],
    ['failed', () => Promise.reject(new StoreFailed('closed'))],
  ])('that was severed during a read that %s passes nothing on and reads no more', async (_how, read) => {
    const { loop, reader, counters, limitsAsked, pass, batches } = openReader(read);
    reader.readOn();
    await pass(READ_MS / 2);
    reader.sever();
    await pass(READ_MS);
    reader.wake();
    await pass(2 * limits.lastStoreBackoffMs);
    expect([limitsAsked.length, batches(), counters.read(), loop.scheduledCount]).toEqual([1, 0, {}, 0]);
  });

  test('never asks for more rows than there is room for', async () => {
    const room = limits.outboxReadRows - 1;
    const { reader, limitsAsked, pass } = openReader(() => Promise.resolve([]), room);
    reader.readOn();
    await pass(READ_MS);
    expect(limitsAsked).toEqual([room]);
  });

  test('waits until there is room for half of a read', async () => {
    const half = limits.outboxReadRows / 2;
    for (const [room, asked] of [
      [half - 1, []],
      [half, [half]],
    ] as const) {
      const { reader, limitsAsked, pass } = openReader(() => Promise.resolve([]), room);
      reader.readOn();
      await pass(READ_MS);
      expect(limitsAsked).toEqual(asked);
    }
  });
});
