import { test } from 'vitest';
import { expectPassed } from '../support/simulation/expect-passed.ts';

/** docs/guarantees.md: what bounds how long a box that is gone counts as there, where no will tells of it. */
test.each(['kept', 'lost'])(
  'a box that vanishes while the MQTT broker is down, sessions %s, is ONLINE until its report at rest is overdue',
  async (sessions) => {
    await expectPassed(`
name: no-wills
about: A broker that goes down publishes no wills, and a box that was connected then does not come back for long.
seed: 3
fleet:
  - { driving: false, features: none }
steps:
  - { at: 1m, break: { broker: { restart: { sessions: ${sessions} } } }, for: 30s }
  - { at: 1m5s, weather: { coverage: none }, for: 90m }
  - { at: 20m, within: 1s, expect: { life_status: ONLINE } }
  - { at: 37m, within: 1s, expect: { life_status: STANDBY } }
  - { at: 43m, within: 1s, expect: { life_status: OFFLINE } }
  - { at: 95m, within: 5m, expect: { life_status: ONLINE } }
always: [presence-agrees]
`);
  },
);

test('a will that the broker kept, since the next birth was lost, does not end the connection that stands', () =>
  expectPassed(`
name: kept-will
about: A box connects anew, its birth is lost, and a backend that begins is told the will of the connection before.
seed: 5
fleet:
  - { features: none }
steps:
  - { at: 30s, weather: { lose: { message: birth, count: 1 } }, for: 20s }
  - { at: 31s, weather: cut }
  - { at: 38s, break: { backend: { crash: {} } }, for: 3s }
  - { at: 50s, within: 1s, expect: { life_status: ONLINE } }
  - { at: 54s, call: { get: '/vehicles/{vehicle}' } }
always: all
`));
