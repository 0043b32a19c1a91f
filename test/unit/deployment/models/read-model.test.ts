import { describe, expect, test } from 'vitest';
import { modelJsonSchema } from '../../../../deployment/models/model-schema.ts';
import { proposalText } from '../../../../deployment/models/proposal/proposal-text.ts';
import { readModel } from '../../../../deployment/models/read-model.ts';
import { smallVan } from '../../../support/models/small-van.ts';

const MODEL = `name: pickup
brand: Orbis
series: Pickup
fuel_type: DIESEL
vehicle_type: VAN
installation: OBD
transmission: MANUAL
year_of_production: 2022
frames:
  - { id: 0x3b0, bytes: 5 }
rows:
  - { obd: vehicleSpeed }
  - { trouble_codes: true }
  - { quantity: ignitionOn, digital: 0 }
  - { quantity: fuelLitres, analog: 0, factor: 0.02 }
  - { quantity: coolantTemperatureC, can: { id: 0x3b0, start_bit: 0, bits: 8, order: little, signed: true }, offset: 60 }
body: { mass_kg: 1790, doors: 4, energy_capacity: 65, consumption_per_100_km: 8.4, top_speed_kph: 165, maximum_acceleration_mps2: 2.2 }
`;

/** What is wrong with that file: line and sentence of each fault. */
function faultsOf(text: string): readonly (readonly [number, string])[] {
  const reading = readModel(text, 'pickup.yaml');
  return reading.ok ? [] : reading.problems.map(({ line, message }) => [line, message]);
}

describe('a model file', () => {
  test('is read with all kinds of sources, and what is left away is as usual', () => {
    const reading = readModel(MODEL, 'pickup.yaml');
    expect(reading).toMatchObject({
      ok: true,
      model: {
        name: 'pickup',
        fuelType: 'DIESEL',
        yearOfProduction: 2022,
        vehicleCommands: expect.arrayContaining(['unlock-central-lock']),
        frames: [{ bus: 0, id: 0x3b0, bytes: 5, always: false }],
        body: { massKg: 1_790, maximumAccelerationMps2: 2.2 },
      },
    });
    const rows = reading.ok ? reading.model.rows : [];
    expect(rows.map(({ quantity, feeds }) => [quantity, feeds])).toEqual([
      ['speedKph', ['speed_in_kph']],
      ['troubleCodes', ['diagnostic_trouble_codes']],
      ['ignitionOn', []],
      ['fuelLitres', ['fuel_level_in_liters']],
      ['coolantTemperatureC', []],
    ]);
    expect(rows[4]?.source).toEqual({
      from: 'can',
      bus: 0,
      id: 0x3b0,
      startBit: 0,
      bits: 8,
      order: 'little',
      signed: true,
    });
  });

  test.each([
    ['name: pickup', 'name: Pick up', 1, /small letters, digits and -/],
    ['fuel_type: DIESEL', 'fuel_type: DIESAL', 4, /should be|cannot be "DIESAL"/],
    ['quantity: ignitionOn', 'quantity: ignitionOff', 14, /ignitionOff/],
    ['start_bit: 0', 'start_bit: 0, sign: true', 16, /There is no "sign"/],
    [
      '- { obd: vehicleSpeed }',
      '- { obd: vehicleSpeed, digital: 3 }',
      12,
      /exactly one of .* has obd and digital/,
    ],
    ['- { obd: vehicleSpeed }', '- { obd: vehicleSpeed, factor: 2 }', 12, /obd knows its factor itself/],
    ['quantity: fuelLitres, ', '', 15, /rows\[3\]: it needs a quantity/],
    ['bits: 8,', 'bits: 7,', 16, /the range of coolantTemperatureC does not fit/],
    ['start_bit: 0', 'start_bit: 40', 16, /it extends beyond the frame/],
    ['id: 0x3b0, start', 'id: 0x3b1, start', 16, /the vehicle sends no such frame/],
    ['digital: 0', 'digital: 0, feeds: [colour]', 14, /colour/],
    [MODEL, 'just a text', 1, /The model should be a map/],
  ])('is refused with the line where it says %j as %j', (right, wrong, line, message) => {
    const [first] = faultsOf(MODEL.replace(right, wrong));
    expect(first?.[0]).toBe(line);
    expect(first?.[1]).toMatch(message);
  });

  test('is described by a JSON schema that has every key of a proposal', () => {
    const { properties } = modelJsonSchema();
    const keys = [...proposalText(smallVan(), 'x.dbc').matchAll(/^([a-z_]+):/gm)].map(([, key = '']) => key);
    expect(keys.length).toBeGreaterThan(8);
    for (const key of keys) expect(Object.keys(properties ?? {})).toContain(key);
  });
});
