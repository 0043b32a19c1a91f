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
