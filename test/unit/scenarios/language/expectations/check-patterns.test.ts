import { describe, expect, it } from 'vitest';
import { saidIn } from '../../../../support/scenarios/said-in.ts';

/** What is said of these steps in a fleet of any models. */
const saidOf = (...steps: readonly string[]) => saidIn('{ count: 2 }', ...steps);

const REMEMBERS = '{ call: { get: "/vehicles/{vehicle}", remember: { life: body.life_status.value } } }';
const GET = 'call: { get: "/vehicles/{vehicle}" }';

describe('what can never be is an error, with its place, what can be, and what was probably meant:', () => {
  it.each<[string, string]>([
    [
      '{ never: { truth: { locked: UNLOCKED } } }',
      '5:33 `truth.locked` is never "UNLOCKED": it is true or false.',
    ],
    [
      '{ never: { truth: { locked: { one_of: [1, 2] } } } }',
      '5:44 `truth.locked` is never 1: it is true or false.',
    ],
    [
      '{ never: { truth: { locked: { not: "yes" } } } }',
      '5:40 `truth.locked` is never "yes": it is true or false. | Did you mean true?',
    ],
    [
      '{ never: { truth: { locked: { above: 3 } } } }',
      '5:42 `truth.locked` is never above 3: it is true or false.',
    ],
    [
      '{ never: { truth: { locked: { like: tru } } } }',
      '5:41 `truth.locked` is never like "tru": it is true or false.',
    ],
    [
      '{ never: { truth: { locked: { one_of: true } } } }',
      '5:43 `one_of` of `truth.locked` takes a list of what it can be; found true.',
    ],
    [
      '{ never: { truth: { locked: { one_of: [] } } } }',
      '5:43 `one_of` of `truth.locked` takes a list with something in it; found [].',
    ],
    [
      '{ never: { truth: { locked: { present: "no" } } } }',
      '5:44 `present` of `truth.locked` takes true or false; found "no".',
    ],
    [
      '{ never: { truth: { engine: runing } } }',
      '5:33 `truth.engine` is never "runing": it is off, ignition, running, filling or charging. | Did you mean running?',
    ],
    [
      '{ never: { truth: { gear: SPORTS } } }',
      '5:31 `truth.gear` is never "SPORTS": it is PARK, REVERSE, NEUTRAL, DRIVE, SPORT or unavailable. | Did you mean SPORT?',
    ],
    [
      '{ never: { truth: { speedKph: "20" } } }',
      '5:35 `truth.speedKph` is never "20": it is a number or unavailable. | Did you mean 20, without quotes?',
    ],
    [
      '{ never: { truth: { speedKph: { at_least: "20" } } } }',
      '5:47 `at_least` of `truth.speedKph` takes a number; found "20". | Did you mean 20, without quotes?',
    ],
    [
      '{ never: { truth: { mechanics: { lock: broken } } } }',
      '5:44 `truth.mechanics.lock` is never "broken": it is works, failing or jammed.',
    ],
    [
      '{ never: { truth: { mechanics: { lok: jammed } } } }',
      '5:38 `truth.mechanics` has nothing named lok. | Did you mean lock?',
    ],
    ['{ never: { truth: { networks: Home } } }', '5:35 `truth.networks` is never "Home": it is a list.'],
    [
      '{ never: { truth: { networks: [1] } } }',
      '5:36 `truth.networks[0]` is never 1: it is a text. | Write it in quotes.',
    ],
    [
      '{ never: { belief: { sim: suspnded } } }',
      '5:31 `belief.sim` is never "suspnded": it is active, suspended or detached. | Did you mean suspended?',
    ],
    [
      '{ never: { belief: { workshopMode: "yes" } } }',
      '5:40 `belief.workshopMode` is never "yes": it is true or false. | Did you mean true?',
    ],
    [
      '{ never: { belief: { journal: { heldd: 3 } } } }',
      '5:37 `belief.journal` has nothing named heldd. | Did you mean held?',
    ],
    [
      '{ never: { belief: { firmware: 2.4 } } }',
      '5:36 `belief.firmware` is never 2.4: it is a released firmware, 2.10 to 2.40. | Write it in quotes.',
    ],
    [
      '{ never: { belief: { firmware: "9.99" } } }',
      '5:36 `belief.firmware` is never "9.99": it is a released firmware, 2.10 to 2.40.',
    ],
    [
      '{ never: { belief: { banks: { b: "2.4O" } } } }',
      '5:38 `belief.banks.b` is never "2.4O": it is a released firmware, 2.10 to 2.40 or nothing. | Did you mean 2.40?',
    ],
    [
      '{ never: { belief: { update: { version: "3.1" } } } }',
      '5:45 `belief.update.version` is never "3.1": it is a released firmware, 2.10 to 2.40.',
    ],
    [
      '{ never: { truth: { model: petrol-compakt } } }',
      '5:32 `truth.model` is never "petrol-compakt": it is petrol-compact, electric-hatchback, ',
    ],
    [
      '{ never: { truth: { route: city-lop } } }',
      '5:32 `truth.route` is never "city-lop": it is berlin-west, berlin-east, hamburg-alster, karlsruhe-hills or munich-leopold.',
    ],
    [
      '{ never: { truth: { speedKph: { abov: 3 } } } }',
      '5:37 There is no comparison abov, and `truth.speedKph` has no parts: it is a number or unavailable. | Did you mean above?',
    ],
    [
      '{ never: { state: { speed_in_kph: { above: 3, blow: 5 } } } }',
      '5:51 There is no comparison blow, and `state.speed_in_kph` has no parts: it is a number from 0 to 500. | Did you mean below?',
    ],
    [
      '{ never: { truth: { locked: { port: 1 } } } }',
      '5:35 There is no comparison port, and `truth.locked` has no parts: it is true or false. | There are: above, below, ',
    ],
    [
      '{ call: { command: unlock-central-lock }, never: { status: 299 } }',
      '5:64 `status` is never 299: it is 200, 201, 204, 302, 303, 304, 400, 401, ',
    ],
    [
      '{ call: { get: /vehicles }, never: { status: [200, 418] } }',
      '5:56 `status` is never 418: it is 200, 201, ',
    ],
    [
      '{ never: { belief: { session: { one_of: [ready, redy] } } } }',
      '5:53 `belief.session` is never "redy": it is down, connecting, subscribing, greeting or ready. | Did you mean ready?',
    ],
    [
      '{ never: { belief: { session: { like: ^offl } } } }',
      '5:43 `belief.session` is never like "^offl": it is down, connecting, subscribing, greeting or ready.',
    ],
    [
      '{ never: { belief: { update: { phase: done } } } }',
      '5:43 `belief.update.phase` is never "done": it is downloading, downloaded, installing, trial or over.',
    ],
    [
      '{ never: { belief: { configuration: { tracking.enabld: 1 } } } }',
      '5:43 `belief.configuration` has nothing named tracking.enabld. | Did you mean tracking.enabled?',
    ],
    [
      '{ never: { state: { speed_in_kph: { above: "fast" } } } }',
      '5:48 `above` of `state.speed_in_kph` takes a number; found "fast".',
    ],
    [
      '{ never: { state: { central_lock: { above: 3 } } } }',
      '5:48 `state.central_lock` is never above 3: it is LOCKED or UNLOCKED.',
    ],
    [
      '{ never: { state: { drive_batteries: { port_1: { levl: 3 } } } } }',
      '5:54 `state.drive_batteries.port_1` has nothing named levl. | Did you mean level_in_percent?',
    ],
    [
      '{ never: { message: VehicleStateReceived, with: { state: { central_lock: { like: OPEN } } } } }',
      '5:86 `with.state.central_lock` is never like "OPEN": it is LOCKED or UNLOCKED.',
    ],
    [
      '{ never: { message: SmokeDetected, with: { body: { data: 1 } } } }',
      '5:62 `with.body.data` is never 1: it is a map of ',
    ],
    [
      '{ never: { vehicle: { life_status: { value: { one_of: [OFLINE] } } } } }',
      '5:60 `vehicle.life_status.value` is never "OFLINE": it is ONLINE, STANDBY or OFFLINE. | Did you mean OFFLINE?',
    ],
    [
      '{ never: { bulk: { failed: "1" } } }',
      '5:32 `bulk.failed` is never "1": it is a whole number. | Did you mean 1, without quotes?',
    ],
    [
      '{ never: { bulk: { applied: { at_most: few } } } }',
      '5:44 `at_most` of `bulk.applied` takes a number; found "few".',
    ],
    [
      '{ never: { feature: tracking, parameters: { time_intervall_in_seconds: 15 } } }',
      '5:49 `parameters` has nothing named time_intervall_in_seconds. | Did you mean time_interval_in_seconds?',
    ],
    [
      '{ never: { feature: damage-detection, parameters: { sensitivity: MIDDLE } } }',
      '5:70 `parameters.sensitivity` is never "MIDDLE": it is LOW, MEDIUM or HIGH.',
    ],
    [
      '{ never: { feature: driving-events, parameters: { crash_detection: { minimum_acceleration: 1 } } } }',
      '5:74 `parameters.crash_detection` has nothing named minimum_acceleration. | ',
    ],
    [
      `{ ${GET}, never: { body: { lif_status: OFFLINE } } }`,
      '5:62 `body` has nothing named lif_status. | Did you mean life_status?',
    ],
    [
      `{ ${GET}, never: { body: { life_status: OFLINE } } }`,
      '5:75 `body.life_status` is never "OFLINE": it is a map of value and modified_at.',
    ],
    [
      `{ ${GET}, never: { body: { life_status: { value: OFLINE } } } }`,
      '5:84 `body.life_status.value` is never "OFLINE": it is ONLINE, STANDBY or OFFLINE. | Did you mean OFFLINE?',
    ],
    [
      `{ ${GET}, never: { status: 404, body: { life_status: { present: true } } } }`,
      '5:75 `body` has nothing named life_status. | Did you mean status?',
    ],
    [
      `{ ${GET}, never: { body: [1] } }`,
      '5:60 `body` is never [1]: it is a map of id, fleet_id, setup_status, life_status, operation_status, rental_status and 11 more, nothing or a map of type, ',
    ],
    [
      '{ call: { get: "/vehicles?limit=2" }, never: { body: { item: [] } } }',
      '5:60 `body` has nothing named item. | Did you mean items?',
    ],
    [
      '{ call: { command: ble-reset }, never: { status: 204, body: { detail: x } } }',
      '5:65 `body` is never {"detail":"x"}: it is nothing.',
    ],
    [
      '{ call: { configure: { tracking: {} } }, never: { body: { status: ACTIV } } }',
      '5:71 `body.status` is never "ACTIV": it is ACTIVE, ACTIVATING or INACTIVE. | Did you mean ACTIVE?',
    ],
    [
      '{ call: { request: { method: POST, path: /vehicles } }, never: { status: 201, body: { ident: A } } }',
      '5:91 `body` has nothing named ident. | There are: id, fleet_id, ',
    ],
  ])('%s', (step, said) => {
    const [first = ''] = saidOf(step);
    expect(first.startsWith(said) ? said : first).toBe(said);
  });

  it('in the answer to the call of another step', () => {
    expect(saidOf(`{ label: look, ${GET} }`, '{ never: { of: look, body: { lif_status: {} } } }')).toEqual([
      '6:34 `body` has nothing named lif_status. | Did you mean life_status?',
    ]);
  });

  it('in the names of queues, where nobody subscribes so', () => {
    const never = '{ never: { message: VehicleStateReceived, with: { queue: { like: nigth } } } }';
    expect(saidOf('{ call: { subscribe: { name: night, topics: [VehicleState_v1] } } }', never)).toEqual([
      expect.stringMatching(
        /^6:70 `with\.queue` is never like "nigth": it is .*VehicleState_v1-night\. \| Did you mean VehicleState_v1-night\?$/,
      ),
    ]);
  });

  it.each<[string, string]>([
    ['{ expect: { life_status: "{lif}" } }', '6:30 No call until then remembers {lif}. | Did you mean life?'],
    [
      '{ expect: { bulk: { status: "{x}", failed: "{x}" } } }',
      '6:33 No call until then remembers {x}. | There are: life.',
    ],
    [
      '{ expect: { life_status: OFLINE } }',
      '6:30 step 2 (line 6) expect.life_status cannot be "OFLINE". | Did you mean OFFLINE?',
    ],
    [
      '{ expect: { connected: "{life} or so" } }',
      '6:28 step 2 (line 6) expect.connected should be true or false; found the text "{life} or so".',
    ],
    [
      '{ expect: { state: { speed_in_kph: "{life} kph" } } }',
      '6:40 `state.speed_in_kph` is never "{life} kph": it is a number from 0 to 500.',
    ],
  ])('%s, where a call remembers `life`', (step, said) => {
    expect(saidOf(REMEMBERS, step)[0]).toBe(said);
  });

  it('where nothing is remembered at all', () => {
    expect(saidOf('{ expect: { connected: "{here}" } }')).toEqual([
      '5:28 No call until then remembers {here}. | A call keeps a part of its answer so: `remember: { name: body.id }`.',
    ]);
  });

  it('in each of a list of what it can be', () => {
    expect(saidOf('{ never: { truth: { locked: { one_of: [1, true, 2] } } } }')).toHaveLength(2);
  });

  it('each once, also where several stand in one step', () => {
    const said = saidOf('{ never: [{ truth: { lockd: 1, engine: 3 } }, { belief: { sim: 4 } }] }');
    expect(said.map((one) => one.split(' ')[0])).toEqual(['5:26', '5:44', '5:68']);
  });
});
