import { describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { limits } from '../../../../backend/base/limits.ts';
import { type CommittedBatch, makeBatchWorker } from '../../../../backend/ingest/batch-worker.ts';
import type { ReceivedPayload } from '../../../../backend/ingest/inbound-message.ts';
import { InboundQueue } from '../../../../backend/ingest/inbound-queue.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { encodeFrame } from '../../../../protocol/codec/frame.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { sleep } from '../../../../world/time/time.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';

const NOTHING: CommittedBatch = {
  framesDown: [],
  settledRequestIds: [],
  readyBoxIds: [],
  messageCount: 0,
  writtenRows: undefined,
  troubles: [],
};
const COMMIT_MS = 10;

const REPORT_WINDOW_MS = 50;
const HEADER = { generation: 2, epoch: 1, boot: 1, sequence: 1, clockMs: 1_800_000_000_000 } as const;
const REPORT = encodeFrame({ ...HEADER, message: { kind: 'report', cause: 'time', signals: {} } });
const READY = encodeFrame({ ...HEADER, sequence: 0, message: { kind: 'ready' } });

/** A worker whose commits take 10 ms, and fail while `store.isFailing`. */
function openWorker(reportWindowMs?: number) {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('service'));
  const silent = () => undefined;
  const queue = new InboundQueue({ payloads: 4_096, bytes: 1_000_000, resumeFraction: 0.5 });
  const beganMs = loop.nowMs;
  const commits: { readonly atMs: number; readonly payloads: number }[] = [];
  const store = { isFailing: false };
  let committedCount = 0;
  const errors: object[] = [];
  /** From the arrival of the oldest payload of each commit. */
  const waitsS: number[] = [];
  const worker = makeBatchWorker({
    world: {
      time,
      random: seededRandom(1),
      log: { debug: silent, info: silent, warn: silent, error: (fields) => void errors.push(fields) },
    },
    queue,
    counters: makeCounters((_name, seconds) => void waitsS.push(seconds)),
    ...(reportWindowMs !== undefined && { reportWindowMs }),
    commit: async (payloads) => {
      commits.push({ atMs: loop.nowMs - beganMs, payloads: payloads.length });
      await sleep(time, COMMIT_MS);
      if (store.isFailing) throw new StoreFailed('disk full');
      return NOTHING;
    },
    committed: () => {
      committedCount += 1;
    },
  });
  const arrive = (count: number, bytes: Uint8Array = new Uint8Array(1)) => {
    for (let number = 0; number < count; number += 1) {
      const payload: ReceivedPayload = {
        topic: `${number}`,
        bytes,
        retained: false,
        receivedMs: loop.nowMs,
      };
      queue.add(payload, silent, queue);
      worker.wake(payload);
    }
  };
  const pass = (durationMs: number) => loop.runUntil(loop.nowMs + durationMs);
  return {
    loop,
    worker,
    queue,
    commits,
    store,
    arrive,
    pass,
    errors,
    waitsS,
    committed: () => committedCount,
  };
}

