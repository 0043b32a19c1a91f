import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PROBLEMS } from '../../../contract/problems.ts';
import {
  Coverage,
  type CoverageCounts,
  cellsOf,
  metCells,
  watchRun,
} from '../../../scenarios/coverage/coverage.ts';
import { coveragePage } from '../../../scenarios/coverage/coverage-page.ts';
import { coverageText } from '../../../scenarios/coverage/coverage-text.ts';
import { COVERAGE, COVERAGE_NAMES, NO_FAULT, PHASES } from '../../../scenarios/coverage/tables.ts';
import { preferredCell } from '../../../scenarios/explore/workload/workload.ts';
import { CRASH_POINTS } from '../../../scenarios/language/steps/backend-breaks.ts';
import { BREAKS } from '../../../scenarios/language/steps/breaks.ts';
import { requestsOf } from '../../../scenarios/language/steps/request.ts';
import { WEATHER } from '../../../scenarios/language/steps/weather.ts';
import { coverageLimits } from '../../../scenarios/limits.ts';
import { runVirtual } from '../../../scenarios/run/run-virtual.ts';
import { RunMemory } from '../../../scenarios/run/step-actions.ts';
import { FakeTestbed } from '../../support/scenarios/fake-testbed.ts';
import { parsedScenario } from '../../support/simulation/play-scenario.ts';

const LOCKED = `
name: locked
about: A command meets a fault.
fleet: [{ model: petrol-compact, firmware: "2.31" }]
steps:
  - { at: 10s, call: { command: lock-central-lock } }
  - { at: 10s10ms, weather: cut }
  - { at: 2m, call: { command: lock-central-lock } }
`;

test('a run counts its commands by vehicle, session and answer, and its faults by what was under way', async () => {
  const coverage = new Coverage();
  await runVirtual(parsedScenario(LOCKED), { observer: coverage.watch().observer });
  const counts = coverage.counts();
  expect(counts.model['lock-central-lock']?.['petrol-compact']).toBe(2);
  expect(counts.firmware['lock-central-lock']?.['2.3x']).toBe(2);
  expect(counts.connectivity['lock-central-lock']?.['ready']).toBe(2);
  expect(counts.sim['lock-central-lock']?.['active']).toBe(2);
  expect(counts.phase['weather cut']?.['a command']).toBe(1);
  const answers = Object.values(counts.problem['lock-central-lock'] ?? {});
  expect(answers.reduce((sum, count) => sum + count, 0)).toBe(2);
  expect(counts.model['unlock-central-lock']?.['petrol-compact']).toBe(0);
});

const MEANWHILE = `
name: meanwhile
about: Commands fail for what happened while they waited, or shortly before.
seed: 2
fleet: [{ model: petrol-compact, firmware: "2.31", driving: false }]
steps:
  - { at: 10s, weather: { lose: { message: command-reply } }, for: 5s }
  - { at: 11s, call: { command: unlock-central-lock }, expect: { status: 504 } }
  - { at: 1m, break: { backend: { crash: { point: after-publish } } }, for: 1s }
  - { at: 70s, weather: cut }
  - { at: 70s, call: { command: lock-central-lock }, expect: { status: 504 } }
  - { at: 5m, call: { command: draw-attention, as: nobody }, expect: { status: 401 } }
`;

test('what was in force or happened between a call and its answer counts as cause of its problem', async () => {
  const coverage = new Coverage();
  await runVirtual(parsedScenario(MEANWHILE), { observer: coverage.watch().observer });
  const { cause, phase } = coverage.counts();
  const met = (problem: string) => Object.entries(cause[problem] ?? {}).filter(([, count]) => count > 0);
  expect(met('no-connection')).toEqual([
    ['weather cut', 1],
    ['weather lose', 1],
  ]);
  expect(met('missing-credentials')).toEqual([['none', 1]]);
  // Its point was never reached.
  expect(Object.values(phase['backend crash'] ?? {}).every((count) => count === 0)).toBe(true);
});

test('a run that is counted tells which cells it has met, itself and no other', async () => {
  const coverage = new Coverage();
  const [one, other] = [coverage.watch(), coverage.watch()];
  await runVirtual(parsedScenario(MEANWHILE), { observer: one.observer });
  const counts = coverage.counts();
  const counted = COVERAGE_NAMES.flatMap((name) =>
    cellsOf(name).flatMap(({ row, column }) =>
      (counts[name][row]?.[column] ?? 0) > 0 ? [`${name}/${row}/${column}`] : [],
    ),
  );
  expect([...one.cells()].sort()).toEqual(counted.sort());
  expect(other.cells()).toEqual([]);
});

