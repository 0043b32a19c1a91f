import { expect, test } from 'vitest';
import { runConfigurationFaults } from '../support/simulation/configuration-faults.ts';

test.each([1, 2, 3, 4, 5, 6])(
  'with seed %i the service shows the settings that the boxes have',
  async (seed) => {
    const { findings, answers } = await runConfigurationFaults(seed, 150);
    expect(findings).toEqual([]);
    // Some calls succeeded, some were refused, some got no answer: otherwise there were too few faults.
    expect(answers[200]).toBeGreaterThan(0);
    expect(answers[204]).toBeGreaterThan(0);
    expect(answers[409]).toBeGreaterThan(0);
    expect(answers[504]).toBeGreaterThan(0);
    expect(answers['moved']).toBeGreaterThan(0);
  },
  60_000,
);

test('repeated runs give identical results', async () => {
  const one = await runConfigurationFaults(7, 60);
  expect(await runConfigurationFaults(7, 60)).toEqual(one);
}, 60_000);
