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
 *     node bench/five-kills.ts --minutes 10 [--vehicles 25] [--kills 5] [--amqp URL]
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
const command = fileURLToPath(new URL('../bin/boxtwin.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'boxtwin-kills-'));
const data = join(folder, 'data');
const messages = join(folder, 'messages.ndjson');
const ports = await Promise.all(Array.from({ length: 5 }, freePort));
const portOptions = ['--port', '--simulator-port', '--mqtt-port', '--amqp-port', '--amqps-port'].flatMap(
  (name, index) => [name, String(ports[index])],
);

const file = createWriteStream(messages);
for (let run = 0; run <= kills; run += 1) {
  const up = await start();
  const tail = boxtwin(['tail', '--data', data], ['ignore', 'pipe', 'inherit']);
  // A tail that dies in the middle of a line must not spoil the next one's.
  let rest = '';
  tail.stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) file.write(`${line}\n`);
  });
  await sleep(betweenMs);
  if (run < kills) {
    up.kill('SIGKILL');
    await ended(up);
    process.stderr.write(`kill ${run + 1} of ${kills}\n`);
  } else {
    await drained();
    up.kill('SIGTERM');
    await ended(up);
  }
  tail.kill('SIGTERM');
  await ended(tail);
}
await new Promise<void>((resolve) => {
  file.end(() => resolve());
});
const ledger = boxtwin(['ledger', '--data', data, '--messages', messages, '--late-after', '10'], 'inherit');
await ended(ledger);
process.exitCode = ledger.exitCode ?? 1;
if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true });
else process.stderr.write(`The data directory and the messages stay in ${folder}.\n`);

/** Resolves at the banner of an `up`. */
async function start(): Promise<ChildProcess> {
  const amqp = values.amqp === undefined ? [] : ['--amqp', values.amqp];
  const child = boxtwin(
    [
      'up',
      '--json',
      '--vehicles',
      values.vehicles,
      '--data',
      data,
      '--log-level',
      'error',
      ...amqp,
      ...portOptions,
    ],
    ['ignore', 'pipe', 'inherit'],
  );
  if (child.stdout !== null) await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  if (child.exitCode !== null) throw new Error('up did not start.');
  return child;
}

/** What was stored by now has left the outbox and was read, or a minute has passed. */
async function drained(): Promise<void> {
  await sleep(Math.min(15_000, betweenMs));
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
