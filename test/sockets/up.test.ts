import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'amqplib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openSqliteStore, type SqliteStore } from '../../backend/store/sqlite/store.ts';
import { startLocalDeployment } from '../../deployment/local-deployment.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import type { LocalDeploymentOptions } from '../../deployment/shared/deployment-options.ts';
import { waitUntil } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { runCommand, UpProcess } from '../support/sockets/up-process.ts';

const page = z.looseObject({
  items: z.array(
    z.looseObject({ id: z.string(), telematics_unit: z.looseObject({ id: z.string() }).nullable() }),
  ),
});

describe('boxtwin up', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'boxtwin-'));
  });
  afterEach(() => rmSync(data, { recursive: true, force: true }));

  test('serves its fleet, locks its data directory, and ends cleanly at SIGTERM', async () => {
    const up = await UpProcess.start(['--vehicles', '3', '--data', data, ...(await UpProcess.ownPorts())]);
    expect(up.ready).toMatchObject({ queue: 'VehicleState_v1-demo', amqp_ca: join(data, 'tls', 'ca.pem') });
    const response = await fetch(`${up.ready.base_url}/vehicles`, {
      headers: { authorization: `Bearer ${await up.token()}` },
    });
    const { items } = page.parse(await response.json());
    expect(items.filter((item) => item.telematics_unit !== null)).toHaveLength(3);
    // And two that have their maker's telematics.
    expect(items).toHaveLength(5);
    const others = [[], ['--fresh']].map((more) =>
      runCommand(['up', '--vehicles', '1', '--data', data, ...more]),
    );
    for (const { code, errors } of await Promise.all(others)) {
      expect(code).toBe(2);
      expect(errors).toContain('Is another "boxtwin up" running on it?');
    }
    const { code } = await up.end('SIGTERM');
    expect({ code, errors: up.errors }).toEqual({ code: 0, errors: '' });
  }, 180_000);

  test('continues from flash, store and queue after kill -9, without a gap or a duplicate record, and with every message', async () => {
    const args = ['--vehicles', '25', '--data', data, ...(await UpProcess.ownPorts())];
    for (let round = 0; round < 2; round += 1) {
      const up = await UpProcess.start(args);
      await stir(up);
      await up.end('SIGKILL');
    }
    const last = await UpProcess.start(args);
    await stir(last);
    const boxIds = await journalsEmpty(last);
    expect((await last.end('SIGINT')).code).toBe(0);

    const store = openSqliteStore(join(data, 'backend.sqlite'));
    const stored: string[] = [];
    for (const boxId of boxIds) {
      const records = await store.ingest.records({ boxId, after: undefined, limit: 1_000 });
      expect(gapsOf(boxId, records)).toEqual([]);
      stored.push(...records.flatMap((record) => record.messageId ?? []));
    }
    await store.close();
    // The outbox publisher finishes the messages in flight.
    const deployment = beginHere({ vehicles: 25 });
    const { messages } = await deployment.ready;
    const queued = await reading(messages?.url ?? '', messages?.queue ?? '');
    await waitUntil(() => stored.every((id) => queued.ids.has(id)), 60_000);
    await queued.leave();
    await deployment.close();
  }, 240_000);

  test('has the road radio by default, and an ideal one on request', async () => {
    const face = z.looseObject({ items: z.array(z.looseObject({ radio: z.string() })) });
    for (const [isUsual, radio] of [
      [true, 'road'],
      [false, 'ideal'],
    ] as const) {
      const options = ['--vehicles', '1', '--data', join(data, radio), ...(await UpProcess.ownPorts())];
      const up = await UpProcess.start(options, isUsual);
      const { items } = face.parse(await (await fetch(`${up.ready.simulator_url}/boxes`)).json());
      expect(new Set(items.map((box) => box.radio))).toEqual(new Set([radio]));
      expect((await up.end('SIGTERM')).code).toBe(0);
    }
  }, 180_000);

  test('drives its vehicles along a route file of the user, which can be chosen by its name', async () => {
    const file = join(data, 'tour.gpx');
    const points = [52.5, 52.505, 52.51].map((lat) => `<trkpt lat="${lat}" lon="13.4"><ele>40</ele></trkpt>`);
    writeFileSync(file, `<gpx version="1.1"><trk><trkseg>${points.join('')}</trkseg></trk></gpx>`);
    const deployment = beginHere({ routeFile: file, vehicles: 2 });
    const { simulatorUrl } = await deployment.ready;
    const truth = z.looseObject({ route: z.string(), latitude: z.number(), longitude: z.number() });
    const face = z.looseObject({ items: z.array(z.looseObject({ truth })) });
    const { items } = face.parse(await (await fetch(`${simulatorUrl}/boxes`)).json());
    for (const { truth: place } of items) {
      expect(place).toMatchObject({ route: 'tour.gpx', longitude: 13.4 });
      expect(place.latitude >= 52.5 && place.latitude <= 52.51).toBe(true);
    }
    await deployment.close();
  }, 180_000);

  test('an invalid route is an error that names the file, the position in it and the reason', async () => {
    const broken = join(data, 'broken.gpx');
    writeFileSync(broken, '<gpx>\n<trk><trkseg>\n</trk></gpx>');
    const missing = join(data, 'missing.gpx');
    for (const [routeFile, message] of [
      [broken, `The route ${broken}, line 3, is broken XML`],
      [missing, `The route ${missing} does not exist. Name a route in GPX or GeoJSON.`],
      [data, `The route ${data} is a directory, not a regular file.`],
    ] as const) {
      const failure = await failureOf({ data: join(data, 'new'), routeFile });
      expect(failure.message).toContain(message);
    }
  });

  test('a port given by the user that is in use is an error that names it', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await waitUntil(() => holder.listening);
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { message } = await failureOf({ port });
    holder.close();
    expect(message).toContain(`Port ${port} (--port) is taken`);
  });

  test('a refused start leaves no new data directory behind, and keeps an existing one', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await waitUntil(() => holder.listening);
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const made = join(data, 'made', 'anew');
    for (const wrong of [
      { port },
      { simulatorPort: port },
      { amqpPort: port },
      { givenAmqp: { caFile: '/nowhere' } },
    ]) {
      await failureOf({ data: made, ...wrong });
      expect(existsSync(join(data, 'made')), JSON.stringify(wrong)).toBe(false);
    }
    mkdirSync(join(data, 'mine'));
    writeFileSync(join(data, 'mine', 'notes.txt'), 'mine');
    await failureOf({ data: join(data, 'mine'), port });
    holder.close();
    expect(readFileSync(join(data, 'mine', 'notes.txt'), 'utf8')).toBe('mine');
    expect(existsSync(join(data, 'mine', 'boxtwin.json'))).toBe(true);
  });

  test('a data directory of a newer version is refused, and left unchanged', async () => {
    writeFileSync(join(data, 'boxtwin.json'), '{"format":99}');
    expect((await failureOf({})).message).toContain('written by a newer version');
    expect(readFileSync(join(data, 'boxtwin.json'), 'utf8')).toBe('{"format":99}');
  });

  test('ends at SIGTERM even while it waits for an unreachable broker, and says what it waits for', async () => {
    const [mqtt, amqp, port] = [await freePort(), await freePort(), await freePort()];
    const waiting = UpProcess.raw([
      ...['up', '--json', '--data', data, '--port', `${port}`],
      ...['--mqtt', `mqtt://127.0.0.1:${mqtt}`, '--amqp', `amqp://127.0.0.1:${amqp}`],
    ]);
    await waitUntil(() => waiting.errors().includes('waiting for the MQTT broker'), 90_000);
    const aboutAmqp = waiting.errors().match(/waiting for the AMQP broker/g);
    expect(await waiting.end('SIGTERM')).toBe(0);
    expect(aboutAmqp).toHaveLength(1);
  }, 120_000);

  test('ends when a reader closes the pipe after the beginning of its banner', async () => {
    // On the default ports, or the next free ones: no other process can take them in between.
    const command = ['bin/boxtwin.js', 'up', '--vehicles', '1', '--data', data];
    const shell = `"$0" "$@" | head -n 2; exit "\${PIPESTATUS[0]}"`;
    const seen = await new Promise((resolve, reject) => {
      const child = execFile(
        'bash',
        ['-c', shell, process.execPath, ...command],
        { timeout: 50_000, env: { ...process.env, NO_COLOR: '1' } },
        (error, stdout, stderr) =>
          error?.killed === true ? reject(error) : resolve({ code: child.exitCode, stdout, stderr }),
      );
    });
    expect(seen).toMatchObject({ code: 0, stdout: expect.stringContaining('is up: 1 vehicle'), stderr: '' });
  });

  test('ends when the reader of its output closes the pipe, with nothing lost', async () => {
    const up = UpProcess.raw(['up', '--vehicles', '1', '--data', data, ...(await UpProcess.ownPorts())]);
    expect(await up.readerLeaves()).toBe(0);
    expect(up.errors()).toBe('');
    expect(existsSync(join(data, 'ready.json'))).toBe(false);
  });

  test.each([
    ['backend.sqlite', '--fresh'],
    ['flash.sqlite', '--fresh'],
    ['amqp.sqlite', '--fresh'],
    ['boxtwin.json', '--fresh'],
    ['tls/ca.pem', 'remove that folder'],
  ])('a damaged %s is named, with what to do', async (name, hint) => {
    mkdirSync(join(data, 'tls'));
    writeFileSync(join(data, name), 'this is no database, and no JSON either. '.repeat(200));
    const { message } = await failureOf({});
    expect(message).toContain(name.split('/')[0]);
    expect(message).toContain(hint);
    expect(message).not.toContain('    at ');
  });

  test('invalid options are answered with a suggestion and exit code 2', async () => {
    const wrong = [
      [['up', '--vehicels', '3'], '--vehicles'],
      [['up', '--vehicles', 'many'], 'whole number'],
      [['up', '--amqp', 'http://nowhere'], 'amqp://'],
      [['up', '--radio', 'static'], 'road or ideal'],
      [['up', '--data', data, '--amqp-ca', '/nowhere'], '--amqp-ca is for your own broker'],
      [['upp'], 'up'],
    ] as const;
    const answers = wrong.map(async ([args, hint]) => ({ args, hint, ...(await runCommand([...args])) }));
    for (const { args, hint, code, errors } of await Promise.all(answers)) {
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(errors).toContain(hint);
    }
  }, 180_000);

  /** In this process, which is what takes no time. */
  function beginHere(more: Partial<LocalDeploymentOptions>) {
    return startLocalDeployment({
      vehicles: 0,
      seed: undefined,
      isFresh: false,
      data,
      logLevel: 'silent' as const,
      port: 0,
      simulatorPort: 0,
      mqttPort: 0,
      amqpPort: 0,
      amqpsPort: 0,
      mqtt: 'embedded',
      amqp: 'embedded',
      givenAmqp: {},
      ...more,
    });
  }

  /** With what the start fails; it is in the user's terms, and the command ends with 2. */
  async function failureOf(more: Partial<LocalDeploymentOptions>): Promise<CommandError> {
    const failure: unknown = await beginHere(more).ready.then(String, (error: unknown) => error);
    if (!(failure instanceof CommandError)) throw new Error(`no Failure: ${String(failure)}`);
    expect(failure.exitCode).toBe(2);
    return failure;
  }
});

