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

  test('cornering that was under way is told once a lower threshold comes into force', async () => {
    await expectPassed(`
name: threshold-while-cornering
about: A vehicle takes a corner too gently to be told, and meanwhile the threshold is lowered; its box has the time from a slow first answer.
seed: 3212664523
fleet:
  - { fleet: own, count: 3 }
  - { features: none }
  - { features: none }
steps:
  - { at: 12s939ms, break: { broker: { no-majority: {} } }, for: 3s358ms }
  - at: 19s939ms
    call:
      configure: { driving-events: { harsh_cornering_detection: { minimum_lateral_acceleration_in_mg: 74 } } }
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

  test('a blow that comes while its box writes slowly is not told where a reset comes before the end of that', async () => {
    await expectPassed(`
name: blow-in-a-slow-write
about: A box writes for seconds when something strikes its vehicle, and its watchdog resets it before it has looked.
seed: 1430010010
fleet:
  - {}
steps:
  - { at: 0s, break: { box: { flash-slow: { by: 7s } } }, for: 0s }
  - { at: 0s, bluetooth: { action: unlock-and-enable-driving } }
  - { at: 0s, ignition: { on: false } }
  - { at: 4s, crash: { acceleration_in_mg: 9408 } }
  - { at: 4s, break: { box: { watchdog: {} } } }
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

  test('a crash of a car that drove off while its box wrote slowly is told', async () => {
    await expectPassed(`
name: struck-while-it-writes
about: A car drives off while its box writes slowly to its flash, and is struck before the box looks again.
seed: 32563769
fleet:
  - { features: none }
  - { features: none, fleet: own }
steps:
  - { delay: 1s500ms, weather: { roaming: {} }, for: 0s }
  - { at: 0s, park: {} }
  - { at: 1s200ms, break: { box: { flash-slow: { by: 4s } } }, for: 200ms }
  - { at: 1s100ms, call: { configure: { driving-events: {} } } }
  - { at: 1s300ms, call: { command: unlock-central-lock } }
  - { at: 1s400ms, drive: {} }
  - { at: 4s400ms, crash: { acceleration_in_mg: 7340 } }
always: [events-are-told]
`);
  });
});
