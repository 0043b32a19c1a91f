import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startMosquitto } from '../support/mqtt/mosquitto-process.ts';
import {
  bashShell,
  mosquitto,
  rabbitmqManagement,
  waitUntil,
  withService,
} from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { runCommand, UpProcess } from '../support/sockets/up-process.ts';

const report = z.strictObject({
  verdict: z.enum(['ok', 'warning', 'failed']),
  vehicles: z.int(),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      verdict: z.enum(['ok', 'warning', 'failed']),
      text: z.string(),
      remedy: z.string().nullable(),
    }),
  ),
});

/** The report of the command, and all that it printed. */
async function look(args: readonly string[]) {
  const { code, output, errors } = await runCommand(['doctor', '--json', ...args]);
  const { verdict, checks } = report.parse(JSON.parse(output));
  const checkOf = (name: string) => checks.find((one) => one.name === name);
  return { code, verdict, checks, checkOf, printed: `${output}${errors}` };
}

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'boxtwin-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

describe('boxtwin doctor', () => {
  test('ends with 0 where all is well, and makes nothing', async () => {
    const data = join(place, 'made', 'later');
    const { code, checks, checkOf } = await look(['--data', data, ...(await UpProcess.ownPorts())]);
    expect(checks.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
    expect(code).toBe(0);
    expect(checks.map(({ name }) => name)).toEqual([
      ...['node', 'fleet', 'open files', 'local ports', 'memory', 'heap'],
      ...['data directory', 'disk space', 'disk speed'],
      ...['MQTT', 'AMQP', 'AMQPS', 'API', 'simulator', 'console'].map((what) => `${what} port`),
      'clock',
    ]);
    expect(checkOf('data directory')?.text).toBe(`${data} will be made.`);
    const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
    for (const { name } of checks.filter((one) => !one.name.endsWith(' port')))
      expect(page).toContain(`| \`${name}\` |`);
    expect(readdirSync(place)).toEqual([]);
  });

  test('shows a line for each check in a pipe, and a remedy below', async () => {
    const file = join(place, 'file');
    writeFileSync(file, '');
    const { code, output: coloured } = await runCommand(['doctor', '--data', file, '--amqp', 'none']);
    // Continuous integration shows colours.
    const output = stripVTControlCharacters(coloured);
    expect(code).toBe(1);
    expect(output).toMatch(/^✓ node {2,}Node \d/m);
    expect(output).toMatch(/^✗ data directory {2,}.* is no directory\.\n {25}Give another directory/m);
    expect(output).toMatch(/\d check(s)? failed.*\.\n$/);
  });

  test('fails for a port that was named and is taken, and for two that are the same', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await waitUntil(() => holder.listening);
    const address = holder.address();
    const taken = String(typeof address === 'object' && address !== null ? address.port : 0);
    const free = String(await freePort());
    const ports = ['--port', taken, '--mqtt-port', free, '--amqp-port', free];
    const { code, checkOf } = await look(['--data', place, ...ports]);
    holder.close();
    expect(code).toBe(1);
    expect(checkOf('API port')?.text).toBe(`${taken} (--port) is taken.`);
    expect(checkOf('MQTT port')?.verdict).toBe('ok');
    expect(checkOf('AMQP port')?.text).toBe(`${free} (--amqp-port) is taken.`);
  });

  test('fails for a store of a newer version and for a damaged identity, and changes neither', async () => {
    const store = join(place, 'backend.sqlite');
    const database = new Database(store);
    database.pragma('user_version = 9999');
    database.close();
    const before = readFileSync(store);
    const newer = await look(['--data', place, '--amqp', 'none']);
    expect(newer.code).toBe(1);
    expect(newer.checkOf('data directory')?.text).toMatch(/schema version 9999; .* up to \d+\.$/);
    expect(readFileSync(store)).toEqual(before);
    writeFileSync(join(place, 'boxtwin.json'), '{');
    const damaged = await look(['--data', place, '--amqp', 'none']);
    expect(damaged.checkOf('data directory')?.remedy).toMatch(/boxtwin\.json cannot be read.*--fresh/);
    expect(readdirSync(place).sort()).toEqual(['backend.sqlite', 'boxtwin.json']);
  });

  test.each([
    ['--vehicles', '100001'],
    ['--amqp-ca', 'file.pem'],
    ['--amqp', 'http://user:secret@host'],
  ])(
    'a wrong option (%s %s) ends with 2, and without a password',
    async (...option) => {
      const { code, output, errors } = await runCommand(['doctor', '--data', place, ...option]);
      expect([code, output]).toEqual([2, '']);
      expect(errors).toContain(option[0]);
      expect(errors).not.toContain('secret');
    },
    60_000,
  );

  test('a broker where nobody listens, or somebody else, has failed with what to do', async () => {
    const silent = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
    await waitUntil(() => silent.listening);
    const address = silent.address();
    const other = typeof address === 'object' && address !== null ? address.port : 0;
    const nobody = await freePort();
    const account = 'service:very-secret';
    const { code, checkOf, printed } = await look([
      ...['--data', place, '--mqtt', `mqtt://${account}@127.0.0.1:${nobody}`],
      ...['--amqp', `amqp://${account}@127.0.0.1:${other}`],
      ...['--amqp-admin', `http://${account}@127.0.0.1:${nobody}`],
    ]);
    silent.close();
    expect(code).toBe(1);
    expect(checkOf('MQTT broker')).toMatchObject({
      verdict: 'failed',
      text: expect.stringContaining('ECONNREFUSED'),
      remedy: expect.stringContaining('Start the broker'),
    });
    expect(checkOf('AMQP broker')?.verdict).toBe('failed');
    expect(checkOf('AMQP management')).toMatchObject({
      verdict: 'failed',
      remedy: expect.stringContaining('rabbitmq-plugins enable rabbitmq_management'),
    });
    expect(printed).not.toContain('very-secret');
    expect(checkOf('MQTT port')).toBeUndefined();
  });
});