/** Makes every box write records: doors open and close while they stand or drive. */
async function stir(up: UpProcess): Promise<void> {
  for (const id of await boxes(up)) {
    for (const action of ['park', 'drive']) {
      await fetch(`${up.ready.simulator_url}/boxes/${id}/${action}`, { method: 'POST' });
    }
    await fetch(`${up.ready.simulator_url}/boxes/${id}/cut-link`, { method: 'POST' });
  }
}

async function boxes(up: UpProcess): Promise<readonly string[]> {
  const response = await fetch(`${up.ready.simulator_url}/boxes?limit=100`);
  const body = z
    .looseObject({ items: z.array(z.looseObject({ boxId: z.string() })) })
    .parse(await response.json());
  return body.items.map((item) => item.boxId);
}

/** Resolves once every journal has been receipted, with the boxes' ids. */
async function journalsEmpty(up: UpProcess): Promise<readonly string[]> {
  const list = z.looseObject({
    items: z.array(
      z.looseObject({
        boxId: z.string(),
        belief: z.looseObject({ journal: z.looseObject({ held: z.number(), next: z.number() }) }),
      }),
    ),
  });
  let ids: readonly string[] = [];
  await waitUntil(async () => {
    const { items } = list.parse(await (await fetch(`${up.ready.simulator_url}/boxes?limit=100`)).json());
    ids = items.map((item) => item.boxId);
    return items.every((item) => item.belief.journal.held === 0 && item.belief.journal.next > 2);
  });
  return ids;
}

/** What is wrong with a box's stored records: a hole that no tombstone explains, or a second epoch. */
function gapsOf(
  boxId: string,
  records: Awaited<ReturnType<SqliteStore['ingest']['records']>>,
): readonly string[] {
  const findings: string[] = [];
  if (records.length === 0) findings.push(`${boxId} has no record`);
  if (new Set(records.map((record) => record.epoch)).size > 1) findings.push(`${boxId} has two epochs`);
  let expected = 1;
  for (const record of records) {
    if (record.sequence !== expected) findings.push(`${boxId}: ${record.sequence} follows ${expected - 1}`);
    expected = record.sequence + 1;
  }
  const ids = records.flatMap((record) => record.messageId ?? []);
  if (new Set(ids).size !== ids.length) findings.push(`${boxId}: a message id stands twice`);
  return findings;
}

/** The ids of the messages in a queue, without acknowledging any. */
async function reading(url: string, queue: string) {
  const ids = new Set<string>();
  const connection = await connect(url);
  const channel = await connection.createChannel();
  await channel.consume(queue, (message) => {
    if (message !== null) ids.add(String(message.properties.messageId));
  });
  return { ids, leave: () => connection.close() };
}
