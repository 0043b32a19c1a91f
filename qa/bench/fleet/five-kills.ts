import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * The ledger of a run in which `up` is killed five times: boxes, service and the embedded brokers die at once, by
 * kill -9, and go on from the data directory. Prints the ledger and ends with its exit code.
 *
 *     node qa/bench/fleet/five-kills.ts --minutes 10 [--vehicles 25] [--kills 5] [--amqp URL]
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    vehicles: { type: 'string', default: '25' },
    kills: { type: 'string', default: '5' },
    amqp: { type: 'string' },
  },
});
const kills = Number(values.kills);
const betweenMs = (Number(values.minutes) * 60_000) / (kills + 1);
const command = fileURLToPath(new URL('../../../bin/boxtwin.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'boxtwin-kills-'));
const data = join(folder, 'data');
const messages = join(folder, 'messages.ndjson');
const ports = await Promise.all(Array.from({ length: 5 }, freePort));
const portOptions = ['--port', '--simulator-port', '--mqtt-port', '--amqp-port', '--amqps-port'].flatMap(
  (name, index) => [name, String(ports[index])],
);

const first = await start();
// One reader for the whole run: it connects again after each kill, to the same queue.
const tail = boxtwin(
  ['tail', '--amqp', first.ready.amqp_url, '--queue', first.ready.queue, '--json'],
  ['ignore', 'pipe', 'inherit'],
);
tail.stdout?.pipe(createWriteStream(messages));
let up = first.child;
for (let kill = 1; kill <= kills; kill += 1) {
  await sleep(betweenMs);
  up.kill('SIGKILL');
  await ended(up);
  process.stderr.write(`kill ${kill} of ${kills}\n`);
  up = (await start()).child;
}
await sleep(betweenMs);
// Boxes go on to report to the end: what is under way then counts as pending, for a minute.
const ledger = boxtwin(['ledger', '--data', data, '--messages', messages], 'inherit');
await ended(ledger);
for (const child of [tail, up]) {
  child.kill('SIGTERM');
  await ended(child);
}
process.exitCode = ledger.exitCode ?? 1;
if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true });
else process.stderr.write(`The data directory and the messages stay in ${folder}.\n`);

/** Resolves at the banner of an `up`. */
async function start(): Promise<{ child: ChildProcess; ready: { amqp_url: string; queue: string } }> {
  const amqp = values.amqp === undefined ? [] : ['--amqp', values.amqp];
  const options = ['--vehicles', values.vehicles, '--data', data, '--log-level', 'error', ...portOptions];
  const child = boxtwin(['up', '--json', ...options, ...amqp], ['ignore', 'pipe', 'inherit']);
  let line = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    line += chunk.toString('utf8');
  });
  while (!line.includes('\n')) {
    if (child.exitCode !== null) throw new Error('up did not start.');
    await sleep(100);
  }
  return { child, ready: JSON.parse(line) as { amqp_url: string; queue: string } };
}

function boxtwin(args: readonly string[], stdio: 'inherit' | ['ignore', 'pipe', 'inherit']): ChildProcess {
  return spawn(process.execPath, [command, ...args], { stdio });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}
