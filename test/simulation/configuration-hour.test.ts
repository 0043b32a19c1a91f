import { expect, test } from 'vitest';
import { configurationHour } from './configuration-hour.ts';

test.each([1, 2, 3, 4, 5, 6])(
  'with seed %i what the service shows is what the boxes have',
  async (seed) => {
    const { findings, answers } = await configurationHour(seed, 150);
    expect(findings).toEqual([]);
    // Some were done, some were refused, some had no answer: otherwise the hour was not rough.
    expect(answers[200]).toBeGreaterThan(0);
    expect(answers[204]).toBeGreaterThan(0);
    expect(answers[409]).toBeGreaterThan(0);
    expect(answers[504]).toBeGreaterThan(0);
    expect(answers['moved']).toBeGreaterThan(0);
  },
  60_000,
);

test('it repeats to the byte', async () => {
  const one = await configurationHour(7, 60);
  expect(await configurationHour(7, 60)).toEqual(one);
}, 60_000);
