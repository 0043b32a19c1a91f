import { expect, test } from 'vitest';
import { MODELS } from '../../../../protocol/models/models.ts';
import { START_MS, truthOf, vehicleOf } from '../../../support/vehicles/any-vehicle.ts';

const MINUTE_MS = 60_000;

/** Truths that never differ, and why: no checker of the twin sees whether one is told in place of the other. */
const THE_SAME: Readonly<Record<string, string>> = {
  'energyLeft fuelLitres': 'What is left in the tank, by two names; the first is of no property.',
  'battery1Percent hybridChargePercent': 'The one battery of a plug-in hybrid, told on two buses.',
};

/** All numbers that properties are made of; tyres and fluids are told by their lamps alone. */
function numbersIn(truth: object): readonly (readonly [name: string, value: number])[] {
  return Object.entries(truth).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'number' ? [[name, value] as const] : [],
  );
}

/** The pairs of numbers that are the same whenever both are there: driving, at rest, with another battery, driving again. */
function neverDiffering(model: string, seed: number): readonly string[] {
  const vehicle = vehicleOf(seed, { driving: true, model });
  const same = new Set<string>();
  const differ = new Set<string>();
  for (let minute = 1; minute <= 60; minute += 1) {
    vehicle.advance(START_MS + minute * MINUTE_MS);
    if (minute === 25) vehicle.park();
    if (minute === 30) vehicle.operate({ kind: 'battery', port: 2, percent: 40 });
    if (minute === 40) vehicle.drive();
    const numbers = numbersIn(truthOf(vehicle)).toSorted(([one], [other]) => (one < other ? -1 : 1));
    for (const [index, [one, value]] of numbers.entries())
      for (const [other, another] of numbers.slice(index + 1))
        (value === another ? same : differ).add(`${one} ${other}`);
  }
  return [...same].filter((pair) => !differ.has(pair));
}

test.each([...MODELS.keys()])('no two numbers of a %s are always the same', (model) => {
  const pairs = [1, 2].flatMap((seed) => neverDiffering(model, seed));
  expect(pairs.filter((pair) => THE_SAME[pair] === undefined)).toEqual([]);
});

test('the reasons are of pairs that are the same', () => {
  const pairs = new Set([...MODELS.keys()].flatMap((model) => neverDiffering(model, 1)));
  expect(Object.keys(THE_SAME).filter((pair) => !pairs.has(pair))).toEqual([]);
});
