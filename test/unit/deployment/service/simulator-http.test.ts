import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fleetFileOf, writeAddressFile } from '../../../../deployment/directory/address-files.ts';
import { httpWithSimulator, SIMULATOR_OF_DATA } from '../../../../deployment/service/simulator-http.ts';
import { limits } from '../../../../deployment/shared/limits.ts';
import type { HttpRequest } from '../../../../world/http/http.ts';
import type { Time } from '../../../../world/time/time.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** Time that passes as soon as it is waited for; `later`: what happens at each look. */
function quickTime(later: (nowMs: number) => void): Time {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    alarm: (atMs, ring) => {
      nowMs = atMs;
      later(nowMs);
      queueMicrotask(ring);
      return () => undefined;
    },
  };
}

function stage(
  url: string,
  installation: string | undefined,
  { timeoutMs = 1, later = () => undefined }: { timeoutMs?: number; later?: (nowMs: number) => void } = {},
) {
  const time = quickTime(later);
  const calls: HttpRequest[] = [];
  const http = httpWithSimulator(
    {
      call: (request) => {
        calls.push(request);
        return Promise.resolve({ status: 200, headers: {}, body: '' });
      },
    },
    { url, data, installation, time },
  );
  const call = (address: string) =>
    http.call({ method: 'GET', url: address, headers: { a: 'b' }, timeoutMs, maxBodyBytes: 1 });
  return {
    call,
    time,
    timeouts: () => calls.map((one) => one.timeoutMs),
    calls: () => calls.map(({ url: asked, headers }) => [asked, headers]),
  };
}

const fleetAt = (address: string) =>
  writeAddressFile(data, fleetFileOf(undefined), JSON.stringify({ simulator_url: address }));
const OURS = { a: 'b', 'boxtwin-installation': 'ours' };

test('calls go to where the fleet of the data directory is at that moment, for its installation alone', async () => {
  const { call, calls } = stage(SIMULATOR_OF_DATA, 'ours');
  fleetAt('http://127.0.0.1:8091');
  await call(`${SIMULATOR_OF_DATA}/sim-providers/meridian/cards?x=1`);
  // Its account is not for the service, which has keys of its own.
  fleetAt('http://simulator:secret@127.0.0.1:8092');
  await call(`${SIMULATOR_OF_DATA}/makers/northwind`);
  expect(calls()).toEqual([
    ['http://127.0.0.1:8091/sim-providers/meridian/cards?x=1', OURS],
    ['http://127.0.0.1:8092/makers/northwind', OURS],
  ]);
});

test('where no fleet runs there nothing is sent, to no usual port either, and the reason says what to do', async () => {
  const { call, calls } = stage(SIMULATOR_OF_DATA, 'ours');
  await expect(call(`${SIMULATOR_OF_DATA}/makers/northwind`)).rejects.toMatchObject({
    name: 'HttpUnreachable',
    isSent: false,
    message: expect.stringMatching(/no fleet runs on .*"boxtwin fleet"/) as unknown,
  });
  expect(calls()).toEqual([]);
});

test('a call soon after the start waits within its time for a fleet that starts later', async () => {
  const later = (nowMs: number) => {
    if (nowMs > 4_000) fleetAt('http://127.0.0.1:8091');
  };
  const { call, calls, timeouts } = stage(SIMULATOR_OF_DATA, 'ours', { timeoutMs: 10_000, later });
  await call(`${SIMULATOR_OF_DATA}/makers/northwind`);
  expect(calls()).toEqual([['http://127.0.0.1:8091/makers/northwind', OURS]]);
  expect(timeouts()[0]).toBeLessThanOrEqual(6_000);
});

test('a call waits for no fleet that does not start, and later calls do not wait', async () => {
  const { call, time } = stage(SIMULATOR_OF_DATA, 'ours', { timeoutMs: 60_000 });
  await expect(call(`${SIMULATOR_OF_DATA}/makers/northwind`)).rejects.toThrow(/no fleet runs/);
  const endMs = time.nowMs();
  expect(endMs).toBeLessThan(limits.fleetWaitMs + 1_000);
  await expect(call(`${SIMULATOR_OF_DATA}/makers/northwind`)).rejects.toThrow(/no fleet runs/);
  expect(time.nowMs()).toBe(endMs);
});

test('a given address stays, and calls to others are left as they are', async () => {
  const { call, calls } = stage('http://127.0.0.1:9000', 'ours');
  fleetAt('http://127.0.0.1:8091');
  await call('http://127.0.0.1:9000/makers/northwind');
  await call('http://127.0.0.1:90001/alerts');
  await call('https://alerts.example/');
  expect(calls()).toEqual([
    ['http://127.0.0.1:9000/makers/northwind', OURS],
    ['http://127.0.0.1:90001/alerts', { a: 'b' }],
    ['https://alerts.example/', { a: 'b' }],
  ]);
});

test('with --force anybody may answer at a given address', async () => {
  const { call, calls } = stage('http://127.0.0.1:9000', undefined);
  await call('http://127.0.0.1:9000/makers/northwind');
  expect(calls()).toEqual([['http://127.0.0.1:9000/makers/northwind', { a: 'b' }]]);
});
