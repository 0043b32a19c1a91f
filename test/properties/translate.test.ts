import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capabilitiesOf, capabilityName } from '../../backend/vehicles/capabilities.ts';
import { type PROPERTIES, type PropertyRow, propertyRow } from '../../backend/vehicles/properties.ts';
import { translate } from '../../backend/vehicles/translate.ts';
import { isSwitch, MEASURES, type SignalRow, type VehicleModel } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import type { Signals } from '../../protocol/signals.ts';
import { type Quantities, wiredSignals } from '../../simulator/vehicle/signals.ts';
import { anyStep, anyVehicle, happen, START_MS, truthOf, vehicleOf } from './vehicles.ts';

const anyModel = fc.constantFrom(...MODELS.values());
const measure = ([minimum, maximum]: readonly [number, number]) =>
  fc.double({ min: minimum, max: maximum, noNaN: true });
const anyQuantities: fc.Arbitrary<Quantities> = fc.record({
  speedKph: measure(MEASURES.speedKph),
  engineRpm: measure(MEASURES.engineRpm),
  coolantTemperatureC: measure(MEASURES.coolantTemperatureC),
  energyPercent: measure(MEASURES.energyPercent),
  mileageKm: measure(MEASURES.mileageKm),
  rangeKm: measure(MEASURES.rangeKm),
  onboardVolts: measure(MEASURES.onboardVolts),
  ignitionOn: fc.boolean(),
  anyDoorOpen: fc.boolean(),
  locked: fc.boolean(),
  drivingEnabled: fc.boolean(),
});

const someBytes = fc.uint8Array({ maxLength: 10 });
const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, -0));
/** Signals as no box would send them, with the PIDs and frames of the models among them. */
const wildSignals: fc.Arbitrary<Signals> = fc.record(
  {
    obd: fc.array(
      fc.record({
        pid: fc.oneof(fc.constantFrom(0x05, 0x0c, 0x0d, 0x2f, 0x42, 0xa6), fc.nat(255)),
        data: someBytes,
      }),
    ),
    troubleCodes: fc.array(fc.nat(0xffff)),
    can: fc.array(
      fc.record({
        bus: fc.constantFrom<0 | 1>(0, 1),
        id: fc.oneof(fc.constantFrom(0x1a0, 0x320, 0x3c5, 0x18fef100), fc.nat(0x1fff_ffff)),
        data: someBytes,
      }),
    ),
    digital: fc.nat(0xffff),
    analog: fc.array(fc.record({ port: fc.nat(9), millivolts: fc.nat(0xffff) })),
    gnss: fc.record({
      quality: fc.constantFrom<0 | 1 | 2 | 6>(0, 1, 2, 6),
      latitude: anyNumber,
      longitude: anyNumber,
      altitudeM: anyNumber,
      speedKph: anyNumber,
      headingDegrees: anyNumber,
      satellites: anyNumber,
      hdop: anyNumber,
    }),
    modem: fc.record({ csq: anyNumber, network: fc.nat() }),
    power: fc.record({
      supplyMillivolts: anyNumber,
      backupMillivolts: anyNumber,
      backupPercent: anyNumber,
      backupCharging: fc.boolean(),
    }),
  },
  { requiredKeys: [] },
);

/** A row's step, half of it each way, and half a last digit of the property. */
function tolerance(row: SignalRow, property: PropertyRow): number {
  const digits = property.shape === 'number' ? property.decimals : 0;
  let lastDigit = 1;
  for (let left = digits; left > 0; left -= 1) lastDigit /= 10;
  return row.factor / 2 + lastDigit / 2 + 1e-6;
}

function silent(row: SignalRow, model: VehicleModel): boolean {
  const { source } = row;
  if (source.from === 'obd') return true;
  if (source.from !== 'can') return false;
  return !model.frames.some((frame) => frame.id === source.id && frame.bus === source.bus && frame.always);
}

