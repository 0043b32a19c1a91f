import { describe, expect, test } from 'vitest';
import { isExpectedOffline } from '../../scenarios/testbed/common/vehicles/expected-offline.ts';
import type { SimState } from '../../simulator/firmware/core/box-hardware.ts';
import { sleep } from '../../world/time/time.ts';
import { failuresOf, playAndInspect, playScenario } from '../support/simulation/play-scenario.ts';

describe('a box that is expected to be offline', () => {
  test('because the owner has suspended its card is not pending; nor is its part of a bulk job', async () => {
    const outcome = await playScenario(`
name: card-left-suspended
about: An owner suspends the card of a car that drives, and orders something for the whole fleet.
seed: 4
fleet:
  - { count: 2, features: none, driving: true }
steps:
  - { at: 10s, on: { box: 1 }, call: { command: request-sim-suspension }, expect: { status: [200, 204] } }
  - { at: 3m, on: { box: 1 }, expect: { connected: false } }
  - { at: 3m, call: { bulk: { tracking: { time_interval_in_seconds: 60 } } } }
  - { at: 5m, on: { box: 2 }, expect: { connected: true } }
always: all
`);
    expect(failuresOf(outcome)).toEqual([]);
    expect(outcome).toMatchObject({ verdict: 'passed' });
  });

  test('is pending again as soon as its card is active, with its part of a bulk job', async () => {
    const text = `
name: both-suspended
about: An owner suspends both cards and orders something for the whole fleet, which nobody waits for.
seed: 4
fleet:
  - { count: 2, features: none, driving: true }
steps:
  - { at: 10s, call: { command: request-sim-suspension }, expect: { status: [200, 204] } }
  - { at: 3m, call: { bulk: { tracking: { time_interval_in_seconds: 60 } } } }
always: [heals]
`;
    const [before, after] = await playAndInspect(text, async (evidence, testbed) => {
      const suspended = await evidence.pending();
      await testbed.weather({ name: 'sim', settings: 'active' }, testbed.vehicles.slice(1));
      // Soon: before the box has its session again.
      await sleep(testbed.time, 100);
      return [suspended, await evidence.pending()] as const;
    });
    expect(before).toEqual([]);
    expect(after.map(({ what, reason, vehicle }) => [vehicle?.number, `${what}: ${reason}`])).toEqual([
      [2, expect.stringMatching(/^the session of the box: .* its SIM card active$/)],
      [undefined, expect.stringMatching(/^the bulk job \w+: 1 vehicle is pending$/)],
    ]);
  });

  test('has a suspended card, whatever state it has stored; one with a detached card registers again', () => {
    const box = (sim: SimState, believed: SimState) => ({
      sim: () => sim,
      snapshot: () => ({ power: 'up', sim: believed }),
      truth: () => ({ supplyMillivolts: 12_600, ignitionOn: true }),
    });
    expect(isExpectedOffline(box('suspended', 'active'))).toBe(true);
    expect(isExpectedOffline(box('detached', 'suspended'))).toBe(false);
    expect(isExpectedOffline(box('active', 'suspended'))).toBe(false);
  });

  test('stands with its ignition on where no site reaches it, until somebody drives it on', () => {
    const box = (truth: Readonly<Record<string, unknown>>) => ({
      sim: () => 'active' as const,
      snapshot: () => ({ power: 'up', sim: 'active' }),
      truth: () => ({ hasCoverage: false, signalLevelDbm: -131, speedKph: 0, driverWish: 'rest', ...truth }),
    });
    expect(isExpectedOffline(box({}))).toBe(true);
    expect(isExpectedOffline(box({ driverWish: 'drive' }))).toBe(false);
    for (const why of [
      { drivingEnabled: false },
      { anyDoorOpen: true },
      { chargingAdapterConnected: true },
      { energyLeft: 0 },
    ])
      expect(isExpectedOffline(box({ driverWish: 'drive', ...why }))).toBe(true);
    expect(isExpectedOffline(box({ driverWish: 'drive', drivingEnabled: true, energyLeft: 9 }))).toBe(false);
    expect(isExpectedOffline(box({ speedKph: 12 }))).toBe(false);
    expect(isExpectedOffline(box({ signalLevelDbm: -90 }))).toBe(false);
    expect(isExpectedOffline(box({ hasCoverage: true }))).toBe(false);
  });
});
