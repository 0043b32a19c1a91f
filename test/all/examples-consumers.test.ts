import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlApi, controlApiAt } from '../../deployment/http/control-api.ts';
import { javaRabbit, pythonPika, waitUntil, withService } from '../support/run/external-services.ts';
import { ExampleProcess, exampleVariables } from '../support/sockets/example-process.ts';
import { runCommand, UpProcess } from '../support/sockets/up-process.ts';

/** A consumer of the examples, and the messages that it has kept: of each its id, and the line that the ledger reads. */
interface Consumer {
  readonly start: (variables: Readonly<Record<string, string>>) => ExampleProcess;
  readonly kept: () => readonly { readonly id: string; readonly line: string }[];
}

const folder = mkdtempSync(join(tmpdir(), 'boxtwin-examples-'));
const data = join(folder, 'data');
const consumers: Consumer[] = [];
const started: ExampleProcess[] = [];
let options: readonly string[];
let up: UpProcess;
let control: ControlApi;
/** What came to the queue of the fleet meanwhile, as `boxtwin tail` tells it. */
let reference: ReadonlySet<string>;
let since: string;

/**
 * Half a minute that none of the examples may notice: storm, confirms that are lost so that messages come twice, an exchange
 * that is away, the consumers killed, and everything else killed.
 */
async function badWeather(): Promise<void> {
  await control('PUT', '/weather', { preset: 'storm' });
  await control('POST', '/faults', {
    weather: { lose: { message: 'amqp-confirm', count: 4, connection: 'cut' } },
  });
  await sleep(4_000);
  await restarted(started);
  await control('POST', '/faults', { weather: 'cut' });
  await control('POST', '/faults', { break: { exchange: 'down' }, for: '3s' });
  await sleep(4_000);
  await up.end('SIGKILL');
  up = await UpProcess.start(options);
  await control('PUT', '/weather', { preset: 'storm' });
  await sleep(5_000);
  await control('POST', '/faults', {
    weather: { lose: { message: 'amqp-confirm', count: 4, connection: 'cut' } },
  });
  await restarted(started);
  await control('POST', '/faults', { weather: { stall: {} }, for: '3s' });
  await sleep(4_000);
  await control('PUT', '/weather', { preset: 'none' });
}

/** Two minutes of what a swarm draws; all is as before in the end. */
async function swarm(): Promise<void> {
  const { code, output, errors } = await runCommand([
    ...['swarm', '--running', '--data', data],
    ...['--minutes', '2', '--seed', '1'],
  ]);
  expect(code, `${output}${errors}`).toBe(0);
}

async function restarted(processes: readonly ExampleProcess[]): Promise<void> {
  await Promise.all(processes.map((one) => one.end('SIGKILL')));
  await Promise.all(processes.map((one) => one.start('connected')));
}

