import { describe, expect, test } from 'vitest';
import { compareVehicle } from '../../../../console/server/comparison.ts';
import type { StoredValue } from '../../../../console/server/stored-values.ts';
import type { PropertyRow } from '../../../../console/stream/vehicle-picture.ts';

const TRUTH = {
  atMs: 0,
  latitude: 52.501,
  longitude: 13.44109,
  ignitionOn: true,
  sensors: {},
  receiver: { quality: 1 },
};
const told = (value: unknown) => ({ value, timestamp: '2026-01-31T12:00:00Z' });
/** The rows of a vehicle whose box has power and holds these values, by their names. */
function rowsOf(
  state: Readonly<Record<string, unknown>> | undefined,
  change: Partial<Parameters<typeof compareVehicle>[0]> = {},
): ReadonlyMap<string, PropertyRow> {
  const rows = compareVehicle({
    model: 'petrol-compact',
    truth: TRUTH,
    belief: { power: 'up' },
    state,
    stored: new Map(),
    maintenance: false,
    ...change,
  });
  return new Map(rows.map((row) => [row.name, row]));
}
const rowOf = (name: string, state: Readonly<Record<string, unknown>> | undefined) => rowsOf(state).get(name);
const held = (value: unknown, isInFlight = false): StoredValue => ({ value, isInFlight });

describe('truth, box and service side by side', () => {
  test('a position is shown of both, though physics and API name it differently', () => {
    expect(rowOf('position', { position: told({ lat: 52.501035, lon: 13.4410383 }) })).toMatchObject({
      truth: '52.50100, 13.44109',
      service: '52.50104, 13.44104',
      toldAt: '2026-01-31T12:00:00Z',
    });
  });

  test('a difference has its cause, and what agrees has none', () => {
    expect(rowOf('ignition', { ignition: told('OFF') })?.cause).toBe('changed since the last report');
    expect(rowOf('ignition', { ignition: told('ON') })?.cause).toBeUndefined();
  });

  test('each property has a cause of its own, whatever else the box holds', () => {
    const truth = {
      ...TRUTH,
      anyDoorOpen: true,
      locked: false,
      headlightsOn: true,
      fuelLitres: 31,
      windowsOpen: true,
      mileageKm: 1_200,
      checkEngine: false,
      sensors: { fuelLitres: 'failed' },
    };
    const state = {
      ignition: told('OFF'),
      doors_status: told('CLOSED'),
      central_lock: told('LOCKED'),
      headlights: told('ON'),
      fuel_level_in_liters: told(40),
      windows_status: told('CLOSED'),
    };
    const stored = new Map([
      ['doors_status', held('OPEN')],
      ['central_lock', held('UNLOCKED', true)],
      // The record says what the service has: it explains nothing.
      ['windows_status', held('CLOSED')],
      ['fuel_level_in_liters', held(39)],
      ['position', held({ lat: 52.501, lon: 13.44109 })],
    ]);
    const rows = rowsOf(state, { truth, stored });
    const reasons = (names: readonly string[]) =>
      names.map((name) => [name, rows.get(name)?.cause ?? rows.get(name)?.absence]);
    expect(
      reasons([
        ...['ignition', 'doors_status', 'central_lock', 'headlights', 'fuel_level_in_liters'],
        ...['windows_status', 'position', 'mileage_in_kilometers', 'check_engine_indicator'],
      ]),
    ).toEqual([
      ['ignition', 'changed since the last report'],
      ['doors_status', 'in a stored record'],
      ['central_lock', 'in flight'],
      ['headlights', undefined],
      ['fuel_level_in_liters', 'sensor failed'],
      ['windows_status', 'changed since the last report'],
      ['position', 'in a stored record'],
      ['mileage_in_kilometers', 'never reported'],
      ['check_engine_indicator', 'not booked'],
    ]);
  });

  test('what was never reported is no difference', () => {
    const rows = [...rowsOf({}).values()];
    expect(rows.filter(({ cause }) => cause !== undefined)).toEqual([]);
    expect(rows.filter(({ absence }) => absence === 'never reported').length).toBeGreaterThan(3);
  });

  test('without power a box makes no records, and keeps those that it has', () => {
    const state = { ignition: told('OFF'), doors_status: told('CLOSED') };
    const truth = { ...TRUTH, anyDoorOpen: true };
    const rows = rowsOf(state, {
      truth,
      belief: { power: 'off' },
      stored: new Map([['doors_status', held('OPEN')]]),
    });
    expect([rows.get('ignition')?.cause, rows.get('doors_status')?.cause]).toEqual([
      'box off',
      'in a stored record',
    ]);
  });

  test('without a service only truth and box are there', () => {
    expect(rowOf('position', undefined)).toMatchObject({ truth: '52.50100, 13.44109', service: undefined });
  });
});
