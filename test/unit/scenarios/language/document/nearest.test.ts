import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  hintFor,
  nearestName,
  nearestNames,
  nearestOrSome,
} from '../../../../../scenarios/language/document/nearest.ts';

const COMMANDS = ['lock-central-lock', 'unlock-central-lock', 'unlock-top-case', 'draw-attention'];

test.each([
  ['unlock-central-lok', ['unlock-central-lock']],
  ['unlok', ['unlock-central-lock', 'unlock-top-case']],
  ['lock', ['lock-central-lock']],
  ['top-cse', ['unlock-top-case']],
  ['attention', ['draw-attention']],
  ['nonsense', []],
])('%s means %j', (given, wanted) => {
  expect(nearestNames(given, COMMANDS)).toEqual(wanted);
});

test('names with a similar word are offered only where no whole name is similar', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}(-[a-z]{1,8})?$/)),
      (given, names) => {
        const near = nearestName(given, names);
        const found = nearestNames(given, names);
        if (near !== undefined) expect(found).toEqual([near]);
        for (const name of found) expect(names).toContain(name);
      },
    ),
  );
});

test('a hint proposes names, or lists them; of ids that may be many it names some', () => {
  expect(hintFor('unlok', COMMANDS)).toBe('Did you mean unlock-central-lock or unlock-top-case?');
  expect(hintFor('nonsense', ['cut', 'stall'])).toBe('There are: cut, stall.');
  expect(nearestOrSome('77B5Z', ['8B13V', '77B5C'])).toBe('Did you mean 77B5C?');
  expect(nearestOrSome('NOBODY', ['A1', 'B2', 'C3', 'D4', 'E5'])).toBe(
    'There are, for example, A1, B2, C3, D4.',
  );
  expect(nearestOrSome('NOBODY', [])).toBeUndefined();
});
