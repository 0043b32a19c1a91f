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

  test('a setup that was begun for the vehicle before is not that of the one which is onboarded meanwhile', async () => {
    await expectPassed(`
name: setup-of-the-vehicle-before
about: Two backends are paused while a box is offboarded and onboarded again; a third one begins the setup of before.
seed: 1593571562
fleet:
  - {}
  - { as: shelf, count: 2, features: none }
steps:
  - { at: 0s, on: { group: shelf }, call: { offboard: {} } }
  - { at: 0s, weather: { sim: detached }, for: 0s }
  - { at: 0s, on: { box: 1 }, call: { command: lock-and-disable-driving } }
  - { at: 0s, call: { subscribe: { name: queue-3, topics: [ ParkingEvent_v1 ] } } }
  - { at: 0s, call: { get: "/configure-vehicle-telematics-unit-bulk/{job}" } }
  - { at: 2s, call: { onboard: {} } }
  - { at: 2s100ms, on: shelf, call: { offboard: {} } }
  - { at: 2s100ms, on: { box: 1 }, call: { command: disable-driving } }
  - { at: 2s113ms, on: shelf, call: { onboard: {} } }
  - { at: 0s, on: { box: 1 }, call: { command: request-vehicle-state } }
  - { at: 2s, break: { backend: { pause: { which: 2 } } }, for: 6s }
  - { at: 2s100ms, break: { backend: { pause: {} } }, for: 6s }
always: [twin-is-fold]
backends: 4
`);
  });
});