beforeAll(async () => {
  options = ['--vehicles', '8', '--drivers', 'off', '--data', data, ...(await UpProcess.ownPorts())];
  up = await UpProcess.start(options);
  control = controlApiAt(up.ready.simulator_url);
  await reportOften();
  const variables = exampleVariables(up.ready);
  started.push(...consumers.map((one) => one.start(variables)));
  await Promise.all(started.map((one) => one.start('connected')));
  const tail = UpProcess.raw([
    'tail',
    '--amqp',
    up.ready.amqp_url ?? '',
    '--queue',
    up.ready.queue ?? '',
    '--json',
  ]);
  since = `${new Date(Date.now() + 1_000).toISOString().slice(0, 19)}Z`;
  try {
    await sleep(1_000);
    await badWeather();
    await swarm();
    // Everybody is parked, so that the last message comes to an end.
    await parkAll();
    await quiet(() => tail.output().length);
  } finally {
    await tail.end('SIGTERM');
  }
  const lines = tail.output().trim().split('\n');
  const arrived = lines.map((line) => JSON.parse(line) as { body: Body }).map(({ body }) => body);
  reference = new Set(
    arrived
      .filter(({ data: { received_at } }) => received_at >= since)
      .map((body) => body.metadata.message_id),
  );
}, 420_000);
afterAll(async () => {
  await Promise.all(started.map((one) => one.end('SIGKILL')));
  await up.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Body {
  readonly metadata: { readonly message_id: string };
  readonly data: { readonly vehicle_id: string; readonly received_at: string };
}

/** Each vehicle that drives reports every two seconds. */
async function reportOften(): Promise<void> {
  const headers = { authorization: `Bearer ${await up.token()}`, 'content-type': 'application/json' };
  const list = await fetch(`${up.ready.base_url}/vehicles`, { headers });
  const { items } = (await list.json()) as { readonly items: readonly { readonly id: string }[] };
  const wish = {
    items: items.map(({ id }) => ({ id })),
    feature_configuration: { tracking: { time_interval_in_seconds: 2 } },
  };
  const answer = await fetch(`${up.ready.base_url}/configure-vehicle-telematics-unit-bulk`, {
    method: 'POST',
    headers,
    body: JSON.stringify(wish),
  });
  expect(answer.status).toBe(201);
}

async function parkAll(): Promise<void> {
  const { items } = (await control('GET', '/boxes')) as {
    readonly items: readonly { readonly boxId: string }[];
  };
  for (const { boxId } of items) await control('POST', `/boxes/${boxId}/park`, {});
}

/** Resolves once it has stayed the same for three seconds. */
async function quiet(count: () => number): Promise<void> {
  let [last, sinceMs] = [-1, Date.now()];
  await waitUntil(() => {
    if (count() !== last) [last, sinceMs] = [count(), Date.now()];
    return Date.now() - sinceMs > 3_000;
  });
}

function hasNothingLost(consumer: Consumer): void {
  test('has each message once that came to the queue of the fleet, through all of it', async () => {
    await waitUntil(() => missing(consumer).length === 0, 20_000).catch(() => undefined);
    expect(missing(consumer)).toEqual([]);
    const ids = consumer.kept().map(({ id }) => id);
    expect(ids.length).toBe(new Set(ids).size);
    expect(reference.size).toBeGreaterThan(40);
  });

  test('has lost and doubled nothing that the boxes recorded, by the ledger', async () => {
    const file = join(folder, `ledger-${consumers.indexOf(consumer)}.ndjson`);
    writeFileSync(
      file,
      consumer
        .kept()
        .map(({ line }) => `${line}\n`)
        .join(''),
    );
    const { code, output } = await runCommand([
      'ledger',
      '--data',
      data,
      '--messages',
      file,
      '--since',
      since,
    ]);
    expect(code, output).toBe(0);
  });
}

function subscribesAnew(discriminator: string): void {
  test('makes its subscription anew when somebody has deleted it', async () => {
    const headers = { authorization: `Bearer ${await up.token()}` };
    const path = `${up.ready.base_url}/message-subscriptions`;
    const idOfIt = async (): Promise<string | undefined> => {
      const list = (await (await fetch(path, { headers })).json()) as {
        readonly items: readonly { readonly id: string; readonly queue_discriminator: string }[];
      };
      return list.items.find(({ queue_discriminator: name }) => name === discriminator)?.id;
    };
    const before = await idOfIt();
    expect(before).toBeDefined();
    expect((await fetch(`${path}/${before}`, { method: 'DELETE', headers })).status).toBe(204);
    await waitUntil(async () => ![undefined, before].includes(await idOfIt()), 60_000);
  });
}

function missing(consumer: Consumer): readonly string[] {
  const has = new Set(consumer.kept().map(({ id }) => id));
  return [...reference].filter((id) => !has.has(id));
}

await withService(pythonPika, ({ python }) => {
  const DATABASE = join(folder, 'messages.sqlite');
  const consumer: Consumer = {
    start: (variables) => new ExampleProcess('python/consumer.py', { ...variables, DATABASE }, python),
    kept: () => {
      const db = new DatabaseSync(DATABASE, { readOnly: true, timeout: 5_000 });
      const rows = db.prepare('select message_id, queue, redelivered, body from messages').all();
      db.close();
      return rows.map((row) => {
        const { message_id, queue, redelivered, body } = row as Readonly<Record<string, string | number>>;
        const line = { queue, redelivered: redelivered === 1, body: JSON.parse(String(body)) as unknown };
        return { id: String(message_id), line: JSON.stringify(line) };
      });
    },
  };
  consumers.push(consumer);
  describe('the consumer in Python', () => {
    hasNothingLost(consumer);
    subscribesAnew('python');
  });
});

await withService(javaRabbit, ({ java }) => {
  const MESSAGES = join(folder, 'messages.ndjson');
  const consumer: Consumer = {
    start: (variables) => new ExampleProcess('java/Consumer.java', { ...variables, MESSAGES }, java),
    kept: () =>
      readFileSync(MESSAGES, 'utf8')
        .trim()
        .split('\n')
        .map((body) => ({
          id: (JSON.parse(body) as Body).metadata.message_id,
          line: `{"queue": "VehicleState_v1-java", "body": ${body}}`,
        })),
  };
  consumers.push(consumer);
  describe('the consumer in Java', () => {
    hasNothingLost(consumer);
    subscribesAnew('java');
  });
});

describe('the consumer that does it wrong', () => {
  const DATABASE = join(folder, 'wrong.sqlite');
  const vehicle = '8B13V';
  let wrong: ExampleProcess;
  const counted = (): number => {
    if (!existsSync(DATABASE)) return 0;
    const db = new DatabaseSync(DATABASE, { readOnly: true, timeout: 5_000 });
    const row = db.prepare('select count from reports where vehicle_id = ?').get(vehicle);
    db.close();
    return Number(row?.['count'] ?? 0);
  };
  /** So many messages of the parked vehicle, each caused by a call. Resolves once all calls are answered. */
  const reports = async (count: number): Promise<void> => {
    const headers = { authorization: `Bearer ${await up.token()}` };
    const address = `${up.ready.base_url}/vehicles/${vehicle}/commands/request-vehicle-state`;
    for (let number = 0; number < count; number += 1)
      expect((await fetch(address, { method: 'POST', headers })).status).toBe(200);
  };
  beforeAll(async () => {
    wrong = new ExampleProcess('wrong/consumer.ts', { ...exampleVariables(up.ready), DATABASE });
    await wrong.start('connected');
  });
  afterAll(() => wrong.end('SIGKILL'));

  test('counts right where nothing fails, so that nobody notices', async () => {
    await reports(3);
    await waitUntil(() => counted() === 3, 15_000);
  });

  test('counts a message again that the service repeats', async () => {
    const before = counted();
    await control('POST', '/faults', {
      weather: { lose: { message: 'amqp-confirm', count: 2, connection: 'cut' } },
    });
    await reports(4);
    await waitUntil(() => counted() > before + 4, 20_000);
  });

  test('loses what it had acknowledged and not written when it is killed', async () => {
    const before = counted();
    // It has just written, and writes again in three seconds.
    await reports(1);
    await waitUntil(() => counted() > before, 15_000);
    const after = counted();
    await reports(4);
    await sleep(1_000);
    await wrong.end('SIGKILL');
    await wrong.start('connected');
    await reports(1);
    await waitUntil(() => counted() === after + 1, 15_000);
  });

  test('loses what waits in its queue while it is away', async () => {
    const before = counted();
    await wrong.end('SIGTERM');
    await reports(3);
    await wrong.start('connected');
    await reports(1);
    await waitUntil(() => counted() === before + 1, 15_000);
  });
});
