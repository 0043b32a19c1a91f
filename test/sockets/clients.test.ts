import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, start } from '../../library/start.ts';

const run = promisify(execFile);
/** Where the generators are: they need the compiler's interface, which that of the checkout has no more. */
const workshop = fileURLToPath(new URL('../clients/', import.meta.url));
const { resolve } = createRequire(join(workshop, 'package.json'));
const root = fileURLToPath(new URL('../..', import.meta.url));

const page = readFileSync(join(root, 'docs/clients.md'), 'utf8');
const [fetchProgram = '', sdkProgram = ''] = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
  ([, text = '']) => text,
);

/** What must compile, and, below each `@ts-expect-error`, what must not. */
const TYPES = `
import type { components } from './api.d.ts';
import type { SystemStatus, VehicleState as SdkState } from './api/index.js';
import type { VehicleState as CodegenState } from './codegen/models/VehicleState.ts';
type State = components['schemas']['VehicleState'];

for (const state of [] as (State | SdkState | CodegenState)[]) {
  const speed: number | undefined = state.speed_in_kph?.value;
  const satellites: number | undefined = state.gnss_satellites_in_use?.value;
  const enabled: boolean | undefined = state.driving_enabled?.value;
  const latitude: number | undefined = state.position?.value.lat;
  const volts: number | undefined = state.drive_batteries?.value.port_1?.voltage_in_volts;
  const codes: string[] | undefined = state.diagnostic_trouble_codes?.value;
  const at: string | undefined = state.position?.timestamp;
  const later: unknown = (state as Record<string, unknown>)['a_property_of_a_later_release'];
  // @ts-expect-error: it may be missing.
  state.position.value;
  // @ts-expect-error: it is a number.
  state.speed_in_kph?.value.toUpperCase();
  // @ts-expect-error: a seat may be missing.
  const belt: string = state.seatbelts_status!.value.front_left;
  console.log(speed, satellites, enabled, latitude, volts, codes, at, later, belt);
}
/** Enums are open: a future value is accepted too. */
export const unknownWord: State & SdkState = {
  central_lock: { timestamp: '2026-03-02T09:15:11Z', value: 'AJAR' },
};
/** What may be missing of a system status is optional. */
export const least: SystemStatus = {
  device_up_since: '2026-03-02T09:15:11Z',
  modem_up_since: '2026-03-02T09:15:11Z',
  data_connection_up_since: '2026-03-02T09:15:11Z',
  pio_port_levels: ['0a'],
  free_heap_in_bytes: 1,
  can_bus_0_active: true,
};
// @ts-expect-error: sensitivity has three levels, and this is not one of them.
export const wrong: components['schemas']['DamageDetection'] = { sensitivity: 'HIGHEST' };
`;

const SETTINGS = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
  },
  include: ['.'],
  // Its imports are written for a bundler; the program above looks at what matters.
  exclude: ['codegen'],
};

describe('clients generated from the OpenAPI document with default settings', () => {
  let service: Running;
  let place: string;

  beforeAll(async () => {
    mkdirSync(join(workshop, 'made'), { recursive: true });
    // Inside of the workshop, so that programs find its libraries.
    place = mkdtempSync(join(workshop, 'made/'));
    service = await start({ seed: 1, vehicles: 3, makerVehicles: 2, unassignedDevices: 3 });
    const document = join(place, 'openapi.json');
    writeFileSync(document, await (await fetch(`${service.baseUrl}/openapi.json`)).text());
    const bin = (name: string, path: string) => join(dirname(resolve(`${name}/package.json`)), path);
    await Promise.all([
      node(bin('openapi-typescript', 'bin/cli.js'), document, '-o', 'api.d.ts'),
      node(bin('@hey-api/openapi-ts', 'bin/run.js'), '-i', document, '-o', 'api'),
      node(bin('openapi-typescript-codegen', 'bin/index.js'), '--input', document, '--output', 'codegen'),
    ]);
    writeFileSync(join(place, 'package.json'), '{"type": "module"}');
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(SETTINGS));
    writeFileSync(join(place, 'types.ts'), TYPES);
    writeFileSync(join(place, 'fetch.ts'), fetchProgram);
    writeFileSync(join(place, 'sdk.ts'), sdkProgram);
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(place, { recursive: true, force: true });
  });

  function node(program: string, ...options: readonly string[]) {
    return run(process.execPath, [program, ...options], { cwd: place });
  }

  test('have number types, open enums and optional properties', async () => {
    const { stdout } = await node(resolve('typescript/bin/tsc'), '-p', '.').catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  test.each([
    ['openapi-fetch', 'fetch.ts', 1],
    ['@hey-api/openapi-ts', 'sdk.ts', 2],
  ])('%s reads states, sends commands and sets a configuration', async (_, program, refused) => {
    const { main } = (await import(pathToFileURL(join(place, program)).href)) as {
      main(baseUrl: string, token: string): Promise<string[]>;
    };
    const told = await main(service.baseUrl, await service.token());
    for (const { id } of service.vehicles) expect(told).toContain(`${id} tracking: ACTIVE`);
    const text = told.join('\n');
    expect(text).toMatch(/ (at|known places)/);
    // Vehicles with their maker's telematics have no configuration; the first program does not ask the scooter.
    expect(text.match(/problems\/vehicle\/command-not-supported/g)).toHaveLength(refused);
    expect(text).not.toMatch(/undefined|NaN/);
  });
});
