import { expect, test } from 'vitest';
import { reasonsOf } from '../../scenarios/explore/reason.ts';
import { failuresOf } from '../../scenarios/reports/failure.ts';
import { timelineAround } from '../../scenarios/reports/timeline.ts';
import { playScenario } from '../support/simulation/play-scenario.ts';

async function unmetTexts(text: string): Promise<readonly string[]> {
  return failuresOf(await playScenario(text)).map((failure) => failure.text);
}

test('an expectation that is not met says since when it is so, and what happened to the vehicle before', async () => {
  const texts = await unmetTexts(`
name: locked-again
about: A car is unlocked, locked again, and expected unlocked.
fleet: [{ model: petrol-compact, firmware: "2.31", features: none }]
steps:
  - { at: 10s, call: { command: unlock-central-lock } }
  - { at: 40s, call: { command: lock-central-lock } }
  - { at: 2m, expect: { truth: { locked: false } } }
  - { at: 2m, expect: { state: { central_lock: UNLOCKED } } }
`);
  expect(texts[0]).toMatch(
    /^truth\.locked is true, expected false; so since 0:00:40\.\d{3}, after call 2 \(command lock-central-lock\)/,
  );
  expect(texts[1]).toMatch(
    /^state\.central_lock is "LOCKED".*; told 0:\d\d:\d\d\.\d{3}, so since 0:00:40\.\d{3}, after call 2 \(command lock-central-lock\)/,
  );
});

test('a value that changed long ago is told with what changed it, and not with what only came between', async () => {
  const texts = await unmetTexts(`
name: unlocked-long-ago
about: A car is unlocked, its link becomes slow, and half an hour later it is expected to be locked.
fleet: [{ model: petrol-compact, firmware: "2.31", driving: false }]
steps:
  - { at: 10s, call: { command: lock-central-lock } }
  - { at: 1m, call: { command: unlock-central-lock } }
  - { at: 4m, weather: { latency: { base: 10ms } } }
  - { at: 30m, expect: { truth: { locked: true } } }
  - { at: 31m, expect: { state: { central_lock: LOCKED } } }
`);
  expect(texts).toHaveLength(2);
  expect(texts[0]).toMatch(
    /; so since 0:01:00\.\d{3}, after call 2 \(command unlock-central-lock\) at 0:01:00\.000$/,
  );
  expect(texts[1]).toMatch(
    /; told 0:\d\d:\d\d\.\d{3}, so since 0:01:00\.\d{3}, after call 2 \(command unlock-central-lock\) at 0:01:00\.000$/,
  );
});

test('a call that was refused is no cause: what was so from the beginning is told to be so', async () => {
  const [lock] = await unmetTexts(`
name: refused
about: A driving car refuses to be unlocked, and is not locked.
fleet: [{ model: petrol-compact, firmware: "2.31", driving: true }]
steps:
  - { at: 10s, call: { command: unlock-central-lock }, expect: { status: 409 } }
  - { at: 20s, expect: { truth: { locked: true } } }
`);
  expect(lock).toBe('truth.locked is false, expected true; so since the beginning');
});

test('what service and box say of it tells since when it is so, and after what', async () => {
  const texts = await unmetTexts(`
name: other-causes
about: Something is done to the record, a feature, the link and the box, and the opposite is expected.
fleet: [{ model: petrol-compact, firmware: "2.31", driving: false }]
steps:
  - { at: 10s, call: { deactivate: tracking } }
  - { at: 20s, call: { patch: { operation_status: { value: GARAGE }, custom_fields: { a: b } } } }
  - { at: 40s, break: { box: { reset: { reason: USER } } } }
  - { at: 2m, within: 1s, expect: [{ feature: tracking }, { vehicle: { custom_fields: { a: c } } }] }
  - { at: 2m, within: 1s, expect: { vehicle: { operation_status: { value: OPERATING } } } }
  - { at: 2m, within: 1s, expect: [{ belief: { session: down } }, { belief: { boot: 1 } }] }
  - { at: 3m, weather: { coverage: none } }
  - { at: 40m, expect: [{ connected: true }, { life_status: ONLINE }] }
always: [box-remembers]
`);
  const tails = texts.map((text) => text.slice(text.indexOf(';')));
  expect(tails).toEqual([
    '; so since 0:00:10.000, after call 1 (deactivate tracking) at 0:00:10.000',
    '; the record changed last 0:00:20.000, after call 2 (patch) at 0:00:20.000',
    '; so since 0:00:20.000, after call 2 (patch) at 0:00:20.000',
    expect.stringMatching(/^; so since 0:00:4\d\.\d{3}, after box reset at 0:00:40\.000$/),
    expect.stringMatching(/^; so since 0:00:4\d\.\d{3}, after box reset at 0:00:40\.000$/),
    expect.stringMatching(/^; so since 0:03:0\d\.\d{3}, after weather coverage at 0:03:00\.000$/),
    expect.stringMatching(/^; so since 0:\d\d:\d\d\.\d{3}, after weather coverage at 0:03:00\.000$/),
  ]);
});

test('what changed without an act, a fault or a call changed by itself', async () => {
  const [speed] = await unmetTexts(`
name: by-itself
about: A car that drives changes its speed.
fleet: [{ model: petrol-compact, firmware: "2.31", driving: true }]
steps:
  - { at: 1m, expect: { truth: { mileageKm: 0 } } }
`);
  expect(speed).toMatch(/; so since 0:01:(?:29|30)\.\d{3}, by itself$/);
});

test('a last step that fails tells the fault that was in force, however long ago it was laid', async () => {
  const outcome = await playScenario(`
name: exchange-without-end
about: The exchange refuses everything from the beginning to the end, and the last step waits for a message.
fleet: [{ model: petrol-compact, firmware: "2.31", driving: true }]
steps:
  - { at: 10s, break: { exchange: { nack: {} } } }
  - { at: 10m, within: 2m, expect: { message: VehicleStateReceived } }
`);
  const [failure] = failuresOf(outcome);
  if (failure === undefined) throw new Error('The expectation cannot be met.');
  const texts = timelineAround(failure, outcome).lines.map(({ text }) => text);
  expect(texts).toContain('still so: fault begins: exchange nack');
});

test('the last change of a value is not part of the reason by which a failure is made smaller', async () => {
  const outcome = await playScenario(`
name: locked
about: A car that was locked is expected to be unlocked.
fleet: [{ model: petrol-compact, firmware: "2.31", features: none, driving: false }]
steps:
  - { at: 10s, call: { command: unlock-central-lock } }
  - { at: 20s, call: { command: lock-central-lock } }
  - { at: 30s, within: 1s, expect: { truth: { locked: false } } }
`);
  const [failed] = outcome.expectations.filter(({ result }) => result === 'failed');
  expect(failed?.findings[0]?.text).toMatch(/^so since 0:00:20\.\d{3}, after call 2 /);
  const [reason] = reasonsOf(outcome);
  expect(reason?.key).toContain('truth.locked is true, expected false');
  expect(reason?.key).not.toContain('since');
});