test('each fault of the language can be met as a cause, also one that happens at once', () => {
  for (const column of COVERAGE.cause.columns) {
    if (column === NO_FAULT) continue;
    const [part = '', word = ''] = column.split(' ');
    const rows: Readonly<Record<string, Readonly<Record<string, object>>>> = { weather: WEATHER, ...BREAKS };
    const row = rows[part]?.[word];
    const run = watchRun();
    const fault = { kind: 'fault', name: column, detail: '{}', vehicles: [1] } as const;
    const call = { call: 1, vehicle: 1 } as const;
    run.observer.onFact({
      atMs: 1_000,
      kind: 'call',
      ...call,
      what: 'command lock-central-lock',
      as: 'owner',
    });
    const phase = row !== undefined && 'lasts' in row ? 'begins' : 'happens';
    run.observer.onFact({ atMs: 2_000, ...fault, phase });
    if (phase === 'begins') run.observer.onFact({ atMs: 3_000, ...fault, phase: 'ends' });
    const problem = PROBLEMS['no-connection'].type;
    run.observer.onFact({ atMs: 9_000, kind: 'answer', ...call, status: 504, problem, tookMs: 8_000 });
    expect(run.cells()).toContain(`cause/no-connection/${column}`);
    expect(run.cells()).not.toContain(`cause/no-connection/${NO_FAULT}`);
  }
});

test('a command is asked for without a body or a header of its own, so that no answer to it is one to an ill-formed request', () => {
  const testbed = new FakeTestbed(1);
  for (const command of COVERAGE.problem.rows) {
    const text = MEANWHILE.replace('unlock-central-lock', command);
    const does = parsedScenario(text).steps[1]?.does;
    if (does?.kind !== 'call') throw new Error('The step is a call.');
    const [planned] = requestsOf(does.call, testbed.vehicles, new RunMemory(), testbed);
    expect(Object.keys(planned?.request ?? {})).toEqual(['method', 'path', 'as']);
    expect(planned?.request.method).toBe('POST');
  }
  for (const ill of [
    'validation-error',
    'method-not-allowed',
    'payload-too-large',
    'unsupported-media-type',
  ]) {
    expect(COVERAGE.problem.columns).not.toContain(ill);
    expect(COVERAGE.cause.rows).toContain(ill);
  }
  expect(COVERAGE.problem.columns).toContain('no-connection');
});

test('what happened long before a call, or met another vehicle, is not its cause', () => {
  const causes = (fault: { readonly atMs: number; readonly vehicles: readonly number[] }) => {
    const run = watchRun();
    run.observer.onFact({ kind: 'fault', name: 'weather cut', detail: '{}', phase: 'happens', ...fault });
    const call = { call: 1, vehicle: 1 } as const;
    run.observer.onFact({ atMs: 60_000, kind: 'call', ...call, what: 'get', as: 'owner' });
    const problem = PROBLEMS['no-connection'].type;
    run.observer.onFact({ atMs: 61_000, kind: 'answer', ...call, status: 504, problem, tookMs: 1_000 });
    return run.cells().filter((cell) => cell.startsWith('cause/'));
  };
  const shortlyMs = 60_000 - coverageLimits.afterAtOnceMs;
  expect(causes({ atMs: shortlyMs, vehicles: [1] })).toEqual(['cause/no-connection/weather cut']);
  expect(causes({ atMs: shortlyMs, vehicles: [] })).toEqual(['cause/no-connection/weather cut']);
  expect(causes({ atMs: shortlyMs - 1, vehicles: [1] })).toEqual(['cause/no-connection/none']);
  expect(causes({ atMs: shortlyMs, vehicles: [2] })).toEqual(['cause/no-connection/none']);
});

const crashesAt = (point: string, backends: number) => `
name: crashes
about: The backend crashes at a point, or never comes there.
seed: 3
backends: ${backends}
fleet: [{ model: petrol-compact, firmware: "2.31", driving: false }]
steps:
  - { at: 1m, break: { backend: { crash: { point: ${point} } } }, for: 5m }
  - { at: 2m, call: { command: lock-central-lock } }
`;

test.each([...Object.keys(CRASH_POINTS).map((point) => [point, 1] as const), ['after-commit', 2] as const])(
  'a crash at %s of %i backends counts when it has its effect',
  async (point, backends) => {
    const coverage = new Coverage();
    await runVirtual(parsedScenario(crashesAt(point, backends)), { observer: coverage.watch().observer });
    const row = coverage.counts().phase['backend crash'] ?? {};
    expect(Object.values(row).reduce((sum, count) => sum + count, 0)).toBe(1);
  },
);

