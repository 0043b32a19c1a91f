import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandsOf } from '../support/docs/page-commands.ts';
import { fileOnPage } from '../support/docs/page-files.ts';
import { SMALL_VAN_DBC } from '../support/models/small-van.ts';
import { runCommand, UpProcess } from '../support/sockets/up-process.ts';

const PAGE = 'docs/models-from-dbc.md';
const page = readFileSync(new URL(`../../${PAGE}`, import.meta.url), 'utf8');

/** The arguments of every `npx boxtwin` on the page, in their order. */
const commands = commandsOf(page).map(({ command }) => command.trim().split(' ').slice(2));

describe('docs/models-from-dbc.md, from the DBC file to a vehicle that reports', () => {
  let folder: string;
  const inFolder = (word: string): string => (/[./]|^models$/.test(word) ? join(folder, word) : word);
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'boxtwin-dbc-'));
    for (const file of ['city-van.dbc', 'first-trip.yaml'])
      writeFileSync(join(folder, file), fileOnPage(PAGE, file));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('every command of the page does what it says', async () => {
    const ending = commands.filter(([name]) => name !== 'up');
    expect(ending.map(([name, what]) => `${name} ${what}`)).toEqual([
      'model from-dbc',
      'model check',
      'scenario run',
      'model schema',
    ]);
    const said: string[] = [];
    for (const words of ending) {
      const { code, output, errors } = await runCommand(words.map(inFolder));
      expect([words.join(' '), code, errors.replace(/^.*\d+ %.*$/gm, '')]).toEqual([
        words.join(' '),
        0,
        expect.any(String),
      ]);
      said.push(output);
    }
    expect(said[0]).toContain('speedKph');
    expect(said[0]).toContain('DriveStates.VehicleSpeed');
    expect(said[1]).toMatch(/OK {2}city-van: 8 rows, 2 CAN frames/);
    expect(said[2]).toContain('first-trip passed');
  });

  test('runs on threads know the models, too', async () => {
    const trip = fileOnPage(PAGE, 'first-trip.yaml');
    for (const seed of [1, 2]) writeFileSync(join(folder, `trip-${seed}.yaml`), `${trip}seed: ${seed}\n`);
    const files = ['trip-1.yaml', 'trip-2.yaml'].map(inFolder);
    const { code, output } = await runCommand([
      ...['scenario', 'run', ...files, '--jobs', '2', '--models', inFolder('models'), '--quiet'],
    ]);
    expect([code, output]).toEqual([0, expect.stringContaining('2 passed')]);
  });

  test('the first vehicle of a fleet is one of it, and the service tells what its signals say', async () => {
    const [words = []] = commands.filter(([name]) => name === 'up');
    const more = [
      '--vehicles',
      '2',
      '--data',
      join(folder, 'data'),
      '--console',
      'off',
      ...(await UpProcess.ownPorts()),
    ];
    const up = await UpProcess.start([...words.slice(1).map(inFolder), ...more]);
    try {
      const headers = { authorization: `Bearer ${await up.token()}` };
      const ask = async (path: string) =>
        (await (await fetch(`${up.ready.base_url}${path}`, { headers })).json()) as Record<string, unknown>;
      const { items } = (await ask('/vehicles')) as { readonly items: readonly Record<string, unknown>[] };
      const vans = items.filter(({ master_data: data }) => (data as { model?: string }).model === 'city-van');
      expect(vans.length).toBe(1);
      const id = String(vans[0]?.['id']);
      const asked = await fetch(`${up.ready.base_url}/vehicles/${id}/commands/request-vehicle-state`, {
        method: 'POST',
        headers,
      });
      expect(asked.status).toBe(200);
      const { latest_vehicle_state: state } = await ask(`/vehicles/${id}`);
      expect(state).toMatchObject({
        central_lock: { value: expect.stringMatching(/LOCKED/) },
        mileage_in_kilometers: { value: expect.any(Number) },
        state_of_charge_or_fuel_level_in_percent: { value: expect.any(Number) },
      });
    } finally {
      await up.end('SIGTERM');
    }
  });
});

describe('boxtwin model', () => {
  const place = mkdtempSync(join(tmpdir(), 'boxtwin-model-'));
  afterAll(() => rmSync(place, { recursive: true, force: true }));
  const dbc = fileURLToPath(SMALL_VAN_DBC);

  test('prints the model where no file is named, and all of it as JSON', async () => {
    const plain = await runCommand(['model', 'from-dbc', dbc]);
    expect(plain.output).toMatch(/^name: small-van$/m);
    const { output } = await runCommand([
      'model',
      'from-dbc',
      dbc,
      '--json',
      '--name',
      'other',
      '--bus',
      '1',
    ]);
    const told = JSON.parse(output) as Record<string, unknown>;
    expect(told).toMatchObject({
      messages: 8,
      signals: 25,
      multiplexed: 2,
      signed: 4,
      model: 'other',
      problems: [],
    });
    expect(told['text']).toContain('{ bus: 1, id: 0x1a0');
  });

  test.each([
    [
      'a file that is not there',
      ['model', 'from-dbc', join(place, 'none.dbc')],
      /The DBC file .*none\.dbc does not exist/,
    ],
    [
      'a file that is none',
      ['model', 'from-dbc', join(import.meta.dirname, '../../LICENSE')],
      /has no messages \(BO_\), so it is not a DBC file/,
    ],
    [
      'the name of a built-in model',
      ['model', 'from-dbc', dbc, '--name', 'estate'],
      /a built-in model estate/,
    ],
    ['a name that is none', ['model', 'from-dbc', dbc, '--name', 'Van 1'], /"Van 1" is no name of a model/],
    ['its own file as --out', ['model', 'from-dbc', dbc, '--out', dbc], /would be written over/],
    ['a model that is none', ['model', 'check', dbc], /is a CAN database/],
    [
      'a folder that is not there',
      ['scenario', 'schema', '--models', join(place, 'none')],
      /no file or folder .*none/,
    ],
  ])('refuses %s with what to do', async (_, words, message) => {
    const { code, errors } = await runCommand(words);
    expect([code, errors]).toEqual([2, expect.stringMatching(message)]);
  });
});
