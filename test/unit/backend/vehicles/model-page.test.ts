import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capabilitiesOf } from '../../../../backend/vehicles/capabilities.ts';
import { faultsOfModels } from '../../../../backend/vehicles/check-models.ts';
import { translate } from '../../../../backend/vehicles/translation/translate.ts';
import type { VehicleModel } from '../../../../protocol/models/model.ts';
import { QUANTITIES } from '../../../../protocol/models/quantities.ts';
import { type Quantities, signalsBy } from '../../../../simulator/vehicle/sensing/signals.ts';

const page = readFileSync(new URL('../../../../docs/vehicle-models.md', import.meta.url), 'utf8');
const models = new URL('../../../../protocol/models/', import.meta.url);
let directory: string;
let model: VehicleModel;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'boxtwin-model-'));
  const example = /^```ts\n([\s\S]*?)^```$/m.exec(page)?.[1];
  if (example === undefined) throw new Error('docs/vehicle-models.md has no example');
  const file = join(directory, 'small-pickup.ts');
  writeFileSync(file, example.replaceAll("from './", `from '${models.pathname}`));
  model = ((await import(file)) as { smallPickup: VehicleModel }).smallPickup;
});

afterAll(() => rm(directory, { recursive: true }));

const truth = {
  ignitionOn: true,
  locked: false,
  anyDoorOpen: false,
  drivingEnabled: true,
  speedKph: 50,
  gear: 'DRIVE',
  adblueLitres: 9.3,
  fuelLitres: 40,
  energyLow: 'failed',
  serviceDueDay: 20_800,
} as unknown as Quantities;

test('the model of the page is accepted unchanged, and reports what the page shows', () => {
  expect(faultsOfModels([model])).toEqual([]);
  const signals = signalsBy(model, true, true, (name) => truth[name]);
  const said = translate(model, signals, { timestampMs: 0, maintenance: true });
  expect(said).toMatchObject({
    speed_in_kph: { value: 50 },
    gearshift_position: { value: 'DRIVE' },
    adblue_level_in_liters: { value: 9.3 },
    fuel_level_in_liters: { value: 40 },
    state_of_charge_or_fuel_level_low_indicator: { value: 'SENSOR_FAILURE' },
    service_due_date: { value: '2026-12-13' },
    central_lock: { value: 'UNLOCKED' },
  });
  expect(capabilitiesOf(model)).toContain('ADBLUE_LEVEL_IN_PERCENT');
});

test('the refusal of the page is the one for overlapping signals', () => {
  const index = model.rows.findIndex((row) => row.quantity === 'adblueLitres');
  const rows = model.rows.map((row, at) =>
    at === index && row.source.from === 'can' ? { ...row, source: { ...row.source, startBit: 12 } } : row,
  );
  const [fault] = faultsOfModels([{ ...model, rows }]);
  expect(page).toContain(`\n${fault}\n`);
});

test('the page names only existing quantities', () => {
  const named =
    page.slice(page.indexOf('## The body'), page.indexOf('## What is refused')).match(/`\w+`/g) ?? [];
  const parts = ['energyCapacity', 'consumptionPer100Km', 'chargeKw', 'hybrid', 'adblue', 'batteryPorts'];
  for (const name of named.map((one) => one.slice(1, -1)))
    expect([...parts, ...Object.keys(QUANTITIES)]).toContain(name);
});
