import { type ChildProcess, spawn } from 'node:child_process';
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../run/external-services.ts';
import { freePort } from '../run/free-port.ts';

export interface MosquittoProcess {
  readonly url: string;
  readonly port: number;
  /** Ends it by the signal and starts it again at the same place; `forgets`: without what it had kept. */
  restart(signal: 'SIGTERM' | 'SIGKILL', options?: { readonly forgets: boolean }): Promise<void>;
  stop(): Promise<void>;
}

interface Account {
  readonly username: string;
  readonly password: string;
}

/** Starts a Mosquitto of the test's own, in which each account may use everything below `boxes/` and nothing else. */
export async function startMosquitto(
  programs: { readonly broker: string; readonly securityPlugin: string },
  accounts: readonly Account[],
  { isPersistent = false }: { readonly isPersistent?: boolean } = {},
): Promise<MosquittoProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-mosquitto-'));
  const port = await freePort();
  const security = join(folder, 'security.json');
  const config = join(folder, 'mosquitto.conf');
  writeFileSync(security, JSON.stringify(securityOf(accounts)));
  writeFileSync(
    config,
    [
      `listener ${port} 127.0.0.1`,
      'allow_anonymous false',
      `plugin ${programs.securityPlugin}`,
      `plugin_opt_config_file ${security}`,
      'set_tcp_nodelay true',
      ...(isPersistent ? ['persistence true', `persistence_location ${folder}/`] : ['persistence false']),
      // Without it a Mosquitto that root starts could not read the files of this folder.
      'user root',
      '',
    ].join('\n'),
  );
  let said = '';
  const run = () => {
    const started = spawn(programs.broker, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    started.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    return started;
  };
  let child = run();
  const stop = async () => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntil(() => answers(port), 10_000);
  } catch (error) {
    await stop();
    throw new Error(`Mosquitto does not start: ${said}`, { cause: error });
  }
  const restart: MosquittoProcess['restart'] = async (signal, options) => {
    await ended(child, signal);
    if (options?.forgets === true) rmSync(join(folder, 'mosquitto.db'), { force: true });
    child = run();
    await waitUntil(() => answers(port), 10_000);
  };
  return { url: `mqtt://127.0.0.1:${port}`, port, restart, stop };
}

/** The file of the dynamic security plugin. */
function securityOf(accounts: readonly Account[]): unknown {
  const unique = [...new Map(accounts.map((account) => [account.username, account])).values()];
  const everything = ['publishClientSend', 'publishClientReceive', 'subscribePattern', 'unsubscribePattern'];
  return {
    clients: unique.map(({ username, password }) => {
      const salt = randomBytes(12);
      const iterations = 101;
      const hash = pbkdf2Sync(password, salt, iterations, 64, 'sha512');
      return {
        username,
        password: hash.toString('base64'),
        salt: salt.toString('base64'),
        iterations,
        roles: [{ rolename: 'everybody' }],
      };
    }),
    groups: [],
    roles: [
      {
        rolename: 'everybody',
        acls: everything.map((acltype) => ({ acltype, topic: 'boxes/#', priority: 0, allow: true })),
      },
    ],
    defaultACLAccess: {
      publishClientSend: false,
      publishClientReceive: false,
      subscribe: false,
      unsubscribe: false,
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const say = (isThere: boolean) => () => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', say(true)).once('error', say(false));
  });
}

function ended(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
