import { describe, expect, test } from 'vitest';
import { expectPassed } from '../support/simulation/expect-passed.ts';
import { failuresOf, playScenario } from '../support/simulation/play-scenario.ts';

/** What several backends promise together: each was a planted bug that nobody found. */
describe('the quota of a client', () => {
  const scenario = (backends: number) => `
name: hasty-client
about: A client calls more often than it may, and again in the minute after the next.
seed: 7
backends: ${backends}
rate_limit: 60
clients:
  - { name: hasty, permissions: [vehicles.ro] }
fleet:
  - { model: petrol-compact, driving: false, features: demo }
steps:
  - { at: 30s, call: { get: "/vehicles?limit=1", as: hasty }, expect: { status: 200 } }
  - at: 31s
    call: { get: "/vehicles?limit=1", as: hasty }
    repeat: { every: 200ms, times: 90 }
    expect: { status: [200, 429] }
  - { at: 50s, call: { get: "/vehicles?limit=1", as: hasty }, expect: { status: 429 } }
  - { at: 95s, call: { get: "/vehicles?limit=1", as: hasty }, expect: { status: 200 } }
always: all
`;

  test.each([1, 3])('holds over %i backends, and begins anew after a minute', async (backends) => {
    const outcome = await playScenario(scenario(backends));
    expect(failuresOf(outcome)).toEqual([]);
    expect(outcome).toMatchObject({ verdict: 'passed', warnings: [] });
  });

  test('of the owner does not keep checkers from looking', async () => {
    await expectPassed(`
name: narrow-owner
about: The owner has so few calls that the looks of the checkers have to wait for the next minutes.
seed: 7
backends: 2
rate_limit: 4
fleet:
  - { count: 6, model: petrol-compact, driving: false, features: none }
steps:
  - { at: 30s, call: { command: request-vehicle-state } }
always: [twin-is-true, twin-is-fold, quota-holds]
`);
  });
});

test('a backend that starts within a bulk job leaves the vehicles alone that another one is asking', async () => {
  await expectPassed(`
name: start-within-job
about: A backend starts while another one carries out a bulk job, whose vehicles answer slowly.
seed: 7
backends: 2
fleet:
  - { as: cars, count: 4, model: petrol-compact, driving: false, features: none }
steps:
  - { at: 40s, break: { backend: { crash: { which: 2 } } }, for: 23s }
  - { at: 59s, on: cars, weather: { latency: { base: 6s } }, for: 60s }
  - { at: 60s, on: cars, call: { bulk: { tracking: { time_interval_in_seconds: 30 } } } }
always: all
`);
});

test('what a maker tells is taken by each backend, also by one that has just started', async () => {
  await expectPassed(`
name: maker-of-several
about: A car tells its maker of each change, and one of three backends dies and comes back.
seed: 7
backends: 3
fleet:
  - { as: cars, maker: northwind, driving: false }
steps:
  - { at: 30s, on: cars, call: { command: unlock-central-lock }, expect: { status: 200 } }
  - { at: 35s, on: cars, call: { command: enable-driving }, expect: { status: 200 } }
  - { at: 40s, on: cars, drive: {} }
  - { at: 50s, break: { backend: { crash: { which: 3 } } }, for: 10s }
  - { at: 2m, on: cars, park: {} }
always: all
`);
});

describe('a backend that is paused while it reads what a batch needs', () => {
  test.each([1, 2])(
    "commits nothing of boxes that are another one's by then, with the seed %i",
    async (seed) => {
      await expectPassed(`
name: paused-within-batch
about: Backends are paused between the reading and the commit of a batch, for longer than their leases last.
seed: ${seed}
backends: 2
fleet:
  - { count: 8, model: petrol-compact, features: none, driving: false }
steps:
  - { at: 20s, break: { store: { slow: { by: 900ms } } }, for: 2m }
  - { at: 22s, call: { command: request-vehicle-state }, repeat: { every: 1s, for: 100s } }
  - { at: 40s, break: { backend: { pause: { which: 1 } } }, for: 12s }
  - { at: 70s, break: { backend: { pause: { which: 2 } } }, for: 12s }
  - { at: 95s, break: { backend: { pause: { which: 1 } } }, for: 12s }
always: [partitions-have-one-holder]
`);
    },
  );
});