describe('batches', () => {
  test('are begun a moment after the first payload, and hold what arrived until then', async () => {
    const { commits, arrive, pass, queue, committed } = openWorker();
    arrive(3);
    await pass(limits.batchWindowMs - 1);
    expect(commits).toEqual([]);
    arrive(2);
    await pass(100);
    expect(commits).toEqual([{ atMs: limits.batchWindowMs, payloads: 5 }]);
    expect([queue.length, committed()]).toEqual([0, 1]);
  });

  test('hold so many payloads at most; what is left waits for the window again', async () => {
    const { commits, arrive, pass } = openWorker();
    arrive(limits.batchPayloads + 7);
    await pass(1_000);
    expect(commits).toEqual([
      { atMs: limits.batchWindowMs, payloads: limits.batchPayloads },
      { atMs: 2 * limits.batchWindowMs + COMMIT_MS, payloads: 7 },
    ]);
  });

  test('of reports alone wait for more of them, where the worker is told so', async () => {
    const { commits, arrive, pass } = openWorker(REPORT_WINDOW_MS);
    arrive(2, REPORT);
    await pass(REPORT_WINDOW_MS - 1);
    arrive(1, REPORT);
    await pass(100);
    expect(commits).toEqual([{ atMs: REPORT_WINDOW_MS, payloads: 3 }]);
  });

  test('are begun soon with the reports that wait, once something else comes', async () => {
    const { commits, arrive, pass } = openWorker(REPORT_WINDOW_MS);
    arrive(2, REPORT);
    await pass(20);
    arrive(1, READY);
    await pass(1);
    arrive(1, REPORT);
    await pass(100);
    expect(commits).toEqual([{ atMs: 20 + limits.batchWindowMs, payloads: 4 }]);
  });

  test('are begun soon once they are full of reports', async () => {
    const { commits, arrive, pass } = openWorker(REPORT_WINDOW_MS);
    arrive(limits.batchFullPayloads, REPORT);
    await pass(100);
    expect(commits).toEqual([{ atMs: limits.batchWindowMs, payloads: limits.batchFullPayloads }]);
  });

  test('after a commit wait for what came meanwhile: a reply is not kept waiting', async () => {
    const { commits, arrive, pass } = openWorker(REPORT_WINDOW_MS);
    arrive(1, REPORT);
    await pass(REPORT_WINDOW_MS + 1);
    arrive(1, REPORT);
    arrive(1, READY);
    await pass(200);
    arrive(1, READY);
    await pass(limits.batchWindowMs + 1);
    arrive(1, REPORT);
    await pass(200);
    const second = REPORT_WINDOW_MS + COMMIT_MS + limits.batchWindowMs;
    const third = REPORT_WINDOW_MS + 1 + 200 + limits.batchWindowMs;
    expect(commits).toEqual([
      { atMs: REPORT_WINDOW_MS, payloads: 1 },
      { atMs: second, payloads: 2 },
      { atMs: third, payloads: 1 },
      { atMs: third + COMMIT_MS + REPORT_WINDOW_MS, payloads: 1 },
    ]);
  });

  test('are observed by how long their oldest payload waited for the commit', async () => {
    const { arrive, pass, waitsS } = openWorker();
    arrive(2);
    await pass(100);
    expect(waitsS).toEqual([(limits.batchWindowMs + COMMIT_MS) / 1_000]);
  });

  test('that the store has failed are told with its words, how many payloads wait, and when it is tried again', async () => {
    const { arrive, pass, store, errors } = openWorker();
    store.isFailing = true;
    arrive(3);
    await pass(limits.batchWindowMs + COMMIT_MS + 1);
    expect(errors).toEqual([
      { error: expect.stringContaining('disk full'), payloads: 3, delayMs: expect.any(Number) },
    ]);
  });

  test('are failing from a failure of the store until the next success', async () => {
    const { worker, store, arrive, pass, queue } = openWorker();
    expect(worker.isFailing()).toBe(false);
    store.isFailing = true;
    arrive(1);
    await pass(100);
    expect(worker.isFailing()).toBe(true);
    expect(queue.length).toBe(1);
    store.isFailing = false;
    await pass(limits.lastStoreBackoffMs);
    expect(worker.isFailing()).toBe(false);
    expect(queue.length).toBe(0);
  });
});

describe('draining', () => {
  test('is over at once where nothing waits', async () => {
    const { worker, loop } = openWorker();
    const fromMs = loop.nowMs;
    await worker.drain();
    expect(loop.nowMs).toBe(fromMs);
  });

  test('begins at once and opens no window between batches', async () => {
    const { worker, commits, arrive, loop } = openWorker();
    arrive(2 * limits.batchPayloads + 1);
    await loop.runWhile(worker.drain());
    expect(commits.map(({ atMs }) => atMs)).toEqual([0, COMMIT_MS, 2 * COMMIT_MS]);
  });

  test('waits for the batch under way, and for what arrived behind it', async () => {
    const { worker, commits, arrive, loop, pass, queue } = openWorker();
    arrive(1);
    await pass(limits.batchWindowMs + 1);
    arrive(4);
    await loop.runWhile(worker.drain());
    expect(commits.map(({ payloads }) => payloads)).toEqual([1, 4]);
    expect(queue.length).toBe(0);
  });

  test('does not wait for a store that fails, whether it failed before or fails now', async () => {
    const { worker, store, arrive, loop, pass, queue } = openWorker();
    store.isFailing = true;
    arrive(1);
    const fromMs = loop.nowMs;
    await loop.runWhile(worker.drain());
    expect(loop.nowMs - fromMs).toBe(COMMIT_MS);
    await pass(1);
    const laterMs = loop.nowMs;
    await worker.drain();
    expect(loop.nowMs).toBe(laterMs);
    expect(queue.length).toBe(1);
  });
});

describe('a severed worker', () => {
  test('begins nothing more, and does not tell of the batch that was under way', async () => {
    const { worker, commits, arrive, pass, committed, queue } = openWorker();
    arrive(1);
    await pass(limits.batchWindowMs + 1);
    const drained = worker.drain();
    worker.sever();
    await drained;
    arrive(1);
    await pass(1_000);
    expect(commits).toHaveLength(1);
    expect([committed(), queue.length]).toEqual([0, 2]);
    await worker.drain();
  });

  test('forgets the window that was open', async () => {
    const { worker, commits, arrive, pass } = openWorker();
    arrive(1);
    worker.sever();
    await pass(1_000);
    expect(commits).toEqual([]);
  });
});
