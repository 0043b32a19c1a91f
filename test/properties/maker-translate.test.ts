import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { vehicleStateReceived, writeStateReceived } from '../../backend/events/message.ts';
import { northwind } from '../../backend/third-party/northwind.ts';
import { translateReading } from '../../backend/third-party/translate.ts';
import { type CarTruth, carReadingOf, carStateOf } from '../../simulator/maker-cloud/car-reading.ts';

const T = Date.UTC(2026, 2, 1, 8);
const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });

const anyTruth: fc.Arbitrary<CarTruth> = fc.record({
  mileageKm: between(0, 900_000),
  speedKph: between(0, 200),
  energyPercent: between(0, 100),
  rangeKm: between(0, 600),
  latitude: between(-90, 90),
  longitude: between(-180, 180),
  altitudeM: between(-400, 8_000),
  headingDegrees: between(0, 359.999),
  hasFix: fc.boolean(),
  anyDoorOpen: fc.boolean(),
  locked: fc.boolean(),
  ignitionOn: fc.boolean(),
  drivingEnabled: fc.boolean(),
  isCharging: fc.boolean(),
  packC: between(-40, 80),
});

/** What the service makes of the maker's JSON, after its way over the wire. */
function told(truth: CarTruth): Readonly<Record<string, unknown>> {
  const body: unknown = JSON.parse(
    JSON.stringify(carStateOf('car_1', { takenMs: T, reading: carReadingOf(truth, 'PK-1') })),
  );
  const state = northwind.api.readState(body);
  if (!state.ok) throw new Error(state.fault);
  expect(state.value).toMatchObject({ vehicleId: 'car_1', takenMs: T });
  const translated = translateReading(northwind.rows, state.value.reading, T);
  if (!translated.ok) throw new Error(translated.fault);
  return Object.fromEntries(Object.entries(translated.value).map(([name, { value }]) => [name, value]));
}

/** Half a step of the maker's number and half a last digit of ours. */
const NUMBERS: readonly {
  readonly property: string;
  readonly of: (truth: CarTruth) => number;
  readonly within: number;
}[] = [
  { property: 'mileage_in_kilometers', of: (truth) => truth.mileageKm, within: 0.005 * 1.61 + 0.05 },
  { property: 'speed_in_kph', of: (truth) => truth.speedKph, within: 0.05 * 1.61 + 0.005 },
  { property: 'fuel_level_in_percent', of: (truth) => truth.energyPercent, within: 0.005 + 0.5 },
  {
    property: 'state_of_charge_or_fuel_level_in_percent',
    of: (truth) => truth.energyPercent,
    within: 0.005 + 0.05,
  },
  { property: 'remaining_range_in_kilometers', of: (truth) => truth.rangeKm, within: 0.05 * 1.61 + 0.05 },
];

describe("a maker's reading, translated", () => {
  test('equals the truth within the rounding of maker and contract', () => {
    fc.assert(
      fc.property(anyTruth, (truth) => {
        const properties = told(truth);
        for (const { property, of, within } of NUMBERS)
          expect(Math.abs(Number(properties[property]) - of(truth)), property).toBeLessThanOrEqual(
            within + 1e-9,
          );
        expect(properties).toMatchObject({
          doors_status: truth.anyDoorOpen ? 'OPEN' : 'CLOSED',
          central_lock: truth.locked ? 'LOCKED' : 'UNLOCKED',
          ignition: truth.ignitionOn ? 'ON' : 'OFF',
          driving_enabled: truth.drivingEnabled,
          charging_status: truth.isCharging ? 'CHARGING' : 'NOT_CHARGING',
        });
        const { drive_batteries: batteries } = properties as {
          drive_batteries: { port_1: Record<string, number> };
        };
        const { port_1: battery } = batteries;
        expect(Math.abs((battery['average_temperature_in_degrees_celsius'] ?? 0) - truth.packC)).toBeLessThan(
          0.09,
        );
        expect(Math.abs((battery['level_in_percent'] ?? 0) - truth.energyPercent)).toBeLessThan(0.06);
      }),
    );
  });

  test('has a position, an altitude and a heading exactly if there is a fix', () => {
    fc.assert(
      fc.property(anyTruth, (truth) => {
        const { position, altitude_in_meters: altitude, heading_in_degrees: heading } = told(truth);
        if (!truth.hasFix) {
          expect([position, altitude, heading]).toEqual([undefined, undefined, undefined]);
          return;
        }
        const { lat, lon } = position as { lat: number; lon: number };
        expect(Math.abs(lat - truth.latitude)).toBeLessThan(6e-7);
        expect(Math.abs(lon - truth.longitude)).toBeLessThan(6e-7);
        expect(Math.abs(Number(altitude) - truth.altitudeM)).toBeLessThan(0.66);
        const off = Math.abs(Number(heading) - truth.headingDegrees);
        expect(Math.min(off, 360 - off)).toBeLessThan(0.06);
        expect(heading).toBeLessThan(360);
      }),
    );
  });

  test('conforms to the schema of the message', () => {
    fc.assert(
      fc.property(anyTruth, (truth) => {
        const properties = Object.fromEntries(
          Object.entries(told(truth)).map(([name, value]) => [name, { timestampMs: T, value }]),
        );
        const message = writeStateReceived({
          messageId: '01KCJ5Y3S0ABCDEFGHJKMNPQRS',
          flowId: '6a0f5a8e-0000-4000-8000-000000000001',
          createdMs: T,
          vehicleId: 'VEH01',
          fleetId: 'FLEET1',
          partition: 0,
          receivedMs: T,
          triggeredBy: undefined,
          properties,
        });
        vehicleStateReceived.parse(JSON.parse(message.body));
      }),
    );
  });

  test('accepts any JSON: it is read or refused with a reason, and nothing is thrown', () => {
    const names = fc.constantFrom(...Object.keys(carReadingOf(NOWHERE, 'PK-1')), 'latMicro', '__proto__');
    const wild = fc.dictionary(names, fc.oneof(fc.jsonValue(), fc.dictionary(names, fc.jsonValue())));
    fc.assert(
      fc.property(wild, (reading) => {
        const result = translateReading(northwind.rows, reading, T);
        if (!result.ok) expect(result.fault).not.toBe('');
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const { readState, readActionAnswer, readNotification, readError } = northwind.api;
        for (const read of [readState, readActionAnswer, readNotification]) expect(read(body).ok).toBe(false);
        expect(readError(body)).toBeUndefined();
      }),
    );
  });
});

const NOWHERE: CarTruth = {
  mileageKm: 0,
  speedKph: 0,
  energyPercent: 0,
  rangeKm: 0,
  latitude: 0,
  longitude: 0,
  altitudeM: 0,
  headingDegrees: 0,
  hasFix: true,
  anyDoorOpen: false,
  locked: false,
  ignitionOn: false,
  drivingEnabled: false,
  isCharging: false,
  packC: 0,
};
