import { expect, test } from 'vitest';
import { placeName, stepName } from '../../../../../scenarios/language/document/step-name.ts';
import type { DocumentPlace } from '../../../../../scenarios/language/vary/vary.ts';

test('a step is counted from 1, with its label and its line where they are known', () => {
  expect([
    stepName(0),
    stepName(1, { line: 8 }),
    stepName(1, { label: 'dark' }),
    stepName(9, { label: 'dark', line: 8 }),
  ]).toEqual(['step 1', 'step 2 (line 8)', 'step 2 "dark"', 'step 10 "dark" (line 8)']);
});

test.each<[DocumentPlace, string]>([
  [['steps', 1], 'step 2 (line 5)'],
  [['steps', 1, 'weather', 'coverage'], 'step 2 (line 5) weather.coverage'],
  [['steps', 1, 'expect', 0, 'answer', 'status'], 'step 2 (line 5) expect 1 answer.status'],
  [['steps', 1, 'never', 2], 'step 2 (line 5) never 3'],
  [['steps', 1, 'expect', 'status'], 'step 2 (line 5) expect.status'],
  [['fleet', 0, 'count'], 'fleet[0].count'],
  [['steps'], 'steps'],
])('the place %j is named %j', (place, name) => {
  expect(placeName(place, () => 5)).toBe(name);
});
