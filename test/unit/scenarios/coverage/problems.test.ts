import { expect, test } from 'vitest';
import { watchRun } from '../../../../scenarios/coverage/coverage.ts';
import { COVERAGE } from '../../../../scenarios/coverage/tables.ts';
import { runVirtual } from '../../../../scenarios/run/run-virtual.ts';
import { parsedScenario } from '../../../support/simulation/play-scenario.ts';

const ON_RECORD = 'path: "/vehicles/{vehicle}"';
const ON_COMMAND = 'path: "/vehicles/{vehicle}/commands/draw-attention';
/** More than a body may have. */
const LONG = 'a'.repeat(66_000);

const PROBLEMS_OF_ALL_KINDS = `
name: problems
about: Calls are refused with each problem that there is.
seed: 3
clients:
  - { name: watcher, permissions: [vehicles.ro] }
  - { name: driver, permissions: [vehicle-commands] }
fleet:
  - { as: car, model: petrol-compact, firmware: "2.23", generation: 1, sim: meridian, driving: false }
  - { as: busy, model: petrol-compact, firmware: "2.31", driving: false }
  - { as: moving, model: petrol-compact, firmware: "2.31", driving: true }
  - { as: card, model: petrol-compact, firmware: "2.31", sim: harbour, driving: false }
  - { as: shelf, model: petrol-compact, firmware: "2.31", driving: false, on_shelf: true }
  - { as: shared, model: petrol-compact, firmware: "2.31", driving: false }
  - { as: wired, model: electric-hatchback, firmware: "2.31", driving: false }
  - { as: maker, maker: northwind }
steps:
  - { at: 1m, on: car, call: { request: { method: POST, ${ON_COMMAND}?now=1" } } }
  - { at: 1m, on: car, call: { request: { method: PUT, ${ON_COMMAND}" } } }
  - { at: 1m, on: car, call: { request: { method: PATCH, ${ON_RECORD}, headers: { if-match: '"0"' }, body: {} } } }
  - { at: 1m, on: car, call: { request: { method: PATCH, ${ON_RECORD}, headers: { content-type: text/plain }, body: {} } } }
  - { at: 1m, on: car, call: { request: { method: PATCH, ${ON_RECORD}, body: { custom_fields: { a: ${LONG} } } } } }
  - { at: 1m, on: car, call: { command: draw-attention, as: nobody } }
  - { at: 1m, on: car, call: { command: draw-attention, as: forged } }
  - { at: 1m, on: car, call: { command: draw-attention, as: stranger } }
  - { at: 1m, on: car, call: { command: draw-attention, as: watcher } }
  - { at: 1m, on: car, call: { command: network-detach, as: driver } }
  - { at: 1m, on: car, call: { command: unlock-top-case } }
  - { at: 1m, on: car, call: { command: activate-workshop-mode } }
  - { at: 1m, on: car, call: { configure: { damage-detection: { sensitivity: HIGH } } } }
  - { at: 1m, on: wired, call: { configure: { box-settings: { obd_alarm: { enabled: true } } } } }
  - { at: 70s, on: card, call: { command: network-detach } }
  - { at: 70s, on: moving, call: { command: lock-central-lock } }
  - { at: 80s, on: busy, weather: { latency: { base: 3s } } }
  - { at: 80s, on: busy, call: { command: lock-central-lock } }
  - { at: 81s, on: busy, call: { command: lock-central-lock } }
  - { at: 82s, on: busy, call: { configure: { tracking: { time_interval_in_seconds: 20 } } } }
  - { at: 90s, on: shared, call: { share: partner } }
  - { at: 92s, on: shared, call: { command: ble-reset } }
  - { at: 94s, on: shared, call: { share: stranger } }
  - { at: 100s, on: shelf, call: { onboard: {} } }
  - { at: 101s, on: shelf, call: { command: lock-central-lock } }
  - { at: 110s, break: { maker: { outage: { manner: error } } }, for: 10s }
  - { at: 111s, on: maker, call: { command: lock-central-lock } }
  - { at: 130s, on: car, break: { box: { error: { text: short } } }, for: 10s }
  - { at: 131s, on: car, call: { command: lock-central-lock } }
  - { at: 150s, break: { store: down }, for: 10s }
  - { at: 151s, on: car, call: { command: lock-central-lock } }
  - { at: 170s, weather: { coverage: none } }
  - { at: 180s, on: car, call: { command: lock-central-lock } }
`;

const TOO_MANY = `
name: many
about: A client asks more often than it may.
seed: 3
rate_limit: 10
fleet: [{ model: petrol-compact, firmware: "2.31" }]
steps: [{ at: 1m, repeat: { times: 12, every: 1s }, call: { get: /vehicles } }]
`;

test('calls of scenarios meet every problem of the table', async () => {
  const run = watchRun();
  for (const text of [PROBLEMS_OF_ALL_KINDS, TOO_MANY])
    await runVirtual(parsedScenario(text), { observer: run.observer });
  const met = new Set(run.cells().flatMap((cell) => (cell.startsWith('cause/') ? [cell.split('/')[1]] : [])));
  expect(COVERAGE.cause.rows.filter((problem) => !met.has(problem))).toEqual([]);
});
