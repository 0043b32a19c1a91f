import { describe, expect, test } from 'vitest';
import { withDrawnVehicles, withoutFaults } from '../../../../scenarios/explore/shrink.ts';
import type { ScenarioDocument } from '../../../../scenarios/language/document/problem.ts';

const document = (steps: readonly object[], fleet: readonly object[] = [{ count: 1 }]): ScenarioDocument => ({
  name: 'few',
  about: 'A few steps.',
  fleet,
  steps,
});

describe('a document without its faults', () => {
  test('has neither weather nor breaks, nor what waits for one of them', () => {
    const call = { at: '2s', call: { command: 'unlock-central-lock' } };
    const steps = [
      { at: '1s', weather: { coverage: 'none' }, for: '8s', label: 'dark' },
      { at: '1s', weather: { stall: {} }, for: '8s' },
      { at: '3s', break: { broker: { restart: {} } } },
      call,
      { after: 'dark', call: { get: '/vehicles' } },
    ];
    expect(withoutFaults(document(steps))?.['steps']).toEqual([call]);
  });

  test('still expects what a fault expected', () => {
    const expected = { expect: { message: 'VehicleStateReceived' }, within: '30s' };
    const steps = [{ at: '1s', weather: { coverage: 'none' }, for: '8s', ...expected }];
    expect(withoutFaults(document(steps))?.['steps']).toEqual([{ at: '1s', ...expected }]);
  });

  test('is none where it has no faults', () => {
    expect(withoutFaults(document([{ at: '1s', drive: {} }]))).toBeUndefined();
  });
});

describe('what was drawn for vehicles', () => {
  const vehicle = (number: number, group: string, model: string, firmware: string) => ({
    number,
    vehicleId: `VEH0${number}`,
    group,
    model,
    firmware,
  });

  test('is written into each group whose vehicles have it in common', () => {
    const fleet = [
      { count: 2 },
      { as: 'cars', count: 2 },
      { as: 'known', model: 'estate', firmware: '2.30' },
    ];
    const vehicles = [
      vehicle(1, 'fleet-0', 'petrol-compact', '2.20'),
      vehicle(2, 'fleet-0', 'petrol-compact', '2.31'),
      vehicle(3, 'cars', 'estate', '2.30'),
      vehicle(4, 'cars', 'estate', '2.30'),
      vehicle(5, 'known', 'estate', '2.40'),
    ];
    expect(withDrawnVehicles(document([], fleet), { vehicles })?.['fleet']).toEqual([
      { count: 2, model: 'petrol-compact' },
      { as: 'cars', count: 2, model: 'estate', firmware: '2.30' },
      { as: 'known', model: 'estate', firmware: '2.30' },
    ]);
  });

  test('changes nothing where all is written already', () => {
    const fleet = [{ as: 'known', model: 'estate', firmware: '2.30' }];
    const vehicles = [vehicle(1, 'known', 'estate', '2.40')];
    expect(withDrawnVehicles(document([], fleet), { vehicles })).toBeUndefined();
  });
});