describe('boxtwin doctor beside a boxtwin that runs', () => {
  let data: string;
  let running: UpProcess;
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
    running = await UpProcess.start(['--vehicles', '1', '--data', data, ...(await UpProcess.ownPorts())]);
  });
  afterAll(async () => {
    await running.end('SIGTERM');
    rmSync(data, { recursive: true, force: true });
  });

  test('its data directory is in use, and its brokers take the accounts that it has', async () => {
    const { code, checkOf } = await look([
      ...['--data', data, '--mqtt', running.ready.mqtt_url, '--amqp', running.ready.amqp_url ?? ''],
    ]);
    expect(checkOf('data directory')).toMatchObject({
      verdict: 'warning',
      text: `${data} is in use by another process.`,
    });
    expect(checkOf('MQTT broker')).toMatchObject({ verdict: 'ok', text: expect.stringContaining('backend') });
    expect(checkOf('AMQP broker')?.verdict).toBe('ok');
    expect(code).toBe(0);
    // It goes on as before.
    expect((await fetch(`${running.ready.base_url}/health/ready`)).status).toBe(200);
  });

  test('a wrong password is refused with the reason and the remedy, and shown nowhere', async () => {
    const withWrong = (url: string, username: string) =>
      url.replace(/\/\/(.*@)?/, `//${username}:very-secret@`);
    const { code, checkOf, printed } = await look([
      ...['--data', place, '--mqtt', withWrong(running.ready.mqtt_url, 'backend')],
      ...['--amqp', withWrong(running.ready.amqp_url ?? '', running.ready.amqp_username ?? '')],
    ]);
    expect(code).toBe(1);
    expect(checkOf('MQTT broker')).toMatchObject({
      verdict: 'failed',
      text: expect.stringMatching(/refuses the sign-in of backend \(--mqtt, reason code [45]\)/),
      remedy: expect.stringContaining('mqtt://user:password@host'),
    });
    expect(checkOf('AMQP broker')).toMatchObject({
      verdict: 'failed',
      text: expect.stringContaining('refuses the sign-in'),
      remedy: expect.stringContaining('amqp://user:password@host'),
    });
    expect(printed).not.toContain('very-secret');
  });
});

