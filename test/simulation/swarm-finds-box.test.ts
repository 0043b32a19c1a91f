import { describe, test } from 'vitest';
import { expectPassed } from '../support/simulation/expect-passed.ts';

/** What `boxtwin swarm` found around boxes, made small (see swarm-finds.test.ts for the others). */
describe('regressions found by swarm, of boxes', () => {
  test('a command for which the firmware is too old is tried as long as no hello has told which it is', async () => {
    await expectPassed(`
name: before-the-first-hello
about: The first command comes before the box has ever connected.
seed: 4177054463
fleet:
  - { features: none, fleet: own, count: 3 }
steps:
  - { at: 0s, call: { command: activate-workshop-mode } }
always: [guards-hold]
`);
  });

  test('a crash whose record is lost in its write, since the power fails in it, is not told', async () => {
    await expectPassed(`
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
  });

  test('a vehicle that is towed moves, whatever its wheels say', async () => {
    await expectPassed(`
name: moved-by-another
about: Whoever wants to unlock a vehicle that is towed is refused, since it moves.
seed: 3394157957
fleet:
  - { driving: false, features: none, radio: road }
steps:
  - { at: 8s916ms, tow: { distance_m: 842 } }
  - { at: 40s9ms, call: { command: lock-and-disable-driving }, repeat: { every: 6s418ms, times: 4 } }
  - { at: 1m9ms, call: { command: unlock-central-lock } }
always: [guards-hold]
`);
  });

  test('a command in time is carried out, however many came since a setup that has three minutes', async () => {
    await expectPassed(`
name: many-commands-after-a-setup
about: A box remembers 32 requests, and forgets the one that expires first.
seed: 1
fleet:
  - { on_shelf: true }
steps:
  - { at: 1s, call: { onboard: {} } }
  - { at: 20s, call: { command: request-vehicle-state }, repeat: { every: 2s, times: 40 } }
always: [commands-at-most-once]
`);
  });

  test('a tombstone that a later one stands for is named with that one, before it is stored', async () => {
    await expectPassed(`
name: tombstones-of-tombstones
about: Each session ends before the records of a small journal arrive, and tombstones take the place of tombstones.
seed: 3753267170
fleet:
  - { count: 2, features: none }
  - { features: demo, fleet: partner, radio: road, journal_records: 11 }
steps:
  - { weather: { delay: { message: record, by: 30s, count: 512 } }, for: 6m14s335ms }
always: [nothing-lost]
`);
  });

  test('what happens to a vehicle just before the end of a run need not be told yet', async () => {
    await expectPassed(`
name: struck-at-the-end
about: The run ends while the event is on its way.
seed: 2572763531
fleet:
  - { fleet: own }
steps:
  - { at: 3s, crash: { acceleration_in_mg: 4951 } }
always: [events-are-told]
`);
  });

  test('what ends while the wires to the bus of a parked vehicle are loose is read once they are mended', async () => {
    await expectPassed(`
name: charged-with-loose-wires
about: A parked car stops charging before its box can read the bus again.
seed: 7
fleet:
  - { features: none, driving: false, model: electric-hatchback }
steps:
  - { at: 1m, charge: {} }
  - { at: 2m, expect: { state: { charging_status: CHARGING } } }
  - { at: 3m, break: { box: { installation: { obstacle: no-vehicle-bus } } }, for: 2m }
  - { at: 4m, unplug: {} }
  - { at: 5m, within: 30s, expect: { state: { charging_status: NOT_CHARGING } } }
always: all
`);
  });

  test('a request that arrives eleven minutes late may have its box ask for the time in a new session', async () => {
    await expectPassed(`
name: eleven-minutes-late
about: A setup is delayed for longer than any connection lasts, and its box takes its own clock for wrong.
seed: 2492343131
fleet:
  - { on_shelf: true, features: none }
steps:
  - { at: 1s200ms, weather: { delay: { message: command-request, by: 11m } }, for: 3s }
  - { at: 1s200ms, call: { onboard: {} } }
  - { at: 12m, expect: { connected: true } }
always: [sessions-last]
`);
  });

  test('a box whose PUBACKs are lost connects anew, since its broker sends nothing more without them', async () => {
    await expectPassed(`
name: box-pubacks-lost
about: For nine minutes no PUBACK of a box for a receipt arrives, and its broker waits for them.
seed: 2698384455
fleet:
  - { features: { tracking: { time_interval_in_seconds: 5 } } }
steps:
  - { weather: { lose: { message: box-puback, count: 552 } }, for: 9m }
always: all
`);
  });

  test('a box that writes for longer than it waits for PUBACKs may take them for missing', async () => {
    await expectPassed(`
name: slow-write-ends-session
about: One write of a box takes more than a minute, and what came meanwhile is taken up after it.
seed: 421114752
fleet:
  - { features: none }
steps:
  - { at: 1s, break: { box: { flash-slow: { by: 1m10s } } }, for: 300ms }
always: [sessions-last]
`);
  });

  test('a box whose clock has jumped ahead connects anew with the next frame of the backend, however late', async () => {
    await expectPassed(`
name: clock-ahead-for-half-an-hour
about: The clock of a box jumps, and the next frame comes with its next report.
seed: 1017135470
fleet:
  - { features: none }
steps:
  - { at: 1s500ms, break: { box: { clock-jump: { by: 6m } } } }
  - { at: 35m, expect: { connected: true } }
always: [sessions-last]
`);
  });

  test('what a phone has given up while its box wrote slowly moves nothing any more', async () => {
    await expectPassed(`
name: given-up-by-its-phone
about: A box writes for forty seconds before it may lock, and the phone that asked for it waits for ten.
seed: 3721310429
fleet:
  - { driving: false, features: none }
steps:
  - { at: 0s, bluetooth: { action: lock-top-case, keeps: phone-1 } }
  - { at: 1s500ms, break: { box: { flash-slow: { by: 40s } } }, for: 0s }
  - { at: 1s500ms, bluetooth: { action: lock, keeps: phone-1 } }
  - { at: 2m, expect: { connected: true } }
always: all
`);
  });

  test('of two phones that ask with one token at the same moment either may have its last use', async () => {
    await expectPassed(`
name: two-at-the-same-moment
about: Three phones ask with one token for two uses, two of them at the same moment.
seed: 5
fleet:
  - { features: none, driving: false, model: scooter }
steps:
  - { at: 5s, bluetooth: { action: disable-driving, token: right, keeps: phone-2, uses: 2 } }
  - { at: 10s, bluetooth: { action: enable-driving, token: right, keeps: phone-2, uses: 2 } }
  - { at: 10s, bluetooth: { action: lock-top-case, token: right, keeps: phone-2, uses: 2 } }
always: [phones-are-entitled]
`);
  });

  test('a box whose clock was set back takes a request for in time that has expired', async () => {
    await expectPassed(`
name: clock-behind
about: A command is late by more than its life, for a box whose clock is minutes behind.
seed: 2365790283
fleet:
  - { fleet: own, count: 2, features: none }
  - { features: none }
steps:
  - { at: 0s, park: {} }
  - { at: 1s500ms, break: { box: { clock-jump: { by: -2m23s435ms } } } }
  - { at: 1s500ms, weather: { delay: { message: command-request, by: 26s } }, for: 100ms }
  - { at: 1s500ms, call: { command: lock-and-disable-driving } }
  - { at: 31s500ms, call: { offboard: {} } }
always: [commands-at-most-once]
`);
  });

  test('after a reset a box answers by how its outputs stand, though they did not move', async () => {
    await expectPassed(`
name: answered-by-what-stands
about: A box is reset while it is told to unlock, and answers after its start by how its outputs stand.
seed: 24514242
fleet:
  - { count: 2, radio: road }
steps:
  - { at: 0s, park: {} }
  - { at: 0s, call: { command: disable-driving } }
  - { at: 13s, call: { command: unlock-central-lock } }
  - { at: 13s500ms, break: { box: { reset: { reason: WATCHDOG } } } }
always: [answers-agree]
`);
  });

  test('what hardware a box is counts from its first hello on', async () => {
    await expectPassed(`
name: configured-before-its-hello
about: A feature that a box has no sensor for is asked for before its first hello.
seed: 1985045585
fleet:
  - { features: none }
steps:
  - { at: 0s, call: { configure: { smoke-detection: {} } } }
always: [guards-hold]
`);
  });

  test('a car that is kept from driving on where no site reaches it is expected offline', async () => {
    await expectPassed(`
name: stopped-in-the-dark
about: A phone disables driving in a car that has stopped with its ignition on in a place without a network.
seed: 3
fleet:
  - { count: 3, radio: road, driving: true, features: none }
steps:
  - { at: 5m, emergency-stop: {} }
  - { at: 5m6s, bluetooth: { action: disable-driving } }
always: [heals]
`);
  });
});
