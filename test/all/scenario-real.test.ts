import { expect, test } from 'vitest';
import { runReal } from '../../deployment/testbed/run-real.ts';
import { readScenario } from '../../scenarios/language/document/read.ts';
import type { Scenario } from '../../scenarios/language/document/scenario.ts';
import type { RunOutcome } from '../../scenarios/run/outcome.ts';

// Generous: what is waited for comes in a second or two, and much later on a machine that is busy.
const MOST_MS = 120_000;

const TUNNEL = `
name: short-tunnel
about: Two cars lose coverage for some seconds; what they recorded arrives afterwards, once, in order.
seed: 7
fleet:
  - { count: 2, model: petrol-compact, firmware: "2.31", features: { tracking: { time_interval_in_seconds: 1 } } }
steps:
  - { at: 0s, drive: {} }
  - { at: 500ms, weather: { coverage: none }, for: 3s }
  - at: 2s
    call: { command: unlock-central-lock }
    expect: { status: 504, problem: /problems/vehicle/no-connection }
  - { within: 60s, expect: { message: VehicleStateReceived, with: { occurred_during: weather } } }
always: [all]
limits: { heal: 60s }
`;

const ROUGH = `
name: rough-minute
about: Connections are cut and half-open, and the service dies with frames in hand and restarts; nothing is lost by it.
seed: 11
fleet:
  - { count: 2, model: petrol-compact, features: { tracking: { time_interval_in_seconds: 1 } } }
steps:
  - { at: 0s, drive: {} }
  - { at: 500ms, weather: { latency: { base: 20ms, jitter: 30ms } }, for: 4s }
  - { at: 1s, weather: { cut: {} }, on: { box: 1 } }
  - { at: 1s, weather: { half_open: {} }, for: 3s, on: { box: 2 } }
  - { at: 2s, break: { backend: { crash: { point: after-commit } } }, for: 1s }
  - { at: 4s, break: { exchange: down }, for: 1s }
  - { at: 5s, break: { backend: restart } }
  - { within: 60s, expect: { message: VehicleStateReceived } }
  - call: { command: request-vehicle-state }
    within: 60s
    expect: [{ status: 200 }, { message: VehicleStateReceived }]
always: [all]
limits: { heal: 60s }
`;

test('a scenario of the virtual world is run over sockets, and the same checkers find nothing', {
  timeout: MOST_MS,
}, async () => {
  const outcome = await runReal(read(TUNNEL));
  expect(told(outcome)).toEqual({ verdict: 'passed', wrong: [] });
  expect(outcome.world).toBe('real');
  const seen = Object.fromEntries(outcome.checkers.map((one) => [one.checker, one.text]));
  expect(seen['nothing-lost']).toMatch(/^[1-9]\d* records, [1-9]\d* messages$/);
  const session = outcome.facts.flatMap((fact) => (fact.kind === 'connectivity' ? [fact.state] : []));
  expect(session).toContain('offline');
});

test('nothing is lost by cut and half-open connections and a service that crashes and restarts', {
  timeout: MOST_MS,
}, async () => {
  const outcome = await runReal(read(ROUGH));
  expect(told(outcome)).toEqual({ verdict: 'passed', wrong: [] });
});

test('a step that is not possible in the real world is refused before anything starts, with the step and the reason', async () => {
  const text = TUNNEL.replace('weather: { coverage: none }', 'break: { box: torn-write }');
  await expect(runReal(read(text))).rejects.toThrow(
    /step 2 \(line 9\): break: box torn-write is not in the real world\. Over/,
  );
});

const BLOCKED = `
name: blocked-twice
about: The exchange is blocked while there is nothing to publish, and while there is; and the broker restarts.
seed: 3
fleet:
  - { count: 1, model: petrol-compact, features: none, driving: false }
steps:
  - { at: 3s, label: idle, break: { exchange: blocked }, for: 1ms }
  - { at: 4s, label: busy, break: { exchange: blocked }, for: 3s }
  - { at: 5s, call: { command: request-vehicle-state }, expect: { status: 200 } }
  - { at: 8s, label: met, break: { broker: restart }, for: 1ms }
  - { at: 9s, within: 60s, expect: { connected: true } }
always: [nothing-lost]
limits: { heal: 60s }
`;

test('of a blocked exchange it is told that nothing was to be published, and of one that held a message it is not', {
  timeout: MOST_MS,
}, async () => {
  const outcome = await runReal(read(BLOCKED));
  expect(told(outcome)).toEqual({ verdict: 'passed', wrong: [] });
  expect(outcome.warnings.map(({ label, text }) => `${label}: ${text}`)).toEqual([
    'idle: nothing was to be published while it lasted',
  ]);
});

test('a run can be aborted, and rejects with the given reason', { timeout: MOST_MS }, async () => {
  const reason = new Error('enough');
  const gate = (): never => {
    throw reason;
  };
  await expect(runReal(read(TUNNEL), { gate })).rejects.toBe(reason);
});

function read(text: string): Scenario {
  const reading = readScenario(text, 'test.yaml');
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.scenario;
}

/** The verdict and all findings of the run. */
function told({ verdict, reason, expectations, checkers }: RunOutcome) {
  return {
    verdict,
    wrong: [
      ...(reason === undefined ? [] : [reason]),
      ...expectations.flatMap(({ result, text }) => (result === 'passed' ? [] : [text])),
      ...checkers.flatMap(({ checker, findings }) => findings.map(({ text }) => `${checker}: ${text}`)),
    ],
  };
}
