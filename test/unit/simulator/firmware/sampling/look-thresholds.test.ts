import { describe, expect, test } from 'vitest';
import type { BoxState } from '../../../../../simulator/firmware/core/state.ts';
import { lookThresholdsOf } from '../../../../../simulator/firmware/sampling/look-thresholds.ts';
import { limits } from '../../../../../simulator/limits.ts';
import { TestBox } from '../../../../support/firmware/test-box.ts';

/** A box in a vehicle with the ignition on, which has nothing else to do. */
function looking(): BoxState {
  const rig = new TestBox().ready();
  rig.tick({ ignitionOn: true });
  rig.acknowledgeAll();
  rig.receiptAll();
  return rig.state;
}

const something = {} as never;
const changed = (change: Partial<BoxState['ram']>): BoxState => {
  const state = looking();
  return { ...state, ram: { ...state.ram, ...change } };
};
const detecting = (change: Partial<BoxState['ram']['detection']>): BoxState => {
  const state = looking();
  return { ...state, ram: { ...state.ram, detection: { ...state.ram.detection, ...change } } };
};

describe('the changes that make a look necessary', () => {
  test('are known while the ignition is on and nothing else goes on', () => {
    const state = looking();
    const lookAt = state.ram.sampler.lookAt ?? 0;
    expect(lookThresholdsOf(state)).toMatchObject({
      fromMs: lookAt,
      everyMs: limits.lookMs,
      latestMs: lookAt + limits.longestSkipMs,
    });
  });

  test.each<[string, BoxState]>([
    ['boots', changed({ power: 'booting' })],
    ['lives on its backup battery', changed({ powerSource: 'backup' })],
    ['hangs', changed({ hang: something })],
    ['goes offline', changed({ goingOffline: something })],
    ['is set up', changed({ setup: something })],
    ['calibrates', changed({ calibration: something })],
    ['feels an impact', detecting({ impactEpisode: something })],
    ['records a crash', detecting({ crash: something })],
    ['brakes', detecting({ braking: something })],
    ['corners', detecting({ cornering: something })],
    ['is parked', detecting({ parked: something })],
    ['smells smoke', detecting({ smokeEpisode: something })],
    ['does not look', changed({ sampler: { ...looking().ram.sampler, lookAt: undefined } })],
  ])('are none where each look counts: a box that %s', (_, state) => {
    expect(lookThresholdsOf(state)).toBeUndefined();
  });
});
