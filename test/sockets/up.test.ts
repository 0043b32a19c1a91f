import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openSqliteStore, type SqliteStore } from '../../backend/store/sqlite.ts';
import { freePort, until } from '../services.ts';
import { runToEnd, UpProcess } from './up-process.ts';

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

  test('serves its fleet, and ends cleanly within 5 s of SIGTERM', async () => {
    const up = await UpProcess.start(['--vehicles', '3', '--data', data, ...(await UpProcess.ownPorts())]);
    expect(up.ready).toMatchObject({ amqp_url: null, queue: null });
    const response = await fetch(`${up.ready.base_url}/vehicles`, {
      headers: { authorization: `Bearer ${await up.token()}` },
    });
    const { items } = page.parse(await response.json());
    expect(items.filter((item) => item.telematics_unit !== null)).toHaveLength(3);
    // And two that have their maker's telematics.
    expect(items).toHaveLength(5);
    const { code, tookMs } = await up.end('SIGTERM');
    expect({ code, errors: up.errors }).toEqual({ code: 0, errors: '' });
    expect(tookMs).toBeLessThan(5_000);
  });

  test('goes on from flash and store after kill -9, without a gap or a second record', async () => {
    const args = ['--vehicles', '25', '--data', data, ...(await UpProcess.ownPorts())];
    for (let round = 0; round < 3; round += 1) {
      const up = await UpProcess.start(args);
      await stir(up);
      await up.end('SIGKILL');
    }
    const last = await UpProcess.start(args);
    await stir(last);
    const boxIds = await journalsEmpty(last);
    expect((await last.end('SIGINT')).code).toBe(0);

    const store = openSqliteStore(join(data, 'backend.sqlite'));
    for (const boxId of boxIds) expect(await gapsOf(store, boxId)).toEqual([]);
    await store.close();
  });

  test('drives its vehicles along a file of the user, by whose name they may be put onto it', async () => {
    const file = join(data, 'tour.gpx');
    const points = [52.5, 52.505, 52.51].map((lat) => `<trkpt lat="${lat}" lon="13.4"><ele>40</ele></trkpt>`);
    writeFileSync(file, `<gpx version="1.1"><trk><trkseg>${points.join('')}</trkseg></trk></gpx>`);
    const up = await UpProcess.start([
      ...['--vehicles', '2', '--data', data, '--route', file],
      ...(await UpProcess.ownPorts()),
    ]);
    const truth = z.looseObject({ route: z.string(), latitude: z.number(), longitude: z.number() });
    const face = z.looseObject({ items: z.array(z.looseObject({ truth })) });
    const { items } = face.parse(await (await fetch(`${up.ready.simulator_url}/boxes`)).json());
    for (const { truth: place } of items) {
      expect(place).toMatchObject({ route: 'tour.gpx', longitude: 13.4 });
      expect(place.latitude >= 52.5 && place.latitude <= 52.51).toBe(true);
    }
    expect((await up.end('SIGTERM')).code).toBe(0);
  });

  test('a route that cannot be driven is an error that names the file, the place in it and the reason', async () => {
    const broken = join(data, 'broken.gpx');
    writeFileSync(broken, '<gpx>\n<trk><trkseg>\n</trk></gpx>');
    const missing = join(data, 'missing.gpx');
    for (const [file, message] of [
      [broken, `boxtwin: The route ${broken}, line 3, is broken XML`],
      [missing, `boxtwin: The route ${missing} does not exist.`],
      [data, `boxtwin: The route ${data} is no file.`],
    ] as const) {
      const { code, errors, output } = await runToEnd(['up', '--data', join(data, 'new'), '--route', file]);
      expect({ code, output }).toEqual({ code: 2, output: '' });
      expect(errors).toContain(message);
    }
  });

  test('a port that the user gave and that is taken is an error that names it', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await until(() => holder.listening);
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, errors } = await runToEnd(['up', '--vehicles', '0', '--data', data, '--port', `${port}`]);
    holder.close();
    expect(code).toBe(2);
    expect(errors).toContain(`Port ${port} (--port) is taken`);
  });

  test('a data directory of a newer version is refused, and left as it was', async () => {
    writeFileSync(join(data, 'boxtwin.json'), '{"format":99}');
    const { code, errors } = await runToEnd(['up', '--vehicles', '0', '--data', data]);
    expect(code).toBe(2);
    expect(errors).toContain('written by a newer version');
  });

  test('a data directory that another one uses is refused', async () => {
    const up = await UpProcess.start(['--vehicles', '1', '--data', data, ...(await UpProcess.ownPorts())]);
    const { code, errors } = await runToEnd(['up', '--vehicles', '1', '--data', data]);
    await up.end('SIGTERM');
    expect(code).toBe(2);
    expect(errors).toContain('Is another "boxtwin up" running on it?');
  });

  test('--fresh does not take the files from under one that runs', async () => {
    const up = await UpProcess.start(['--vehicles', '1', '--data', data, ...(await UpProcess.ownPorts())]);
    const { code, errors } = await runToEnd(['up', '--vehicles', '1', '--data', data, '--fresh']);
    expect(code).toBe(2);
    expect(errors).toContain('Is another "boxtwin up" running on it?');
    expect((await up.end('SIGTERM')).code).toBe(0);
  });

  test('ends at SIGTERM also while it waits for a broker that is not there, and says what it waits for', async () => {
    const waiting = UpProcess.raw([
      'up',
      '--json',
      '--data',
      data,
      '--mqtt',
      `mqtt://127.0.0.1:${await freePort()}`,
      '--port',
      `${await freePort()}`,
    ]);
    await until(() => waiting.errors().includes('waiting for the MQTT broker'));
    expect(await waiting.end('SIGTERM')).toBe(0);
  });

  test.each([
    ['backend.sqlite', '--fresh'],
    ['flash.sqlite', '--fresh'],
    ['boxtwin.json', '--fresh'],
  ])('a broken %s is named, with what to do', async (name, hint) => {
    writeFileSync(join(data, name), 'this is no database, and no JSON either. '.repeat(200));
    const { code, errors } = await runToEnd(['up', '--vehicles', '0', '--data', data]);
    expect(code).toBe(2);
    expect(errors).toContain(name);
    expect(errors).toContain(hint);
    expect(errors).not.toContain('    at ');
  });

  test.each([
    [['up', '--vehicels', '3'], '--vehicles'],
    [['up', '--vehicles', 'many'], 'whole number'],
    [['up', '--amqp', 'http://nowhere'], 'amqp://'],
    [['upp'], 'up'],
  ])('%j is answered with what was meant, and exit code 2', async (args, hint) => {
    const { code, errors } = await runToEnd(args);
    expect(code).toBe(2);
    expect(errors).toContain(hint);
  });
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
  await until(async () => {
    const { items } = list.parse(await (await fetch(`${up.ready.simulator_url}/boxes?limit=100`)).json());
    ids = items.map((item) => item.boxId);
    return items.every((item) => item.belief.journal.held === 0 && item.belief.journal.next > 4);
  });
  return ids;
}

/** What is wrong with a box's stored records: a hole that no tombstone explains, or a second epoch. */
async function gapsOf(store: SqliteStore, boxId: string): Promise<readonly string[]> {
  const records = await store.ingest.records({ boxId, after: undefined, limit: 1_000 });
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
