import { describe, expect, test } from 'vitest';
import { onboarding } from '../support/simulation/onboarding.ts';

const MINUTE_MS = 60_000;

describe('twenty vehicles that are onboarded to boxes on the shelf', () => {
  test('are set up at the first attempt if nothing goes wrong, or fail for what their installation lacks', async () => {
    const { setups, findings } = await onboarding({
      seed: 3,
      vehicles: 20,
      durationMs: 5 * MINUTE_MS,
      isCalm: true,
    });
    expect(findings).toEqual([]);
    expect(setups.size).toBe(20);
    for (const { seen, detail } of setups.values()) {
      expect(['PENDING RUNNING SUCCEEDED', 'PENDING RUNNING FAILED']).toContain(seen.join(' '));
      // A parked vehicle of a model without a body bus is silent.
      if (seen.at(-1) === 'FAILED') expect(detail).toMatch(/no answer on OBD or CAN|no GNSS fix/);
    }
    expect([...setups.values()].filter(({ seen }) => seen.at(-1) === 'SUCCEEDED').length).toBeGreaterThan(10);
  }, 120_000);

  test.each([21, 22, 23])(
    'each get one result despite cuts, resets, faults and crashes of the service (seed %i)',
    async (seed) => {
      const { setups, findings, faults } = await onboarding({
        seed,
        vehicles: 20,
        durationMs: 15 * MINUTE_MS,
      });
      expect(findings).toEqual([]);
      expect(setups.size).toBe(20);
      expect(faults).toEqual(new Set(['coverage', 'crash', 'cut', 'fault', 'reset']));
    },
    120_000,
  );

  test('have the same results when the run is repeated', async () => {
    const play = () => onboarding({ seed: 24, vehicles: 6, durationMs: 4 * MINUTE_MS });
    const [first, again] = [await play(), await play()];
    expect(again).toEqual(first);
  }, 120_000);
});
