import { describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { limits } from '../../../../backend/base/limits.ts';
import { makeSentMarker } from '../../../../backend/events/sent-marker.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { sleep } from '../../../../world/time/time.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';

const WRITE_MS = 10;

/** A marker whose store takes 10 ms, and fails so many times first. */
function openMarker(failures = 0) {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('service'));
  const counters = makeCounters();
  const silent = () => undefined;
  const writes: { readonly atMs: number; readonly positions: readonly number[] }[] = [];
  const beganMs = loop.nowMs;
  let left = failures;
  let rooms = 0;
  const marker = makeSentMarker({
    world: {
      time,
      random: seededRandom(1),
      log: { debug: silent, info: silent, warn: silent, error: silent },
    },
    outbox: {
      async sent(positions) {
        writes.push({ atMs: loop.nowMs - beganMs, positions });
        await sleep(time, WRITE_MS);
        left -= 1;
        if (left >= 0) throw new StoreFailed('disk full');
      },
    },
    counters,
    hasRoom: () => {
      rooms += 1;
    },
  });
  const mark = (first: number, count: number) => {
    for (let position = first; position < first + count; position += 1) marker.mark(position);
  };
  const pass = (durationMs: number) => loop.runUntil(loop.nowMs + durationMs);
  return { loop, marker, counters, writes, mark, pass, rooms: () => rooms };
}

describe('marks of sent messages', () => {
  test('are written together after a while', async () => {
    const { marker, writes, mark, pass, counters, rooms } = openMarker();
    mark(1, 3);
    await pass(limits.sentMarkDelayMs - 1);
    expect([writes, marker.size]).toEqual([[], 3]);
    await pass(1 + WRITE_MS);
    expect(writes).toEqual([{ atMs: limits.sentMarkDelayMs, positions: [1, 2, 3] }]);
    expect([marker.size, rooms()]).toEqual([0, 1]);
    expect(counters.read()).toEqual({ 'messages.marked': 3 });
  });

  test('are written at once when there are enough for a group, what came meanwhile behind it', async () => {
    const { marker, writes, mark, pass } = openMarker();
    mark(1, limits.sentMarkGroup);
    await pass(1);
    mark(10_001, 2);
    await pass(WRITE_MS + limits.sentMarkDelayMs + WRITE_MS);
    expect(writes.map(({ positions }) => positions.length)).toEqual([limits.sentMarkGroup, 2]);
    expect(writes[0]?.atMs).toBe(0);
    expect(marker.size).toBe(0);
  });

  test('are kept while the store fails, and written once it works again', async () => {
    const { marker, writes, mark, pass, counters } = openMarker(3);
    mark(1, 2);
    await pass(limits.sentMarkDelayMs + 4 * limits.lastStoreBackoffMs);
    expect(writes.map(({ positions }) => positions)).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(counters.read()).toEqual({ 'marks.failed': 3, 'messages.marked': 2 });
    expect(marker.size).toBe(0);
  });

  test('do not hurry a store that fails, however many there are', async () => {
    const { writes, mark, pass } = openMarker(1);
    mark(1, 1);
    await pass(limits.sentMarkDelayMs + WRITE_MS);
    mark(2, limits.sentMarkGroup - 1);
    await pass(1);
    expect(writes).toHaveLength(1);
    await pass(limits.lastStoreBackoffMs + WRITE_MS);
    expect(writes.map(({ positions }) => positions.length)).toEqual([1, limits.sentMarkGroup]);
  });

  test.each([
    [1, limits.sentMarkDelayMs],
    [limits.sentMarkGroup, 0],
  ])(
    'that come with the first write after a failure, %i of them, are written in their time',
    async (count, waitMs) => {
      const { writes, mark, pass, marker } = openMarker(1);
      mark(1, 1);
      while (writes.length < 2) await pass(1);
      mark(2, count);
      await pass(WRITE_MS + waitMs + WRITE_MS);
      const [, second, third] = writes;
      expect([third?.positions.length, marker.size]).toEqual([count, 0]);
      expect((third?.atMs ?? 0) - (second?.atMs ?? 0)).toBe(WRITE_MS + waitMs);
    },
  );

  test('are flushed after the write that is under way, without waiting', async () => {
    const { loop, marker, writes, mark, pass } = openMarker();
    mark(1, 1);
    await pass(limits.sentMarkDelayMs + 1);
    mark(2, 1);
    await loop.runWhile(marker.flush());
    expect(writes).toEqual([
      { atMs: limits.sentMarkDelayMs, positions: [1] },
      { atMs: limits.sentMarkDelayMs + WRITE_MS, positions: [2] },
    ]);
    expect(marker.size).toBe(0);
  });

  test('are not written by a severed marker, nor told of', async () => {
    const { loop, marker, writes, mark, pass, counters, rooms } = openMarker();
    mark(1, 1);
    marker.sever();
    await pass(1_000);
    await loop.runWhile(marker.flush());
    expect(writes).toEqual([]);
    expect(loop.scheduledCount).toBe(0);
    const other = openMarker();
    other.mark(1, 1);
    await other.pass(limits.sentMarkDelayMs + 1);
    other.marker.sever();
    await other.pass(1_000);
    expect([other.rooms(), other.counters.read()]).toEqual([0, {}]);
    expect([rooms(), counters.read()]).toEqual([0, {}]);
  });
});
