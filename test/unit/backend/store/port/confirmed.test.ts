import fc from 'fast-check';
import { expect, test } from 'vitest';
import type {
  ConfigurationOrder,
  FeatureInForce,
} from '../../../../../backend/store/port/configuration-store.ts';
import {
  afterCalibrated,
  afterDone,
  afterSetUp,
  afterWiped,
  type ConfirmedConfiguration,
  inForceOf,
} from '../../../../../backend/store/port/confirmed.ts';

const NOTHING: ConfirmedConfiguration = {
  revision: 0,
  features: {},
  decided: 0,
  calibrated: 0,
  epoch: undefined,
};
const at = (sequence: number, epoch = 7) => ({ epoch, sequence });

/** An order that puts `put` to the revision's number and keeps what is in force beside it. */
function order(
  revision: number,
  put: string | undefined,
  before: ConfirmedConfiguration = NOTHING,
  calibrates: readonly string[] = [],
): ConfigurationOrder {
  const { features } = inForceOf(before);
  const kept: Record<string, FeatureInForce> = {};
  for (const [name, feature] of Object.entries(features)) if (name !== put) kept[name] = feature;
  return {
    revision,
    basedOn: before.revision,
    features: put === undefined ? {} : { [put]: { number: revision } },
    calibrates,
    kept,
  };
}
const shown = (confirmed: ConfirmedConfiguration) =>
  Object.fromEntries(
    Object.entries(inForceOf(confirmed).features).map(([name, one]) => [
      name,
      [one.parameters['number'], one.status],
    ]),
  );

test('settings that were carried out are in force, together with kept ones', () => {
  const one = afterDone(NOTHING, order(5, 'tracking'), at(1), 100);
  const two = afterDone(one, order(6, 'box-settings', one), at(2), 200);
  expect(shown(two)).toEqual({ tracking: [5, 'ACTIVE'], 'box-settings': [6, 'ACTIVE'] });
  expect(two.features['tracking']?.modifiedMs).toBe(100);
});

test('a reply older than a later revision changes nothing', () => {
  const two = afterDone(NOTHING, order(6, 'box-settings'), at(2), 200);
  expect(afterDone(two, order(5, 'tracking'), at(1), 300)).toBe(two);
});

test('settings of a late reply are replaced by a later configuration without them, as in the box', () => {
  const late = afterDone(NOTHING, order(5, 'tracking'), at(1), 100);
  expect(shown(afterDone(late, order(6, 'box-settings'), at(2), 200))).toEqual({
    'box-settings': [6, 'ACTIVE'],
  });
});

test('a calibration ends with the record after its beginning, in whatever order they arrive', () => {
  const begun = afterDone(NOTHING, order(5, 'damage', NOTHING, ['damage']), at(10), 100);
  expect(shown(begun)).toEqual({ damage: [5, 'ACTIVATING'] });
  expect(shown(afterCalibrated(begun, at(9)))).toEqual({ damage: [5, 'ACTIVATING'] });
  expect(shown(afterCalibrated(begun, at(11)))).toEqual({ damage: [5, 'ACTIVE'] });
  const early = afterCalibrated(NOTHING, at(11));
  expect(shown(afterDone(early, order(5, 'damage', NOTHING, ['damage']), at(10), 100))).toEqual({
    damage: [5, 'ACTIVE'],
  });
});

test('a calibration continues when other settings change, and begins again when it is put again', () => {
  const begun = afterDone(NOTHING, order(5, 'damage', NOTHING, ['damage']), at(10), 100);
  const beside = afterDone(begun, order(6, 'tracking', begun), at(12), 200);
  expect(shown(beside)['damage']).toEqual([5, 'ACTIVATING']);
  const ended = afterCalibrated(beside, at(13));
  expect(shown(ended)['damage']).toEqual([5, 'ACTIVE']);
  expect(shown(afterDone(ended, order(7, 'damage', ended, ['damage']), at(20), 300))['damage']).toEqual([
    7,
    'ACTIVATING',
  ]);
});

test('a setup clears the settings in force and keeps the revision', () => {
  const one = afterDone(NOTHING, order(5, 'damage', NOTHING, ['damage']), at(10), 100);
  const setUp = afterSetUp(one, at(12));
  expect(inForceOf(setUp)).toEqual({ revision: 5, features: {} });
  expect(shown(afterDone(setUp, order(6, 'tracking', setUp), at(13), 200))).toEqual({
    tracking: [6, 'ACTIVE'],
  });
  expect(afterSetUp(afterWiped(one, 8), at(12))).toEqual(afterWiped(one, 8));
});

test('setups and configurations end with the settings of the box, in whatever order their replies arrive', () => {
  // As the box did them: configured, set up, configured twice.
  const done = [
    [1, 5],
    [2, 'set up'],
    [3, 6],
    [4, 7],
  ] as const;
  fc.assert(
    fc.property(fc.shuffledSubarray([...done], { minLength: done.length }), (arrived) => {
      let confirmed = NOTHING;
      for (const [sequence, what] of arrived)
        confirmed =
          what === 'set up'
            ? afterSetUp(confirmed, at(sequence))
            : afterDone(confirmed, order(what, 'tracking'), at(sequence), 100);
      expect(confirmed.revision).toBe(7);
      expect(shown(confirmed)).toEqual({ tracking: [7, 'ACTIVE'] });
    }),
    { examples: [[[done[1], done[0], done[2], done[3]]]] },
  );
  const late = afterDone(afterSetUp(NOTHING, at(2)), order(5, 'tracking'), at(1), 100);
  expect(inForceOf(late)).toEqual({ revision: 5, features: {} });
});

test('a wiped flash clears everything, and earlier settings do not return', () => {
  const one = afterDone(NOTHING, order(5, 'tracking'), at(1), 100);
  const wiped = afterWiped(one, 8);
  expect(inForceOf(wiped)).toEqual({ revision: 0, features: {} });
  expect(afterDone(wiped, order(6, 'tracking'), at(2, 7), 200)).toBe(wiped);
  expect(shown(afterDone(wiped, order(7, 'tracking'), at(1, 8), 200))).toEqual({ tracking: [7, 'ACTIVE'] });
});
