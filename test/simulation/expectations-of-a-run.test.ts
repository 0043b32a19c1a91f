import { expect, test } from 'vitest';
import { CHECKS } from '../../judge/rules/checks.ts';
import { MAKER_MODELS } from '../../protocol/models/maker-models.ts';
import { readDocument } from '../../scenarios/language/document/read.ts';
import type { ApiRequest } from '../../scenarios/language/steps/request.ts';
import { run } from '../../scenarios/run/run.ts';
import type { ApiAnswer } from '../../scenarios/testbed/port/testbed.ts';
import { openVirtualTestbed } from '../../scenarios/testbed/virtual/virtual-testbed.ts';
import { runInSandbox } from '../../world/sandbox/virtual-sandbox.ts';
import { parsedScenario } from '../support/simulation/play-scenario.ts';

/** Vehicles of each kind to which all sorts of things happen, and calls of all sorts; every three seconds all of it is looked at. */
const EVENTFUL = `
name: eventful
about: Vehicles of each kind to which all sorts of things happen.
seed: 11
fleet:
  - { as: cars, count: 2, model: petrol-compact, firmware: "2.31", driving: true }
  - { as: electric, count: 1, model: electric-hatchback, firmware: "2.40", driving: false }
  - { as: mopeds, count: 1, model: electric-moped, firmware: "2.33", driving: true }
  - { as: any, count: 6, radio: road }
  - { as: theirs, count: 1, maker: northwind, driving: false }
  - { as: shelf, count: 1, model: petrol-compact, on_shelf: true }
steps:
  - { at: 0s, repeat: { every: 3s, for: 3m }, within: 0s, expect: { truth: { atMs: { at_least: 0 } } } }
  - { at: 1s, on: electric, charge: {} }
  - { at: 2s, on: electric, bluetooth: { action: unlock, token: right } }
  - { at: 5s, on: { group: cars, box: 1 }, break: { box: power-loss }, for: 20s }
  - { at: 5s, on: { group: cars, box: 2 }, break: { box: hang }, for: 20s }
  - { at: 10s, on: mopeds, break: { box: { error: { text: broken } } }, for: 20s }
  - { at: 40s, on: cars, weather: { coverage: none }, for: 20s }
  - { at: 61s, on: cars, update: { version: "2.40" } }
  - { at: 62s, on: mopeds, shock: { acceleration_in_mg: 900, duration_ms: 30, direction: rear } }
  - { at: 64s, on: any, weather: { roaming: { gap: 10s } }, for: 30s }
  - { at: 65s, on: any, break: { box: gnss-lost }, for: 20s }
  - { at: 10s, on: shelf, call: { onboard: {} } }
  - { at: 90s, call: { get: /vehicles } }
  - { at: 90s, call: { get: "/vehicles/{vehicle}" } }
  - { at: 90s, call: { get: "/vehicles/{vehicle}", as: stranger } }
  - { at: 91s, call: { get: "/vehicles/{vehicle}", as: nobody } }
  - { at: 92s, call: { command: request-vehicle-state } }
  - { at: 93s, call: { command: request-system-status } }
  - { at: 94s, call: { command: unlock-central-lock } }
  - { at: 95s, call: { configure: { tracking: { time_interval_in_seconds: 15 }, smoke-detection: {} } } }
  - { at: 96s, call: { bulk: { parking-events: {} } } }
  - { at: 98s, call: { get: "/configure-vehicle-telematics-unit-bulk/{job}" } }
  - { at: 99s, call: { patch: { operation_status: { value: GARAGE } } } }
  - { at: 99s, call: { patch: { operation_status: { value: 1 } } } }
  - { at: 100s, on: cars, call: { share: partner } }
  - { at: 101s, call: { subscribe: { name: night, topics: [VehicleState_v1] } } }
  - { at: 102s, call: { get: /message-subscriptions } }
  - { at: 103s, on: cars, call: { command: request-sim-suspension } }
  - { at: 104s, on: mopeds, call: { command: network-detach } }
  - { at: 105s, on: any, call: { deactivate: tracking } }
  - { at: 106s, call: { get: "/vehicles/{vehicle}/telematics-unit/feature-configuration/driving-events" } }
  - { at: 107s, call: { request: { method: DELETE, path: /vehicles } } }
  - { at: 108s, on: any, call: { command: activate-workshop-mode } }
`;

interface Looked {
  readonly truth: Set<string>;
  readonly answers: Map<string, { readonly request: ApiRequest; readonly answer: ApiAnswer }>;
}

async function lookedAt(): Promise<Looked> {
  const scenario = parsedScenario(EVENTFUL);
  const testbed = openVirtualTestbed(scenario);
  const snapshots = new Set<string>();
  const answers: Looked['answers'] = new Map();
  const watched = new Proxy(testbed, {
    get(target, name) {
      if (name === 'snapshotOf')
        return (vehicle: Parameters<typeof target.snapshotOf>[0]) => {
          const snapshot = target.snapshotOf(vehicle);
          snapshots.add(JSON.stringify({ truth: snapshot.truth, belief: snapshot.belief }));
          return snapshot;
        };
      if (name === 'ask')
        return async (request: ApiRequest) => {
          const answer = await target.ask(request);
          answers.set(`${request.method} ${request.path} ${answer.status}`, { request, answer });
          return answer;
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  try {
    await runInSandbox(testbed.virtualWorld, () =>
      testbed.virtualWorld.run(() => run(scenario, { testbed: watched, checks: CHECKS })),
    );
  } finally {
    await testbed.close();
  }
  return { truth: snapshots, answers };
}

/** In a fleet of any models, or of one alone. */
function faultsOf(step: object, model?: string): readonly unknown[] {
  const maker = { maker: 'northwind' };
  const only = model !== undefined && MAKER_MODELS.has(model) ? { ...maker, model } : { model };
  const fleet = model === undefined ? [{}, maker] : [only];
  const checked = readDocument({ name: 'try', about: 'A try.', fleet, steps: [step] });
  return checked.ok ? [] : checked.faults;
}

test('whatever truth, belief or answer there was in a run can be expected, and is not refused', async () => {
  const { truth, answers } = await lookedAt();
  expect(truth.size).toBeGreaterThan(400);
  for (const text of truth) {
    const snapshot = JSON.parse(text) as { readonly truth: { readonly model: string } };
    expect(faultsOf({ expect: snapshot }, snapshot.truth.model)).toEqual([]);
  }
  expect(answers.size).toBeGreaterThan(60);
  for (const [name, { request, answer }] of answers) {
    const { method, path } = request;
    const { status, body = null } = JSON.parse(JSON.stringify(answer)) as ApiAnswer;
    if (status === 0) continue;
    const call = { request: { method, path } };
    expect(faultsOf({ call, expect: { body } }), name).toEqual([]);
    expect(faultsOf({ call, expect: { status, body } }), name).toEqual([]);
  }
});
