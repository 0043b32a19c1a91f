import { expect, test } from 'vitest';
import { expectPassed } from '../support/simulation/expect-passed.ts';
import { failuresOf, playScenario } from '../support/simulation/play-scenario.ts';

/** What the swarm found of the service's promises, made small: each was once a failure of the product or of a checker. */
test('vehicles of a job whose lease was written and answered with an error are tried again', async () => {
  const outcome = await playScenario(`
name: lease-unknown
about: The lease of a job's vehicles is written and answered with an error, while their boxes come back.
seed: 7
fleet:
  - { count: 2, model: petrol-compact, driving: false, features: none }
steps:
  - { at: 10s, weather: { coverage: none }, for: 100s }
  - { at: 15s, call: { bulk: { tracking: { time_interval_in_seconds: 30 } } } }
  - { at: 30s, break: { store: { commit-unknown: { count: 100 } } }, for: 60s }
  - { at: 2m, within: 3m, expect: { bulk: { status: COMPLETED, applied: 2 } } }
always: all
`);
  expect(failuresOf(outcome)).toEqual([]);
  expect(outcome).toMatchObject({ verdict: 'passed' });
});

test('a client that was deleted is refused after 5 s, and one that lost a permission too', async () => {
  const outcome = await playScenario(`
name: withdrawn
about: One client is deleted and another loses a permission, while both go on calling; after it both are as they were.
seed: 7
clients:
  - { name: leaver, permissions: [vehicles.ro] }
  - { name: viewer, permissions: [vehicles.ro] }
fleet:
  - { model: petrol-compact, driving: false, features: none }
steps:
  - { at: 30s, call: { get: "/vehicles/{vehicle}", as: leaver }, expect: { status: 200 } }
  - { at: 30s, call: { get: "/vehicles/{vehicle}", as: viewer }, expect: { status: 200 } }
  - { at: 31s, break: { access: { client-deleted: { client: leaver } } }, for: 20s }
  - { at: 31s, break: { access: { permissions-taken: { client: viewer, permissions: [vehicles.ro] } } }, for: 20s }
  - { at: 40s, call: { get: "/vehicles/{vehicle}", as: leaver }, expect: { status: 401 } }
  - { at: 40s, call: { get: "/vehicles/{vehicle}", as: viewer }, expect: { status: 403 } }
  - { at: 1m, call: { get: "/vehicles/{vehicle}", as: leaver }, expect: { status: 200 } }
  - { at: 1m, call: { get: "/vehicles/{vehicle}", as: viewer }, expect: { status: 200 } }
always: all
`);
  expect(failuresOf(outcome)).toEqual([]);
  expect(outcome.warnings).toEqual([]);
});

test('messages come to a queue that was deleted at the AMQP broker', async () => {
  const outcome = await playScenario(`
name: queue-deleted
about: Somebody deletes a queue; the next message of its topic comes to it all the same.
seed: 7
fleet:
  - { model: petrol-compact, driving: false, features: none }
steps:
  - { at: 30s, break: { exchange: { queue-deleted: { topic: VehicleState_v1 } } } }
  - at: 40s
    call: { command: request-vehicle-state }
    within: 30s
    expect: [{ status: 200 }, { message: VehicleStateReceived, with: { fleet: own } }]
always: all
`);
  expect(failuresOf(outcome)).toEqual([]);
  expect(outcome).toMatchObject({ verdict: 'passed' });
});

test('a box that loses its network behind a reset is known to be away, and is told so', async () => {
  const outcome = await playScenario(`
name: reset-and-roaming
about: A box is told to connect anew, and crosses a border before it has.
seed: 373904479
fleet:
  - { features: none }
steps:
  - { at: 1s600ms, call: { command: data-connection-reset }, repeat: { every: 4s42ms, times: 2 } }
  - { at: 2s800ms, weather: { roaming: {} }, for: 0s }
always: [guards-hold]
`);
  expect(failuresOf(outcome)).toEqual([]);
  expect(outcome).toMatchObject({ verdict: 'passed' });
});

test('a subscription cannot be ended while messages to the AMQP broker are lost with its connection', async () => {
  const outcome = await playScenario(`
name: exchange-cut-off
about: The connection to the AMQP broker is lost with a message, and a subscription ends at the same moment.
seed: 1902842048
fleet:
  - { features: demo }
steps:
  - { at: 0s, call: { subscribe: { name: queue-3, topics: [ParkingEvent_v1] } } }
  - { at: 0s, weather: { lose: { message: amqp-publish, connection: cut } }, for: 1s100ms }
  - { at: 0s, park: {} }
  - { at: 1s100ms, call: { unsubscribe: queue-3 }, expect: { status: 500 } }
always: [guards-hold]
`);
  expect(failuresOf(outcome)).toEqual([]);
  expect(outcome).toMatchObject({ verdict: 'passed' });
});