interface MetCell {
  readonly name: string;
  readonly row: string;
  readonly column: string;
  readonly count: number;
}

/** All counts 0 but these. */
function countsOf(met: readonly MetCell[]): CoverageCounts {
  const counts: Record<string, Record<string, Record<string, number>>> = new Coverage().counts();
  for (const { name, row, column, count } of met) {
    const cells = counts[name]?.[row];
    if (cells !== undefined) cells[column] = count;
  }
  return counts as CoverageCounts;
}

test('without a run the text says of each table that nothing of it was met, and the page has every cell', () => {
  const counts = new Coverage().counts();
  for (const name of COVERAGE_NAMES) expect(metCells(counts, name).met).toBe(0);
  expect(coverageText(counts, 80).filter((line) => line !== '')).toEqual(
    COVERAGE_NAMES.map((name) => `${COVERAGE[name].title}: 0 of ${metCells(counts, name).all} cells met`),
  );
  const page = coveragePage(counts, 0);
  const cells = COVERAGE_NAMES.reduce((sum, name) => sum + metCells(counts, name).all, 0);
  expect(page.match(/<td class="heat-0">/g)).toHaveLength(cells);
});

test('the text has a table of rows and columns where they fit, and names what is missing where they do not', () => {
  const sim = (row: string, column: string, count: number) => ({ name: 'sim', row, column, count });
  const phase = (row: string, column: string) => ({ name: 'phase', row, column, count: 2 });
  const counts = countsOf([
    sim('lock-central-lock', 'active', 12),
    sim('lock-central-lock', 'detached', 1),
    sim('ble-reset', 'active', 3),
    phase('weather cut', 'nothing'),
    ...PHASES.filter((one) => one !== 'another call' && one !== 'connecting').map((column) =>
      phase('broker restart', column),
    ),
    ...PHASES.map((column) => phase('backend wake_ups_lost', column)),
  ]);
  const text = coverageText(counts, 80);
  const tableOf = (title: string) => {
    const from = text.findIndex((line) => line.startsWith(title));
    const to = text.indexOf('', from);
    return text.slice(from, to < 0 ? undefined : to);
  };
  const { sim: sims, phase: phases } = COVERAGE;
  expect(tableOf(sims.title)).toEqual([
    `command × SIM card: 3 of ${3 * sims.rows.length} cells met`,
    '                     active  suspended  detached',
    '  ble-reset               3          ·         ·',
    '  lock-central-lock      12          ·         1',
    `  never: request-system-status, board-reset, modem-reset and ${sims.rows.length - 2 - 3} more`,
  ]);
  expect(tableOf(phases.title)).toEqual([
    `fault × what was under way: 13 of ${7 * phases.rows.length} cells met`,
    '  weather cut            1 of 7  only nothing',
    '  broker restart         5 of 7  not another call, connecting',
    '  backend wake_ups_lost  7 of 7',
    `  never: weather coverage, weather signal, weather half_open and ${phases.rows.length - 3 - 3} more`,
  ]);
});

test('the text fits whatever was met, and accounts for every row and every cell that was met', () => {
  const anyMet = fc.array(
    fc.constantFrom(...COVERAGE_NAMES).chain((name) =>
      fc.record({
        name: fc.constant(name),
        row: fc.constantFrom(...COVERAGE[name].rows),
        column: fc.constantFrom(...COVERAGE[name].columns),
        count: fc.integer({ min: 1, max: 100_000 }),
      }),
    ),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(anyMet, fc.integer({ min: 60, max: 250 }), (met, width) => {
      const rowsOf = (name: string) => met.filter((one) => one.name === name).map(({ row }) => row);
      const text = coverageText(countsOf(met), width);
      expect(text.filter((line) => line.length > width)).toEqual([]);
      for (const name of COVERAGE_NAMES) {
        const from = text.findIndex((line) => line.startsWith(COVERAGE[name].title));
        const to = text.indexOf('', from);
        const lines = text.slice(from + 1, to < 0 ? undefined : to);
        for (const row of rowsOf(name))
          expect(lines.filter((line) => line.startsWith(`  ${row} `))).toHaveLength(1);
      }
    }),
  );
});

test('the swarm prefers another command and model in each run, until each command met each model', () => {
  const cells = new Set<string>();
  for (let run = 1; run <= 2_000; run += 1) cells.add(JSON.stringify(preferredCell(run)));
  const models = new Set([...cells].map((cell) => (JSON.parse(cell) as { model: string }).model));
  const commands = new Set([...cells].map((cell) => (JSON.parse(cell) as { command: string }).command));
  expect(cells.size).toBe(models.size * commands.size);
});
