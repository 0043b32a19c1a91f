import { describe, expect, test } from 'vitest';
import { packMemory, unpackMemory } from '../../../../simulator/vehicle/memory/memory.ts';
import { START_MS, truthOf, vehicleOf } from '../../../support/vehicles/any-vehicle.ts';

const driving = { driving: true, model: 'petrol-compact', route: 'berlin-west' };

describe('the chosen route of a driver', () => {
  test('is stored in flash with the pace', () => {
    const vehicle = vehicleOf(1, { ...driving, driving: false });
    vehicle.drive({ route: 'karlsruhe-hills', pace: 0.4 });
    const memory = unpackMemory(packMemory(vehicle.memory()));
    expect(memory).toEqual(JSON.parse(JSON.stringify(vehicle.memory())));
    expect(memory).toMatchObject({ pace: 0.4, chosen: { route: 'karlsruhe-hills', instead: 'berlin-west' } });
    expect(vehicleOf(1, driving, memory).truth()).toMatchObject({ route: 'karlsruhe-hills', pace: 0.4 });
  });

  test('is absent if none was chosen or the bytes are damaged', () => {
    const vehicle = vehicleOf(1, driving);
    vehicle.drive({ route: 'berlin-west', pace: 1 });
    const memory = vehicle.memory();
    expect(memory.chosen).toBeUndefined();
    expect(memory.pace).toBeUndefined();
    const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    for (const bad of [
      { pace: 0 },
      { pace: 2.5 },
      { pace: 'fast' },
      { chosen: null },
      { chosen: { route: 1, startM: 0, instead: 'a' } },
      { chosen: { route: 'a', startM: 'b', instead: 'c' } },
    ])
      expect(unpackMemory(text({ ...memory, ...bad }))).toBeUndefined();
  });

  test('is replaced by the first built-in one if it no longer exists, from a position on it', () => {
    const memory = { ...vehicleOf(1, driving).memory() };
    const gone = vehicleOf(1, driving, {
      ...memory,
      chosen: { route: 'tour.gpx', startM: -12.5, instead: 'berlin-west' },
    });
    expect(gone.truth()['route']).toBe('berlin-west');
    gone.advance(START_MS + 60_000);
    expect(Number.isFinite(truthOf(gone).latitude)).toBe(true);
  });

  test('does not extend the wait at a red light', () => {
    const [told, left] = [vehicleOf(5, driving), vehicleOf(5, driving)];
    for (let second = 1; second <= 900; second += 1) {
      told.advance(START_MS + second * 1_000);
      left.advance(START_MS + second * 1_000);
      if (truthOf(told).speedKph === 0) told.drive({ pace: 1 });
    }
    expect(told.truth()).toEqual(left.truth());
    told.drive({ pace: 0.5 });
    told.drive({ pace: 1 });
    expect(told.truth()).toEqual(left.truth());
  });
});