await withService(bashShell, ({ bash }) => {
  describe('boxtwin up with more vehicles than this process has open files for', () => {
    const command = fileURLToPath(new URL('../../bin/boxtwin.js', import.meta.url));
    const begun: ChildProcess[] = [];
    afterEach(() => {
      // One that a failed test left.
      for (const child of begun.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
    });
    const begin = (files: number, args: readonly string[]) => {
      const script = `ulimit -n ${files}; exec "$0" "$@"`;
      const child = spawn(bash, ['-c', script, process.execPath, command, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      begun.push(child);
      const said = { output: '', errors: '' };
      child.stdout.on('data', (chunk: Buffer) => {
        said.output += chunk.toString('utf8');
      });
      child.stderr.on('data', (chunk: Buffer) => {
        said.errors += chunk.toString('utf8');
      });
      return { child, said, closed: once(child, 'close') as Promise<[number | null]> };
    };
    const under = async (files: number, args: readonly string[]) => {
      const { said, closed } = begin(files, args);
      const [code] = await closed;
      return { code, errors: said.errors };
    };

    test('is refused with both figures and the remedy before anything is started or written', async () => {
      const data = join(place, 'none');
      const { code, errors } = await under(256, ['up', '--vehicles', '500', '--data', data]);
      expect(code).toBe(2);
      expect(errors).toContain('500 vehicles need 1,400 open files; this process may have 256.');
      expect(errors).toContain('Raise it: ulimit -n 1400');
      expect(existsSync(data)).toBe(false);
    });

    test('is not looked at where the fleet is small', async () => {
      const ports = await UpProcess.ownPorts();
      const small = ['--vehicles', '3', '--radio', 'ideal', '--drivers', 'off', '--data', place];
      const { child, said, closed } = begin(256, ['up', '--json', ...small, ...ports]);
      await waitUntil(() => said.output.includes('\n') || child.exitCode !== null, 50_000);
      child.kill('SIGTERM');
      const [code] = await closed;
      expect(said.output, said.errors).toContain('"ready":true');
      expect(code).toBe(0);
    });

    test('is what doctor says too, with exit code 1', async () => {
      const { code } = await under(256, ['doctor', '--vehicles', '500', '--data', place]);
      expect(code).toBe(1);
    });
  });
});

await withService(mosquitto, (programs) => {
  test('a Mosquitto takes the account of the URL, and refuses a wrong password', async () => {
    const broker = await startMosquitto(programs, [{ username: 'service', password: 'right secret' }]);
    const at = (password: string) => broker.url.replace('//', `//service:${encodeURIComponent(password)}@`);
    const right = await look(['--data', place, '--amqp', 'none', '--mqtt', at('right secret')]);
    const wrong = await look(['--data', place, '--amqp', 'none', '--mqtt', at('wrong secret')]);
    const unknown = await look(['--data', place, '--amqp', 'none', '--mqtt', broker.url]);
    await broker.stop();
    expect(right.checkOf('MQTT broker')?.verdict).toBe('ok');
    expect(wrong.checkOf('MQTT broker')?.text).toMatch(/sign-in of service \(--mqtt, reason code [45]\)/);
    expect(unknown.checkOf('MQTT broker')?.text).toContain(
      'backend without a password: the first start makes one',
    );
    expect(`${right.printed}${wrong.printed}`).not.toMatch(/(right|wrong)( |%20)secret/);
  });
});

await withService(rabbitmqManagement, ({ url, adminUrl }) => {
  test('a RabbitMQ and its management interface take right accounts, and refuse wrong ones', async () => {
    const withWrong = (text: string) => {
      const wrong = new URL(text);
      wrong.password = 'very-secret';
      return wrong.href;
    };
    const right = await look(['--data', place, '--amqp', url, '--amqp-admin', adminUrl]);
    expect(right.checkOf('AMQP broker')?.verdict).toBe('ok');
    expect(right.checkOf('AMQP management')?.verdict).toBe('ok');
    const wrong = await look([
      '--data',
      place,
      '--amqp',
      withWrong(url),
      '--amqp-admin',
      withWrong(adminUrl),
    ]);
    expect(wrong.checkOf('AMQP broker')?.text).toContain('refuses the sign-in');
    expect(wrong.checkOf('AMQP management')?.remedy).toContain('administrator');
    expect(wrong.printed).not.toContain('very-secret');
  });
});
