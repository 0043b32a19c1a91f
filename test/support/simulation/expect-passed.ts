import { expect } from 'vitest';
import type { RunOutcome } from '../../../scenarios/run/outcome.ts';
import { failuresOf, playScenario } from './play-scenario.ts';

/** Plays the scenario of this text, and fails the test with what its expectations and checkers found. */
export async function expectPassed(text: string): Promise<RunOutcome> {
  const outcome = await playScenario(text);
  expect(failuresOf(outcome)).toEqual([]);
  expect(outcome).toMatchObject({ verdict: 'passed' });
  return outcome;
}
