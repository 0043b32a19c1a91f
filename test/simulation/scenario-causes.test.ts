import { expect, test } from 'vitest';
import { failuresOf } from '../../scenarios/reports/failure.ts';
import { timelineAround } from '../../scenarios/reports/timeline.ts';
import { playScenario } from '../support/simulation/play-scenario.ts';

test('an expectation that is not met says since when it is so, and what happened to the vehicle before', async () => {
  const { expectations } = await playScenario(`
name: locked-again
about: A car is unlocked, locked again, and expected unlocked.
fleet: [{ model: petrol-compact, firmware: "2.31", features: none }]
steps:
  - { at: 10s, call: { command: unlock-central-lock } }
  - { at: 40s, call: { command: lock-central-lock } }
  - { at: 2m, expect: { truth: { locked: false } } }
  - { at: 2m, expect: { state: { central_lock: UNLOCKED } } }
`);
  const texts = expectations.map(({ text }) => text);
  expect(texts[0]).toMatch(
    /^truth\.locked is true, expected false; so since 40\.\d s, after call 2 .*lock-central-lock/,
  );
  expect(texts[1]).toMatch(
    /^state\.central_lock is "LOCKED".*; told \d+\.\d s, after call 2 .*lock-central-lock/,
  );
});

test('a last step that fails tells the fault that was in force, however long ago it was laid', async () => {
  const outcome = await playScenario(`
name: exchange-without-end
about: The exchange refuses everything from the beginning to the end, and the last step waits for a message.
fleet: [{ model: petrol-compact, firmware: "2.31", driving: true }]
steps:
  - { at: 10s, break: { exchange: { nack: {} } } }
  - { at: 10m, within: 2m, expect: { message: VehicleStateReceived } }
`);
  const [failure] = failuresOf(outcome);
  if (failure === undefined) throw new Error('The expectation cannot be met.');
  const texts = timelineAround(failure, outcome).lines.map(({ text }) => text);
  expect(texts).toContain('still so: fault begins: exchange nack');
});
