import { describe, test } from 'vitest';
import { expectPassed } from '../support/simulation/expect-passed.ts';

/** What `boxtwin swarm` found around events, made small (see swarm-finds.test.ts for the others). */
describe('regressions found by swarm, of events', () => {
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
});
