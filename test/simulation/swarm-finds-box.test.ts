import { describe, expect, test } from 'vitest';
import { failuresOf, playScenario } from '../support/simulation/play-scenario.ts';

/** What `boxtwin swarm` found around boxes, made small (see swarm-finds.test.ts for the others). */
describe('regressions found by swarm, of boxes', () => {
  test('a command for which the firmware is too old is tried as long as no hello has told which it is', async () => {
    const outcome = await playScenario(`
name: before-the-first-hello
about: The first command comes before the box has ever connected.
seed: 4177054463
fleet:
  - { features: none, fleet: own, count: 3 }
steps:
  - { at: 0s, call: { command: activate-workshop-mode } }
always: [guards-hold]
`);
    expect(failuresOf(outcome)).toEqual([]);
    expect(outcome).toMatchObject({ verdict: 'passed' });
  });

  test('a crash whose record is lost in its write, since the power fails in it, is not told', async () => {
    const outcome = await playScenario(`
name: lost-in-its-write
about: A crash is recorded for ten seconds, and the power of the box fails when it writes the record.
seed: 5
fleet:
  - { count: 1, features: { driving-events: {} }, driving: true }
steps:
  - { at: 9s, weather: { coverage: none }, for: 60s }
  - { at: 12s, crash: { acceleration_in_mg: 6000, duration_ms: 100 } }
  - { at: 13s, break: { box: lost-write }, for: 60s }
  - { at: 2m, call: { command: request-vehicle-state } }
always: all
`);
    expect(failuresOf(outcome)).toEqual([]);
    expect(outcome).toMatchObject({ verdict: 'passed' });
  });

  test('what happens to a vehicle just before the end of a run need not be told yet', async () => {
    const outcome = await playScenario(`
name: struck-at-the-end
about: The run ends while the event is on its way.
seed: 2572763531
fleet:
  - { fleet: own }
steps:
  - { at: 3s, crash: { acceleration_in_mg: 4951 } }
always: [events-are-told]
`);
    expect(failuresOf(outcome)).toEqual([]);
    expect(outcome).toMatchObject({ verdict: 'passed' });
  });
});
