import { describe, expect, test } from 'vitest';
import { isPoweredDown } from '../../scenarios/testbed/common/vehicles/expected-offline.ts';
import { expectPassed } from '../support/simulation/expect-passed.ts';

/**
 * What `boxtwin swarm` found, made small: each was once a failure of the product, or of a checker that was too
 * strict.
 */
describe('regressions found by swarm', () => {
  test('a service that cannot read a vehicle from its store reveals nothing about it', async () => {
    await expectPassed(`
name: store-down
about: A fleet asks for a vehicle of another one while the store is down.
seed: 6
fleet:
  - { fleet: partner, features: none, driving: false }
steps:
  - { at: 5s, call: { get: /vehicles } }
  - { at: 10s, break: { store: down }, for: 20s }
  - { at: 15s, call: { deactivate: driving-events }, expect: { status: 500 } }
always: [fleets-apart]
`);
  });

  test('a refused token request is an answer and no crash, and its call is sent without a token', async () => {
    await expectPassed(`
name: token-refused
about: A client asks for a token while the store is down, and while the service is.
seed: 3
fleet:
  - { features: none, driving: false }
steps:
  - { at: 10s, break: { store: down }, for: 20s }
  - { at: 20s, call: { token: morning }, expect: { status: 500 } }
  - { at: 1m, call: { get: "/vehicles/{vehicle}", bearer: morning }, expect: { status: 401 } }
  - { at: 2m, call: { token: noon }, expect: { status: 200 } }
  - { at: 2m1s, call: { get: "/vehicles/{vehicle}", bearer: noon }, expect: { status: 200 } }
  - { at: 3m, break: { backend: crash }, for: 20s }
  - { at: 3m1s, call: { token: evening } }
always: all
`);
  });

  test('messages not marked as sent before a crash are sent again, from the first one on and in order', async () => {
    const outcome = await expectPassed(`
name: marks-lost
about: The service dies while marks of several messages of a vehicle are still on their way into a slow store.
seed: 5
fleet:
  - { count: 3, model: petrol-compact, driving: true }
steps:
  - { at: 1m, break: { store: { slow: { by: 20s } } }, for: 60s }
  - { at: 1m58s, break: { backend: crash }, for: 1s }
  - { at: 3m, expect: { connected: true } }
always: [order-per-box, nothing-doubled, nothing-lost]
`);
    const ids = outcome.facts.flatMap((fact) => (fact.kind === 'message' ? [fact.messageId] : []));
    expect(new Set(ids).size).toBeLessThan(ids.length);
  });

  test('a box that has powered down because of a flat battery is expected offline, and is not pending', async () => {
    await expectPassed(`
name: left-flat
about: The battery of a parked car runs flat, and nobody charges it.
seed: 3
fleet:
  - { count: 2, features: none, driving: false }
steps:
  - { at: 10s, on: { box: 1 }, supply: { state: low } }
  - { at: 15m, on: { box: 1 }, expect: { connected: false } }
always: all
`);
  });

  test('a box that is powered down with a good supply is pending', () => {
    const box = (power: string, supplyMillivolts: number, ignitionOn: boolean) => ({
      snapshot: () => ({ power }),
      truth: () => ({ supplyMillivolts, ignitionOn }),
    });
    expect(isPoweredDown(box('asleep', 9_400, false))).toBe(true);
    expect(isPoweredDown(box('asleep', 0, true))).toBe(true);
    expect(isPoweredDown(box('asleep', 12_600, false))).toBe(false);
    expect(isPoweredDown(box('asleep', 9_400, true))).toBe(false);
    expect(isPoweredDown(box('up', 9_400, false))).toBe(false);
  });

  test('a clock that jumped ahead by less than five minutes is corrected by the receipt for the first reply that reported an expired request', async () => {
    await expectPassed(`
name: clock-ahead
about: A bulk job is asked for when the clock of the box is ahead by the life of a command.
seed: 19819036
fleet:
  - { features: none }
steps:
  - { at: 10s, break: { box: { clock-jump: { by: 20s } } } }
  - { at: 11s, call: { command: request-vehicle-state }, expect: { status: 504 } }
  - { at: 20s, call: { command: request-vehicle-state }, expect: { status: 200 } }
always: all
`);
  });

  test('a box that answers the setup of the vehicle before is set up once more for its new one', async () => {
    await expectPassed(`
name: twice-onboarded
about: A box is onboarded, and at once offboarded and onboarded again.
seed: 1307413957
fleet:
  - { count: 2, on_shelf: true, features: none }
steps:
  - { at: 0s, call: { onboard: {} } }
  - { at: 1s268ms, call: { offboard: {} } }
  - { at: 1s268ms, call: { onboard: {} } }
always: [twin-is-fold]
`);
  });

  test('a vehicle that leaves its fleet while it answers tells the fleet nothing more', async () => {
    await expectPassed(`
name: left-meanwhile
about: A vehicle is offboarded while it is asked for its state.
seed: 3249168194
fleet:
  - { features: none }
steps:
  - { at: 1s400ms, call: { command: request-vehicle-state } }
  - { at: 1s400ms, call: { offboard: {} } }
always: [flows-agree]
`);
  });

  test('a bulk job whose caller got no answer may be in force', async () => {
    await expectPassed(`
name: unanswered-job
about: The service crashes while a job is asked for.
seed: 1609284327
fleet:
  - { features: none }
steps:
  - { at: 0s, call: { bulk: { tracking: {} } } }
  - { at: 1ms, break: { backend: { crash: {} } }, for: 0s }
always: [one-result-per-vehicle]
`);
  });

  test('of two jobs that are asked for at once either may be the last', async () => {
    await expectPassed(`
name: jobs-at-once
about: The store is slow while the first of two jobs is made.
seed: 2117556916
fleet:
  - { as: maker, features: none }
steps:
  - { at: 300ms, break: { store: { slow: { by: 300ms } } }, for: 4s }
  - { at: 4s116ms, call: { bulk: { smoke-detection: null } } }
  - { at: 4s316ms, call: { bulk: { smoke-detection: {} } } }
always: [one-result-per-vehicle]
`);
  });

  test('a vehicle whose sharing is answered after its end was asked for may be shared', async () => {
    await expectPassed(`
name: shared-late
about: The store is slow while a vehicle is shared, and its sharing ends meanwhile.
seed: 2272568508
fleet:
  - { features: none }
steps:
  - { at: 0s, break: { store: { slow: { by: 5s } } }, for: 6s }
  - { at: 0s, call: { share: partner } }
  - { at: 9s, call: { share: partner } }
  - { at: 9s100ms, call: { unshare: {} } }
  - { at: 10s100ms, call: { get: /vehicles?limit=100, as: partner } }
always: [fleets-apart]
`);
  });

  test('a vehicle that rolls out below walking pace may be locked', async () => {
    await expectPassed(`
name: rolls-out
about: A vehicle is locked in the last half second before it stands.
seed: 3763907782
fleet:
  - { on_shelf: true, count: 2, features: none }
  - { count: 3, features: none }
  - { radio: road }
steps:
  - { at: 10m10s661ms, park: {} }
  - { at: 10m12s161ms, call: { command: lock-central-lock } }
always: [outputs-are-safe]
`);
  });

  test('a box with a wiped flash begins its attempts to connect anew', async () => {
    await expectPassed(`
name: wiped-while-connecting
about: The flash of a box is wiped while its network lets nothing through.
seed: 171834289
fleet:
  - { features: none }
steps:
  - { at: 0s, weather: { stall: {} }, for: 1m30s }
  - { at: 7s, break: { box: { wipe: {} } } }
always: [connects-with-patience]
`);
  });

  test('of two bulk jobs that are asked for at the same time, either may be the last', async () => {
    await expectPassed(`
name: jobs-cross
about: The store is slow while a job is made, and fast again for another that is made meanwhile.
seed: 4
fleet:
  - { features: none, driving: false }
steps:
  - { at: 5s, call: { get: /vehicles } }
  - { at: 10s, break: { store: { slow: { by: 6s } } }, for: 2s }
  - { at: 11s, call: { bulk: { parking-events: {} } } }
  - { at: 14s, call: { bulk: { parking-events: null } } }
  - { at: 1m, expect: { connected: true } }
always: all
`);
  });

  test('a service that begins anew may try the vehicle of a job again within the same second', async () => {
    await expectPassed(`
name: restart-in-a-second
about: A job's vehicle is tried again at once because the service began anew, within the second of its last attempt.
seed: 3214275753
fleet:
  - { features: none, count: 2 }
steps:
  - { at: 2m2s430ms, call: { bulk: { smoke-detection: {} } } }
  - { at: 2m2s530ms, break: { backend: { restart: {} } } }
  - { at: 2m2s630ms, call: { get: "/configure-vehicle-telematics-unit-bulk/{job}" } }
always: [bulk-in-time]
`);
  });

  test('an attempt of a job that takes longer than its lease is not made twice at once', async () => {
    await expectPassed(`
name: longer-than-a-lease
about: Under a slow store an attempt of a bulk job takes longer than its lease.
seed: 4145614971
fleet:
  - { as: shelf, count: 2, on_shelf: true, features: none }
steps:
  - { at: 22m, weather: { sim: suspended }, for: 7m }
  - { at: 22m, break: { store: { slow: { by: 8s } } }, for: 14m }
  - { at: 27m, on: { box: 2 }, call: { onboard: {} } }
  - { at: 32m2s33ms, call: { bulk: { smoke-detection: null } } }
always: [bulk-in-time]
`);
  });

  test('a card is suspended at once, though its box is busy with its flash', async () => {
    await expectPassed(`
name: busy-flash
about: A provider suspends the card of a box whose flash is busy.
seed: 1811037744
fleet:
  - { features: none }
steps:
  - { at: 0s, break: { box: { flash-slow: { by: 100ms } } }, for: 100ms }
  - { at: 0s, call: { command: request-sim-suspension } }
always: [successes-hold]
`);
  });

  test('a box whose clock is ahead by the time of a request may take it for expired', async () => {
    await expectPassed(`
name: clock-ahead
about: The clock of a box is ahead by the time that a request is given, so that it takes the request for expired.
seed: 2838027798
fleet:
  - { features: none }
steps:
  - { at: 1s500ms, break: { box: { clock-jump: { by: 20s } } } }
  - { at: 1m11s500ms, call: { deactivate: smoke-detection } }
always: [guards-hold]
`);
  });

  test('a car that drives off while its box writes slowly is not locked any more', async () => {
    await expectPassed(`
name: drives-off
about: A car drives off while its box still writes down that it is to lock.
seed: 3
fleet:
  - { model: petrol-compact, driving: false, features: none, firmware: "2.31" }
steps:
  - { at: 5s, call: { command: unlock-and-enable-driving } }
  - { at: 10s, break: { box: { flash-slow: { by: 8s } } }, for: 1m }
  - { at: 11s, call: { command: lock-central-lock } }
  - { at: 12s, drive: {} }
always: [outputs-are-safe, answers-agree, guards-hold, outputs-are-caused]
`);
  });

  test('a command whose vehicle is offboarded meanwhile is answered with 404, and may have been carried out', async () => {
    await expectPassed(`
name: offboarded-meanwhile
about: The reply to a command comes slowly, and its vehicle is offboarded before; the box carries the command out.
seed: 1
fleet:
  - { model: petrol-compact, driving: false, features: none }
steps:
  - { at: 5s, weather: { lose: { message: command-reply, count: 20 } } }
  - { at: 6s, call: { command: request-vehicle-state }, expect: { status: 404 }, within: 40s }
  - { at: 8s, call: { request: { method: DELETE, path: "/vehicles/{vehicle}" } }, expect: { status: 204 } }
always: [answers-agree]
`);
  });

  test('a lease that is committed and answered with an error is taken up again when it ends', async () => {
    await expectPassed(`
name: lease-with-an-error
about: The lease of a job's vehicle is committed and answered with an error; it is taken up again when it ends.
seed: 3
fleet:
  - { model: petrol-compact, driving: false, features: none }
steps:
  - { at: 10s, call: { bulk: { tracking: {} } } }
  - { at: 10s, break: { store: { commit-unknown: { count: 3 } } }, for: 2s }
  - { at: 3m, expect: { bulk: { status: COMPLETED, applied: 1 } } }
always: [bulk-in-time, one-result-per-vehicle]
`);
  });
});
