import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endChild } from '../measure/children.ts';
import { freePorts } from '../measure/free-ports.ts';

export interface Mosquitto {
  readonly port: number;
  end(): Promise<void>;
}

const ATTEMPTS = 100;
const BETWEEN_MS = 50;

/** A Mosquitto of its own on a free port; a text says why there is none. It queues without a bound, as aedes does. */
export async function startMosquitto(): Promise<Mosquitto | string> {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-bench-mosquitto-'));
  const [port = 0] = await freePorts(1);
  const file = join(folder, 'mosquitto.conf');
  writeFileSync(
    file,
    [
      `listener ${port} 127.0.0.1`,
      'allow_anonymous true',
      'max_queued_messages 0',
      'set_tcp_nodelay true',
      '',
    ].join('\n'),
  );
  const child = spawn('mosquitto', ['-c', file], { stdio: 'ignore' });
  const failed = once(child, 'error').then(() => 'there is no mosquitto on this machine');
  const ended = once(child, 'exit').then(([code]) => `mosquitto has ended with ${code}`);
  failed.catch(() => undefined);
  ended.catch(() => undefined);
  const why = await Promise.race([failed, ended, answers(port)]);
  const end = async () => {
    if (child.pid !== undefined) await endChild(child, 'SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  if (why === undefined) return { port, end };
  await end();
  return why;
}

async function answers(port: number): Promise<string | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const socket = connect({ host: '127.0.0.1', port });
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isThere) return undefined;
    await sleep(BETWEEN_MS);
  }
  return 'mosquitto does not answer';
}
