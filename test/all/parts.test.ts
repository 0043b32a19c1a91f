import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/run/free-port.ts';
import { type PartProcess, runCommand, startPart, UpProcess } from '../support/sockets/up-process.ts';

const VEHICLES = 20;
const folder = mkdtempSync(join(tmpdir(), 'boxtwin-parts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The API as the client of a data directory uses it. */
async function apiOf(ready: Readonly<Record<string, unknown>>) {
  const base = String(ready['base_url']);
  const account = btoa(`${String(ready['client_id'])}:${String(ready['client_secret'])}`);
  const answer = await fetch(`${base}/auth/oauth/token?grant_type=client_credentials`, {
    method: 'POST',
    headers: { authorization: `Basic ${account}` },
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}` };
  return {
    vehicles: async () => {
      const listed = await fetch(`${base}/vehicles?limit=1000`, { headers });
      return ((await listed.json()) as { items: Vehicle[] }).items;
    },
    command: async (id: string) => {
      const done = await fetch(`${base}/vehicles/${id}/commands/request-vehicle-state`, {
        method: 'POST',
        headers,
      });
      return { status: done.status, problem: done.ok ? '' : ((await done.json()) as { type: string }).type };
    },
  };
}

interface Vehicle {
  readonly id: string;
  readonly setup_status: string;
}

async function until(what: string, isSo: () => Promise<boolean>, boundMs = 60_000): Promise<void> {
  const untilMs = Date.now() + boundMs;
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > untilMs) throw new Error(`not within ${boundMs / 1_000} s: ${what}`);
    await sleep(250);
  }
}

describe('brokers, service and two shards of a fleet as commands', { timeout: 150_000 }, () => {
  const data = join(folder, 'commands');
  const running = new Map<string, PartProcess>();
  let ports: readonly string[] = [];
  const argsOf = (name: string): readonly string[] => {
    const [mqtt, amqp, amqps, admin, api, first, second] = ports;
    const brokers = [
      '--mqtt-port',
      mqtt,
      '--amqp-port',
      amqp,
      '--amqps-port',
      amqps,
      '--amqp-admin-port',
      admin,
    ];
    const fleet = (shard: string, port: string | undefined) => [
      ...[
        'fleet',
        '--vehicles',
        String(VEHICLES),
        '--shard',
        shard,
        '--simulator-port',
        port,
        '--radio',
        'ideal',
      ],
    ];
    const rows: Readonly<Record<string, readonly (string | undefined)[]>> = {
      brokers: ['brokers', ...brokers],
      backend: [
        'backend',
        '--vehicles',
        '15',
        '--stock',
        '5',
        '--port',
        api,
        '--simulator',
        `http://127.0.0.1:${first}`,
      ],
      'shard 1': fleet('1/2', first),
      // It sets up the boxes of its shard that are in stock.
      'shard 2': [...fleet('2/2', second), '--url', `http://127.0.0.1:${api}`],
    };
    return [...(rows[name] ?? []), '--data', data].map(String);
  };
  const begin = async (name: string) => void running.set(name, await startPart(argsOf(name)));
  const api = () => apiOf(running.get('backend')?.ready ?? {});
  const ledger = async () => {
    const { code, output } = await runCommand(['ledger', '--data', data, '--json']);
    return { code, report: JSON.parse(output) as { counts: Record<string, number>; records: number } };
  };
  const setUp = async () =>
    (await (await api()).vehicles()).filter((one) => one.setup_status === 'SUCCEEDED');
  /** Each vehicle in its turn answers a command, from its box or, where it has no box, with that reason. */
  const allAnswer = async () => {
    const { command } = await api();
    for (const { id } of await setUp())
      await until(`vehicle ${id} answers`, async () => {
        const { status, problem } = await command(id);
        return status === 200 || problem === '/problems/vehicle/command-not-supported';
      });
  };

  beforeAll(async () => {
    ports = (await Promise.all(Array.from({ length: 7 }, freePort))).map(String);
    // The makers' clouds are in the first shard. A service that starts before them asks again after a minute.
    for (const name of ['brokers', 'shard 1', 'backend', 'shard 2']) await begin(name);
  });
  afterAll(async () => {
    for (const part of [...running.values()].reverse()) await part.end('SIGTERM');
  });

  test('show their status without passwords, and the cause of a problem, by the client of their directory', async () => {
    const { code, output } = await runCommand(['status', '--data', data, '--json']);
    const { amqp, simulator } = JSON.parse(output) as Readonly<Record<string, string>>;
    expect([code, simulator]).toEqual([0, expect.stringContaining('http://127.0.0.1:')]);
    expect(amqp).toMatch(/^amqp:\/\/([\w-]+@)?127\.0\.0\.1:\d+$/);
    const provoked = await runCommand(['provoke', 'no-connection', '--data', data, '--undo', '--quiet']);
    expect([provoked.code, provoked.errors]).toEqual([0, '']);
    const refused = await runCommand(['provoke', 'missing-permissions', '--data', data]);
    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringContaining('only "boxtwin up" in one process'),
    ]);
  });

  test('have all vehicles answer; those in stock are set up over the API', async () => {
    // 15 from the start, of the other five those with an odd index, and two with their maker's telematics.
    await until('vehicles are set up', async () => (await setUp()).length === VEHICLES);
    await allAnswer();
  });

  test.each(['backend', 'shard 1', 'brokers'])(
    'lose nothing where the %s is killed and started again',
    async (name) => {
      await running.get(name)?.end('SIGKILL');
      await begin(name);
      await until('the service lists them', async () => (await setUp()).length === VEHICLES);
      await allAnswer();
      const { code, report } = await ledger();
      expect(report.counts).toMatchObject({ lost: 0, doubled: 0, reordered: 0, wiped: 0 });
      expect(report.records).toBeGreaterThan(20);
      expect(code).toBe(0);
    },
  );

  test('tell each other their addresses in the data directory, and take that back at their end', async () => {
    expect(existsSync(join(data, 'brokers.json'))).toBe(true);
    await running.get('brokers')?.end('SIGTERM');
    expect(existsSync(join(data, 'brokers.json'))).toBe(false);
    running.delete('brokers');
  });
});

