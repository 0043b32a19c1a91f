import { describe, test } from 'vitest';
import { expectPassed } from '../support/simulation/expect-passed.ts';

/** What `boxtwin swarm` found around the vehicle state, made small (see swarm-finds.test.ts for the others). */
describe('regressions found by swarm, of the vehicle state', () => {
  test('a satellite that is hidden for less than a tenth of a second makes a fix less precise', async () => {
    await expectPassed(`
name: hidden-for-a-moment
about: A receiver has its first fix at the corner of a house, 27 ms before it hears one more satellite.
seed: 2500370489
fleet:
  - { count: 2, features: none }
  - { features: none, fleet: partner, count: 2, radio: road }
  - { features: none }
  - { features: none }
steps:
  - { at: 0s, weather: { latency: { base: 0s } }, for: 40s }
always: [twin-is-true]
`);
  });
});
