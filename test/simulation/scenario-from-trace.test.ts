import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTraceFile } from '../../cli/commands/scenario/scenario-from-trace.ts';
import { openTraceFile } from '../../deployment/jobs/trace-file.ts';
import { drawScenario } from '../../scenarios/explore/swarm.ts';
import type { Scenario } from '../../scenarios/language/document/scenario.ts';
import { writeDocument } from '../../scenarios/language/document/write.ts';
import { runVirtual } from '../../scenarios/run/run-virtual.ts';
import { Connectivity } from '../../scenarios/trace/connectivity.ts';
import { scenarioOfRun, wholeScenarioOf } from '../../scenarios/trace/to-scenario.ts';
import { failuresOf, parsedScenario } from '../support/simulation/play-scenario.ts';

const BROKEN = `
name: broken-parts
about: Everything between the boxes and the readers of queues breaks, one after the other.
seed: 5
fleet:
  - { as: cars, count: 2, model: petrol-compact, firmware: "2.31", driving: true }
  - { as: moped, count: 1, model: electric-moped }
steps:
  - { at: 30s, break: { exchange: down }, for: 2m }
  - { at: 3m, break: { exchange: nack }, for: 1m }
  - { at: 4m30s, break: { exchange: blocked }, for: 45s }
  - { at: 6m, weather: { coverage: none }, on: cars, for: 90s }
  - { at: 8m, break: { broker: { restart: { sessions: lost } } } }
  - { at: 10m, break: { broker: { restart: { sessions: kept } } }, for: 40s }
  - { at: 12m, break: { backend: crash }, for: 30s }
  - { at: 14m, break: { backend: restart } }
  - { at: 15m, weather: cut, on: moped }
  - { at: 16m, break: { store: full }, for: 20s }
  - { at: 17m, weather: { latency: { base: 200ms } }, for: 20s }
  - { at: 17m, call: { command: request-vehicle-state }, on: moped }
limits: { duration: 19m }
`;

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'boxtwin-again-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

async function traced(scenario: Scenario, path: string) {
  const file = openTraceFile(path, scenario, 'virtual');
  const ran = await runVirtual(scenario, { observer: file.observer });
  file.end(ran);
  file.close();
  return ran;
}

/** When what was down and who was cut off, in seconds of the scenario. */
function lossesIn(path: string) {
  const { beginMs, connectivity: seen } = readTraceFile(path);
  const seconds = (ms: number): number => Math.round((ms - beginMs) / 1_000);
  const down = seen.outages.map(({ name, fromMs, toMs }) => `${name} ${seconds(fromMs)} to ${seconds(toMs)}`);
  const dark = seen.gaps.map(
    ({ vehicle, word, fromMs, toMs }) => `${vehicle} ${word} ${seconds(fromMs)} to ${seconds(toMs)}`,
  );
  return { down: new Set(down), dark: new Set(dark) };
}

test('a scenario made from a trace breaks the same parts at the same times, and disconnects the same vehicles', async () => {
  const [before, after] = [join(place, 'before.ndjson'), join(place, 'after.ndjson')];
  expect(failuresOf(await traced(parsedScenario(BROKEN), before))).toEqual([]);
  const { document, leftOut, notTaken } = scenarioOfRun(readTraceFile(before));
  expect(leftOut).toBe(0);
  const again = await traced(parsedScenario(writeDocument(document)), after);
  expect(failuresOf(again)).toEqual([]);
  expect(lossesIn(before).down.size).toBe(7);
  expect(notTaken).toEqual([
    'Not taken over, but for the connections that it cost: store full, weather latency.',
    'Not taken over, what was asked of the service: 1 call.',
  ]);
  expect(lossesIn(after)).toEqual(lossesIn(before));
});

test('a scenario made from the trace of a failed run is the same run: the same finding, the same hash', async () => {
  const path = join(place, 'failed.ndjson');
  const failing = parsedScenario(
    BROKEN.replace('limits:', 'always: [heals]\nlimits:').replace('19m', '19m, heal: 0s'),
  );
  const first = await traced(failing, path);
  const document = wholeScenarioOf(readTraceFile(path));
  expect(document).toBeDefined();
  const again = await traced(
    parsedScenario(writeDocument(document ?? {})),
    join(place, 'failed-again.ndjson'),
  );
  expect(again.hash).toBe(first.hash);
  expect(again.checkers).toEqual(first.checkers);
});

test('drawn scenarios of every kind come back from their trace with the same hash', async () => {
  for (let run = 1; run <= 4; run += 1) {
    const path = join(place, `drawn-${run}.ndjson`);
    const first = await traced(parsedScenario(writeDocument(drawScenario(77, run).document)), path);
    const document = wholeScenarioOf(readTraceFile(path));
    const again = await traced(parsedScenario(writeDocument(document ?? {})), join(place, 'again.ndjson'));
    expect(again.hash, `run ${run}`).toBe(first.hash);
  }
});

test('of a run over sockets each step begins when it really began', () => {
  const document = {
    name: 'a',
    about: 'b',
    fleet: [{}],
    steps: [
      { label: 'x', after: 'w', delay: '1s', park: {} },
      { after: 'w', when: { frame: 'reply' }, delay: '1s', park: {} },
    ],
  };
  const header = {
    kind: 'header',
    format: 'boxtwin-trace/1',
    scenario: 'a',
    seed: 1,
    world: 'real',
    document,
  } as const;
  const whole = wholeScenarioOf({
    header,
    beginMs: 1_000,
    endMs: 9_000,
    connectivity: new Connectivity(),
    stepsBeganMs: new Map([
      [0, 3_500],
      [1, 4_000],
    ]),
  });
  // What a trigger makes wait is counted from the trigger, which comes again by itself.
  expect(whole?.['steps']).toEqual([
    { label: 'x', at: '2s500ms', park: {} },
    { at: '3s', delay: '1s', when: { frame: 'reply' }, park: {} },
  ]);
});
