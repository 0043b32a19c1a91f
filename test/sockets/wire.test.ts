import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { READY_FILE, writeAddressFile } from '../../deployment/directory/address-files.ts';
import { type Running, start } from '../../library/start.ts';
import { waitUntil } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { runCommand, UpProcess } from '../support/sockets/up-process.ts';

const PATIENCE_MS = 60_000;

describe('boxtwin wire and provoke with a running service', () => {
  let running: Running;
  let data: string;
  beforeAll(async () => {
    running = await start({ vehicles: 1 });
    data = mkdtempSync(join(tmpdir(), 'boxtwin-wire-'));
    // As `up` leaves it: with ports that are not the usual ones.
    const { baseUrl, simulatorUrl, clientId, clientSecret } = running;
    const place = { base_url: baseUrl, simulator_url: simulatorUrl };
    const client = { client_id: clientId, client_secret: clientSecret };
    writeAddressFile(data, READY_FILE, JSON.stringify({ ...place, ...client }));
  });
  afterAll(async () => {
    await running.stop();
    rmSync(data, { recursive: true, force: true });
  });
  const vehicle = () => running.vehicles[0]?.id ?? '';

  test('wire finds the service by its data directory, says what it waits for with a parked vehicle, and ends with 0', async () => {
    await running.box(vehicle()).park();
    await waitUntil(
      async () => (await running.box(vehicle()).look()).truth['ignitionOn'] === false,
      PATIENCE_MS,
    );
    const wire = UpProcess.raw(['wire', vehicle(), '--data', data]);
    await waitUntil(() => wire.errors().includes('\n'), PATIENCE_MS);
    expect(wire.errors()).toMatch(/listening to box [0-9a-f]{16}.*is parked: its box sends when/);
    await running.box(vehicle()).doors(true);
    await waitUntil(() => wire.output().includes('▲ up'), PATIENCE_MS);
    expect(await wire.end('SIGINT')).toBe(0);
  }, 120_000);

  test('provoke finds the service by its data directory', async () => {
    const { code, output } = await runCommand([
      'provoke',
      'no-connection',
      '--undo',
      '--json',
      '--data',
      data,
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ answer: { status: 504 }, undone: true });
  }, 120_000);

  test('a wrong address is named, with what to do', async () => {
    const { baseUrl, simulatorUrl } = running;
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const refused = [
      [
        ['wire', vehicle(), '--simulator', baseUrl],
        /--simulator\) is that of the API, and not of the simulator/,
      ],
      [['wire', vehicle(), '--simulator', nobody], /There is no answer from .*--data/],
      [['wire', 'NOBODY', '--data', data], /No box and no vehicle has the id/],
      [
        ['provoke', 'no-connection', '--url', simulatorUrl, '--simulator', baseUrl],
        /--url\) is that of the simulator, and not of the API.*--url and --simulator are swapped/,
      ],
    ] as const;
    for (const [args, expected] of refused) {
      const { code, errors } = await runCommand([...args]);
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(errors).toMatch(expected);
      expect(errors.trim().split('\n')).toHaveLength(1);
    }
  }, 120_000);
});

test('wire reports in one line that its service has ended', async () => {
  const running = await start({ vehicles: 1 });
  const wire = UpProcess.raw(['wire', running.vehicles[0]?.id ?? '', '--simulator', running.simulatorUrl]);
  await waitUntil(() => wire.errors().includes('listening'), PATIENCE_MS);
  await running.stop();
  await waitUntil(() => wire.errors().includes('gone away'), PATIENCE_MS);
  expect(wire.errors()).not.toContain('    at ');
}, 120_000);
