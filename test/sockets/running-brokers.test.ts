import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runningBrokers } from '../../deployment/brokers/running-brokers.ts';
import { BROKERS_FILE, writeAddressFile } from '../../deployment/directory/address-files.ts';
import { type HttpServer, serveHttp } from '../../deployment/http/http-server.ts';
import { limits } from '../../deployment/shared/limits.ts';
import type { Time } from '../../world/time/time.ts';

let data: string;
const servers: HttpServer[] = [];
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  rmSync(data, { recursive: true, force: true });
});

/** Management interfaces that answer with this status, as that of brokers with other secrets does with 401. */
async function managementThatAnswers(status: number): Promise<number> {
  const server = await serveHttp({ port: 0 }, () => new Response(null, { status }));
  servers.push(server);
  return server.port;
}

const brokersAt = (port: number) =>
  writeAddressFile(
    data,
    BROKERS_FILE,
    JSON.stringify({
      mqtt_url: `mqtt://127.0.0.1:${port}`,
      amqp_url: `amqp://127.0.0.1:${port}`,
      amqp_admin_url: `http://backend:secret@127.0.0.1:${port}`,
    }),
  );

/** Time that passes as soon as it is waited for; `later`: what happens at each look. */
function quickTime(later: () => void = () => undefined): Time {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    alarm: (atMs: number, ring: () => void) => {
      nowMs = atMs;
      later();
      queueMicrotask(ring);
      return () => undefined;
    },
  } as unknown as Time;
}

const AWAITED = expect.stringMatching(/^No brokers run on .* Waiting for them\. .*--mqtt\.$/) as unknown;
test.each([
  { what: 'at once, without a line', afterMs: 0, lines: [] },
  { what: 'soon, without a line', afterMs: limits.brokerNoticeMs - 500, lines: [] },
  { what: 'late, with one line', afterMs: limits.brokerNoticeMs + 500, lines: [AWAITED] },
])('brokers that run $what are found', async ({ afterMs, lines }) => {
  const port = await managementThatAnswers(200);
  const printed: string[] = [];
  const time = quickTime(() => {
    if (time.nowMs() > afterMs) brokersAt(port);
  });
  const found = await runningBrokers(data, time, (line) => printed.push(line));
  expect(found.mqtt_url).toBe(`mqtt://127.0.0.1:${port}`);
  expect(printed).toEqual(lines);
});

test('an address that a killed process has left behind is not used, and the error says what to do', async () => {
  brokersAt(await managementThatAnswers(401));
  const refused = runningBrokers(data, quickTime(), () => undefined);
  await expect(refused).rejects.toThrow(
    /something else answers \(status 401\).*Start "boxtwin brokers" on it/,
  );
  for (const server of servers.splice(0)) await server.close();
  await expect(runningBrokers(data, quickTime(), () => undefined)).rejects.toThrow(/do not answer at 127/);
});

test('without brokers there is no address, and no usual one is tried', async () => {
  await expect(runningBrokers(data, quickTime(), () => undefined)).rejects.toThrow(/No brokers run on/);
});
