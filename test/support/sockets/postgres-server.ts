import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Client } from 'pg';
import { waitUntil } from '../run/external-services.ts';
import { freePort } from '../run/free-port.ts';

export interface PostgresServerOptions {
  /** Lines of `postgresql.conf`. */
  readonly settings?: readonly string[];
  /** Lines of `pg_hba.conf`, in place of one that lets everybody in. */
  readonly rules?: readonly string[];
  /** It offers TLS with this certificate and key, as PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A PostgreSQL server of a test's own, with a port and a folder of its own, that the test may end in any way. */
export interface PostgresServer {
  readonly port: number;
  /** The address of a database for its superuser. */
  url(database?: string): string;
  /** Starts it where it has ended; resolves once it answers. */
  start(): Promise<void>;
  /**
   * Ends it, and resolves when it has ended. SIGTERM waits until nobody is connected, SIGINT ends transactions and closes
   * their connections, SIGKILL is a crash.
   */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** Kills one of its sessions, after which it ends all others, and starts anew by itself. */
  killSession(): Promise<void>;
  /** Stops it for good, and removes its folder. */
  remove(): Promise<void>;
}

/** Makes a server by `initdb`, with the superuser `postgres`, and starts it. */
export async function startPostgresServer(
  programs: { readonly initdb: string; readonly postgres: string },
  { settings = [], rules, tls }: PostgresServerOptions = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-postgres-'));
  const data = join(folder, 'data');
  const port = await freePort();
  const owner = otherUser();
  const own = (path: string): void => {
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
  };
  const write = (name: string, lines: readonly string[]): void => {
    const path = join(data, name);
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    own(path);
  };
  own(folder);
  const made = spawnSync(
    programs.initdb,
    ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...owner, cwd: folder, encoding: 'utf8', timeout: 60_000 },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  write('postgresql.conf', [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${folder}'`,
    // What is written outlives the process without it, and no test cuts the power.
    'fsync = off',
    ...(tls === undefined ? [] : ['ssl = on', "ssl_cert_file = 'cert.pem'", "ssl_key_file = 'key.pem'"]),
    ...settings,
  ]);
  if (rules !== undefined) write('pg_hba.conf', rules);
  if (tls !== undefined) {
    write('cert.pem', [tls.cert]);
    write('key.pem', [tls.key]);
  }

  let child: ChildProcess | undefined;
  let said = '';
  const run = (): ChildProcess => {
    said = '';
    const started = spawn(programs.postgres, ['-D', data], {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    started.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    return started;
  };
  const server: PostgresServer = {
    port,
    url: (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`,
    async start() {
      await waitUntil(async () => {
        // After a crash its sessions hold its memory for a moment, and it does not start beside them.
        if (child === undefined || hasEnded(child)) child = run();
        return accepts(port, folder);
      }, 30_000).catch((error: unknown) => {
        throw new Error(`PostgreSQL does not start: ${said}`, { cause: error });
      });
    },
    end: (signal) => ended(child, signal),
    async killSession() {
      const client = new Client({ connectionString: server.url() });
      client.on('error', () => undefined);
      await client.connect();
      const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
      const gone = new Promise<void>((resolve) => {
        client.once('end', () => resolve());
      });
      process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
      await gone;
    },
    async remove() {
      await ended(child, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await server.start();
  } catch (error) {
    await server.remove();
    throw error;
  }
  return server;
}

/** PostgreSQL refuses to run as root: then it is Debian's user for it, or nobody. Undefined: it runs as who we are. */
function otherUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((what) => spawnSync('id', [what, name], { encoding: 'utf8' }));
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody.');
}

/** Whether it lets sessions begin, asked at its socket, where `pg_hba.conf` of a test may say anything but no. */
async function accepts(port: number, folder: string): Promise<boolean> {
  const client = new Client({
    host: folder,
    port,
    user: 'postgres',
    database: 'postgres',
    password: () => '',
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    // It asks who we are: it is there.
    return error instanceof Error && 'code' in error && String(error.code).startsWith('28');
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function ended(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child === undefined || hasEnded(child)) return resolve();
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
