import { describe, test } from 'vitest';
import { expectPassed } from '../support/simulation/expect-passed.ts';

/** What `boxtwin swarm` found around events, made small (see swarm-finds.test.ts for the others). */
describe('regressions found by swarm, of events', () => {
  test('smoke that comes into smoke is part of it, however long that has been there', async () => {
    await expectPassed(`
name: smoke-in-smoke
about: Somebody smokes for minutes, the feature is configured meanwhile, and somebody else smokes a minute later.
seed: 2328446427
fleet:
  - { features: none }
steps:
  - { at: 0s, smoke: { concentration_in_micrograms_per_cubic_meter: 422, duration_s: 397 } }
  - { at: 50s, call: { configure: { smoke-detection: {} } } }
  - { at: 1m1s885ms, smoke: { concentration_in_micrograms_per_cubic_meter: 900, duration_s: 55 } }
  - { at: 2m1s885ms, call: { command: board-reset } }
always: [events-are-told]
`);
  });

  test('a blow of a second that a box takes for braking has the speed of its end', async () => {
    await expectPassed(`
name: long-blow
about: Something holds a moving vehicle back for a second, as strongly as brakes do.
seed: 2577798655
fleet:
  - { fleet: own }
steps:
  - { at: 0s, crash: { acceleration_in_mg: 586, duration_ms: 1000 } }
  - { at: 5s, expect: { connected: true } }
always: [events-are-told]
`);
  });

  test('a blow that comes while its box writes slowly is told once that is over', async () => {
    await expectPassed(`
name: blow-in-a-slow-write
about: A box writes for twenty seconds when something strikes its vehicle, and the run ends before.
seed: 1430010010
fleet:
  - {}
steps:
  - { at: 0s, call: { command: modem-reset } }
  - { at: 0s, break: { box: { flash-slow: { by: 20s } } }, for: 100ms }
  - { at: 1s600ms, crash: { acceleration_in_mg: 9408 } }
always: [events-are-told]
`);
  });

  test('a crash whose record is written slowly is told once that is written', async () => {
    await expectPassed(`
name: crash-written-slowly
about: The flash of a box gets slow while it records a crash, and the run ends while the record is written.
seed: 1631181989
fleet:
  - { fleet: own }
steps:
  - { at: 3s, crash: { acceleration_in_mg: 5242 } }
  - { at: 6s, break: { box: { flash-slow: { by: 6s } } }, for: 13s }
always: [events-are-told]
`);
  });
});