/** What the contract allows a property to hold. */
function allows(name: string, value: unknown): boolean {
  const row = propertyRow(name);
  if (row === undefined) return false;
  switch (row.shape) {
    case 'number':
      return (
        typeof value === 'number' &&
        value >= row.minimum &&
        value <= row.maximum &&
        !Object.is(value, -0) &&
        (row.decimals > 0 || Number.isInteger(value)) &&
        (name !== 'heading_in_degrees' || value < 360)
      );
    case 'boolean':
      return typeof value === 'boolean';
    case 'word':
      return value === row.yes || value === row.no;
    case 'word-of':
      return row.words.some((word) => word === value);
    case 'position': {
      const { lat, lon } = value as { lat: number; lon: number };
      return lat >= -90 && lat <= 90 && lon >= -180 && lon <= 180;
    }
    case 'backup-battery': {
      const battery = value as {
        level_in_percent: number;
        voltage_in_volts: number;
        charging_status: string;
      };
      const { level_in_percent: level, voltage_in_volts: volts, charging_status: status } = battery;
      return (
        level >= 0 && level <= 100 && volts >= 0 && ['CHARGING', 'NOT_CHARGING', 'FULL'].includes(status)
      );
    }
    default:
      return row satisfies never;
  }
}

describe('translation', () => {
  test('gives back what the vehicle wrote into its raw signals, within their steps', () => {
    fc.assert(
      fc.property(anyModel, anyQuantities, (model, quantities) => {
        const said = translate(model, wiredSignals(model, quantities), { timestampMs: START_MS });
        for (const row of model.rows) {
          for (const name of row.feeds) {
            const property = propertyRow(name);
            const value = said[name]?.value;
            if (property === undefined) throw new Error(`no property ${name}`);
            if (!quantities.ignitionOn && silent(row, model)) expect(value).toBeUndefined();
            else if (!isSwitch(row.quantity)) {
              const wanted = quantities[row.quantity];
              expect(Math.abs(Number(value) - wanted), name).toBeLessThanOrEqual(tolerance(row, property));
            } else if (property.shape === 'word') {
              expect(value, name).toBe(quantities[row.quantity] ? property.yes : property.no);
            } else expect(value, name).toBe(quantities[row.quantity]);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test('gives back the truth of a living vehicle', () => {
    fc.assert(
      fc.property(anyVehicle, fc.array(anyStep, { maxLength: 12 }), ({ seed, change }, steps) => {
        const vehicle = vehicleOf(seed, change);
        const model = MODELS.get(change.model);
        if (model === undefined) throw new Error('no model');
        let atMs = START_MS;
        for (const step of steps) {
          atMs = happen(vehicle, step, atMs);
          const truth = truthOf(vehicle);
          const said = translate(model, vehicle.sense().signals, { timestampMs: atMs });
          const value = (name: keyof typeof PROPERTIES) => said[name]?.value;
          expect(value('central_lock')).toBe(truth.locked ? 'LOCKED' : 'UNLOCKED');
          expect(value('doors_status')).toBe(truth.anyDoorOpen ? 'OPEN' : 'CLOSED');
          expect(value('driving_enabled')).toBe(truth.drivingEnabled);
          const position = value('position') as { lat: number; lon: number };
          expect(Math.abs(position.lat - truth.latitude)).toBeLessThan(1e-6);
          expect(Math.abs(position.lon - truth.longitude)).toBeLessThan(1e-6);
          expect(Math.abs(Number(value('altitude_in_meters')) - truth.altitudeM)).toBeLessThanOrEqual(0.5);
          const turn = Math.abs(Number(value('heading_in_degrees')) - truth.headingDegrees);
          expect(Math.min(turn, 360 - turn)).toBeLessThan(0.01);
          expect(value('telematics_unit_supply_voltage_in_volts')).toBeCloseTo(
            truth.supplyMillivolts / 1_000,
            6,
          );
          if (truth.ignitionOn) {
            expect(Math.abs(Number(value('speed_in_kph')) - truth.speedKph)).toBeLessThanOrEqual(0.51);
            expect(Math.abs(Number(value('mileage_in_kilometers')) - truth.mileageKm)).toBeLessThanOrEqual(
              0.11,
            );
          } else expect(value('speed_in_kph')).toBeUndefined();
          for (const name of Object.keys(said)) expect(capabilitiesOf(model)).toContain(capabilityName(name));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('never throws and never says what the contract does not allow, whatever the bytes', () => {
    fc.assert(
      fc.property(anyModel, wildSignals, fc.nat(), (model, signals, timestampMs) => {
        const said = translate(model, signals, { timestampMs });
        for (const [name, property] of Object.entries(said)) {
          expect(property.timestampMs).toBe(timestampMs);
          expect(allows(name, property.value), `${name} = ${JSON.stringify(property.value)}`).toBe(true);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