test('a job of another fleet, which does not find the vehicle, overtakes nothing', async () => {
  const outcome = await playScenario(`
name: job-of-another-fleet
about: Two fleets ask for the same vehicles at once, which are of one of them, while the MQTT broker is down.
seed: 411809552
fleet:
  - { fleet: partner, features: none }
steps:
  - { at: 0s, break: { broker: { restart: {} } }, for: 20s }
  - { at: 0s, call: { bulk: { smoke-detection: null }, as: partner } }
  - { at: 100ms, call: { bulk: { smoke-detection: null } } }
always: [one-result-per-vehicle]
`);
  expect(failuresOf(outcome)).toEqual([]);
  expect(outcome).toMatchObject({ verdict: 'passed' });
});

test('the reply to a second setup is told as a report, since no client has asked for it', async () => {
  const outcome = await playScenario(`
name: set-up-twice
about: The connections of a box are reset while it is set up, and it answers both attempts when they last again.
seed: 4235380725
fleet:
  - { fleet: partner, features: none }
  - { on_shelf: true, features: none }
steps:
  - { at: 1s300ms, call: { onboard: {} } }
  - { at: 1s600ms, weather: { reset_peer: {} }, for: 3m }
always: [flows-agree]
`);
  expect(failuresOf(outcome)).toEqual([]);
  expect(outcome).toMatchObject({ verdict: 'passed' });
});

test('a backend whose store is slow loses its partitions and gains them again, and repeats no message out of order', async () => {
  const outcome = await playScenario(`
name: slow-leases
about: Every call of the store takes half as long as a lease, so that leases end before they are renewed.
seed: 1043903657
backends: 3
fleet:
  - { fleet: partner, features: none }
  - { features: none }
  - { features: none }
  - { features: { tracking: {} } }
steps:
  - { at: 300ms, break: { store: { slow: { by: 2s980ms } } }, for: 3m11s976ms }
always: [order-per-box]
`);
  expect(failuresOf(outcome)).toEqual([]);
});

test('a session that begins late in a slow store does not count against the one that is open', async () => {
  await expectPassed(`
name: late-session
about: Under a slow store the session of a partition is given up before its beginning is written down.
seed: 3051870260
fleet:
  - { features: none }
steps:
  - { at: 0s, break: { store: { slow: { by: 4s } } }, for: 6s }
  - { at: 30s, call: { command: request-sim-activation } }
always: [partitions-have-one-holder]
backends: 4
`);
});

test('a later job of the same fleet replaces what names a vehicle of another one', async () => {
  await expectPassed(`
name: replaced-of-another-fleet
about: A job for a vehicle of another fleet is replaced by another job before it was tried.
seed: 3668940030
fleet:
  - { fleet: partner, features: none }
steps:
  - { at: 0s, call: { bulk: { parking-events: {} } } }
  - { at: 0s, call: { bulk: { parking-events: null } } }
always: [one-result-per-vehicle]
`);
});

test('a later job of the same fleet replaces what names a vehicle without a box', async () => {
  await expectPassed(`
name: replaced-without-a-box
about: A job for a car with its maker's telematics is replaced by another one before it was tried.
seed: 4004179260
fleet:
  - { as: maker, maker: northwind }
steps:
  - { at: 0s, call: { bulk: { parking-events: {} } } }
  - { at: 0s, call: { bulk: { parking-events: null } } }
always: [one-result-per-vehicle]
`);
});

test('a request that the network delays is open from when it was sent', async () => {
  await expectPassed(`
name: delayed-request
about: A request reaches the box after the next one was sent, because the network delays it.
seed: 2856642476
fleet:
  - { features: none, fleet: own, count: 2 }
  - { features: none, count: 3, radio: road }
steps:
  - { at: 1s800ms, weather: { delay: { message: command-request, by: 21s } }, for: 100ms }
  - { at: 1s800ms, call: { command: activate-workshop-mode }, repeat: { every: 20s700ms, times: 2 } }
always: [one-open-command]
`);
});

test('a queue that was deleted is missed when another one begins to take its messages', async () => {
  await expectPassed(`
name: deleted-before-another
about: A queue is deleted at the AMQP broker, and one of a subscription takes the messages before anybody notices.
seed: 4236467366
fleet:
  - { driving: true }
steps:
  - { at: 4s406ms, call: { subscribe: { name: queue-1, topics: [ VehicleState_v1 ] } } }
  - { at: 13s727ms, call: { unsubscribe: queue-1 } }
  - { at: 500ms, break: { exchange: { queue-deleted: { topic: VehicleState_v1 } } } }
always: [nothing-lost]
`);
});