describe('up in several processes', () => {
  test('starts a part again that dies, at the same addresses, and loses nothing', async () => {
    const data = join(folder, 'several');
    const options = [
      '--processes',
      'several',
      '--vehicles',
      '5',
      '--data',
      data,
      ...(await UpProcess.ownPorts()),
    ];
    const up = await UpProcess.start(options);
    const children = execFileSync('pgrep', ['-f', '-a', 'boxtwin.js (brokers|backend|fleet)$'])
      .toString()
      .trim()
      .split('\n')
      .filter((line) => parentOf(Number(line.split(' ')[0])) === up.pid);
    expect(children.length).toBe(3);
    const api = await apiOf(up.ready);
    const [vehicle] = await api.vehicles();
    await until('a command is answered', async () => (await api.command(vehicle?.id ?? '')).status === 200);
    for (const child of children) {
      process.kill(Number(child.split(' ')[0]), 'SIGKILL');
      await until(
        'it is up again',
        async () => up.errors.split('is up again').length > children.indexOf(child) + 1,
      );
    }
    await until('a command is answered', async () => (await api.command(vehicle?.id ?? '')).status === 200);
    expect((await up.end('SIGTERM')).code).toBe(0);
    const { code } = await runCommand(['ledger', '--data', data]);
    expect(code).toBe(0);
  });

  test('ends with the words and the code of a part that cannot be started', async () => {
    const taken = await UpProcess.start([
      '--vehicles',
      '1',
      '--data',
      join(folder, 'taken'),
      ...(await UpProcess.ownPorts()),
    ]);
    const port = new URL(taken.ready.base_url).port;
    const data = join(folder, 'refused');
    const begin = async () =>
      runCommand([
        ...['up', '--processes', 'several', '--vehicles', '1', '--data', data],
        ...(await UpProcess.ownPorts()).slice(2),
        ...['--port', port],
      ]);
    // A port that is free now may be taken by another test a moment later: what is asked here is about ours.
    let ended = await begin();
    for (let again = 0; again < 3 && !ended.errors.includes(`Port ${port} `); again += 1)
      ended = await begin();
    const { code, errors } = ended;
    await taken.end('SIGTERM');
    expect(errors).toContain(`Port ${port} (--port) is taken. Free it, or give another one.`);
    expect(errors).toContain('"boxtwin backend" could not be started (exit code 2)');
    expect(code).toBe(2);
  });
});

describe('a command with settings that do not fit', () => {
  test.each([
    [['fleet', '--mqtt', 'embedded'], 'has no broker in it'],
    [['backend', '--amqp', 'embedded'], 'has no broker in it'],
    [['fleet', '--link', 'memory', '--mqtt', 'mqtt://127.0.0.1'], 'Omit one'],
    [['fleet', '--link', 'memory', '--subscribe-qos', '0'], 'Omit one'],
    [['fleet', '--subscribe-qos', '2'], 'It takes 0 or 1'],
    [['fleet', '--client-id', 'me'], 'belong together'],
    [['fleet', '--shard', '3/2'], 'It takes K/N'],
  ])('%j says what to do', async (args, text) => {
    const { code, errors } = await runCommand([...args, '--data', join(folder, 'none')]);
    expect(errors).toContain(text);
    expect(code).toBe(2);
  });

  test('a credentials file with wrong lines is refused with each line and its reason', async () => {
    const file = join(folder, 'boxes.csv');
    writeFileSync(file, 'box_id,password\nnope,a\n0011223344556677,\n');
    const { code, errors } = await runCommand([
      'fleet',
      '--credentials',
      file,
      '--data',
      join(folder, 'credentials'),
    ]);
    expect(errors).toContain(`${file}:2: the box id has to be 16 digits of 0-9 and a-f.`);
    expect(errors).toContain(`${file}:3: the password is missing.`);
    expect(code).toBe(2);
  });
});

function parentOf(pid: number): number | undefined {
  try {
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)]).toString());
  } catch {
    return undefined;
  }
}