test('a queue that was deleted beside another one is declared again within seconds', async () => {
  await expectPassed(`
name: deleted-beside-another
about: Somebody deletes a queue at the AMQP broker while the queue of a subscription takes the same messages.
seed: 3
fleet:
  - { driving: true, features: { tracking: { time_interval_in_seconds: 2 } } }
steps:
  - { at: 5s, call: { subscribe: { name: beside, topics: [VehicleState_v1] } } }
  - { at: 10s, break: { exchange: { queue-deleted: { topic: VehicleState_v1 } } } }
  - { at: 40s, call: { unsubscribe: beside } }
  - { at: 50s, call: { command: request-vehicle-state } }
always: [nothing-lost, flows-agree, messages-hold]
`);
});

test('a job that is made late by a paused backend may overtake one that was asked for after it', async () => {
  await expectPassed(`
name: late-job
about: A job is asked for at a backend that is paused, and is made after one that was asked for later.
seed: 1
fleet:
  - { features: none }
steps:
  - { at: 5s, break: { backend: { pause: { which: 1 } } }, for: 5s }
  - { at: 5s100ms, call: { get: /vehicles } }
  - { at: 5s200ms, call: { bulk: { tracking: {} } } }
  - { at: 5s250ms, weather: { coverage: none }, for: 40s }
  - { at: 5s300ms, call: { bulk: { tracking: null } } }
always: [one-result-per-vehicle]
backends: 2
`);
});

test('a box whose hellos are lost has a session, and may be told to be ONLINE', async () => {
  await expectPassed(`
name: hellos-lost
about: The hellos of a box are lost for minutes. It is connected all the same, and told to be so.
seed: 3
fleet:
  - { features: none, driving: false }
steps:
  - { at: 30s, weather: { coverage: none }, for: 60s }
  - { at: 31s, weather: { lose: { message: hello, count: 500 } }, for: 25m }
  - { at: 5m, call: { get: /vehicles }, repeat: { every: 7s, for: 15m } }
always: [presence-agrees]
`);
});

test('a box that has connected is in contact before its session is ready', async () => {
  await expectPassed(`
name: contact-before-ready
about: A client looks at a vehicle between the hello of its box and the answer to it.
seed: 1
fleet:
  - { model: electric-hatchback, firmware: "2.31", driving: false }
steps:
  - { at: 1m, weather: { coverage: none }, for: 2m }
  - { at: 3m, call: { get: "/vehicles/{vehicle}" }, repeat: { every: 20ms, for: 4s } }
always: [presence-agrees]
`);
});

test('a vehicle of two jobs is tried with its hello, with its ready, and once more behind the other job', async () => {
  await expectPassed(`
name: two-jobs-and-one-box
about: Two bulk jobs wait for a box without coverage, and the second one meets the first one's command.
seed: 966452857
fleet:
  - { as: service-3, features: none }
  - { features: none }
steps:
  - { at: 40s, on: { group: service-3 }, weather: { coverage: none }, for: 516121ms }
  - { at: 45s, on: { group: service-3 }, call: { bulk: { parking-events: {} } } }
  - { at: 7m33s746ms, call: { bulk: { box-settings: {} } } }
always: [bulk-in-time]
`);
});

test('a box whose frames are under way for minutes is known as connected for as long: its caller is told late', async () => {
  const outcome = await playScenario(`
name: frames-under-way
about: Frames take three minutes, so that the broker has a connection that the box has long given up.
seed: 2230913296
fleet:
  - {}
steps:
  - { at: 0s, weather: { latency: { base: 2m55s21ms } } }
  - { at: 3m32s25ms, call: { command: lock-central-lock }, expect: { status: 504 } }
always: [guards-hold]
`);
  expect(failuresOf(outcome)).toEqual([]);
});

test('whoever takes a partition tries what was missed there, however often it changes hands', async () => {
  await expectPassed(`
name: leases-come-and-go
about: Three backends lose all their leases every few seconds to a slow store, while a job waits for its vehicle.
seed: 2988745062
fleet:
  - { features: none }
steps:
  - { at: 0s, break: { store: { slow: { by: 4s } } }, for: 1m30s }
  - { at: 0s, call: { bulk: { smoke-detection: null } } }
always: [bulk-in-time]
backends: 3
`);
});
