import { expect, test } from 'vitest';
import { Coverage, watchRun } from '../../../../scenarios/coverage/coverage.ts';
import { COVERAGE } from '../../../../scenarios/coverage/tables.ts';
import { runVirtual } from '../../../../scenarios/run/run-virtual.ts';
import { parsedScenario } from '../../../support/simulation/play-scenario.ts';

const TABLES = ['firmware', 'connectivity', 'sim', 'power', 'workshop'] as const;

/** What is done to a parked car before its command, the last step. */
interface ColumnCase {
  readonly firmware?: string;
  readonly steps?: readonly string[];
  /** When the command is sent, beside `call`. */
  readonly when?: string;
}

const RESET = '{ at: 1m, break: { box: watchdog } }';
const LOW = '{ at: 1m, supply: { state: low } }';

/** A small scenario for each column, by its table. */
const CASES: Readonly<Record<(typeof TABLES)[number], Readonly<Record<string, ColumnCase>>>> = {
  firmware: {
    '2.1x': { firmware: '2.12' },
    '2.2x': { firmware: '2.24' },
    '2.3x': { firmware: '2.31' },
    '2.4x': { firmware: '2.40' },
  },
  connectivity: {
    off: { steps: [RESET], when: 'at: 30s, when: { session: off }' },
    offline: { steps: [RESET], when: 'when: { session: offline }' },
    connecting: { steps: [RESET], when: 'when: { session: connecting }' },
    connected: { steps: [RESET], when: 'when: { session: connected }' },
    ready: {},
  },
  sim: {
    active: {},
    suspended: { steps: ['{ at: 1m, weather: { sim: suspended } }'] },
    detached: { steps: ['{ at: 1m, weather: { sim: detached } }'], when: 'at: 61s' },
  },
  power: {
    off: { steps: [RESET], when: 'at: 30s, when: { session: off }' },
    booting: { steps: [RESET], when: 'at: 63100ms' },
    up: {},
    dead: { steps: ['{ at: 1m, break: { box: brown-out } }'], when: 'at: 61s' },
    installing: {
      steps: ['{ at: 1m, update: { version: "2.40" } }'],
      when: 'at: 90s',
    },
    asleep: { steps: [LOW], when: 'at: 30m' },
  },
  workshop: {
    on: { steps: ['{ at: 1m, call: { command: activate-workshop-mode } }'] },
    off: {},
  },
};

test.each(TABLES.flatMap((table) => COVERAGE[table].columns.map((column) => [table, column] as const)))(
  'the column of %s %s is met',
  async (table, column) => {
    const { firmware = '2.31', steps = [], when = 'at: 2m' } = CASES[table][column] ?? {};
    const run = watchRun();
    const scenario = parsedScenario(`
name: column
about: A command meets a box in a state.
seed: 3
fleet: [{ model: petrol-compact, firmware: "${firmware}", driving: false }]
steps:
${[...steps, `{ ${when}, call: { command: lock-central-lock } }`].map((step) => `  - ${step}`).join('\n')}
`);
    await runVirtual(scenario, { observer: run.observer });
    expect(run.cells()).toContain(`${table}/lock-central-lock/${column}`);
  },
);

test("a command to a maker's car, which has no box, meets nothing of a box", async () => {
  const coverage = new Coverage();
  const scenario = parsedScenario(`
name: maker
about: A car of a maker is sent a command.
seed: 3
fleet: [{ maker: northwind }]
steps:
  - { at: 1m, call: { command: lock-central-lock } }
`);
  await runVirtual(scenario, { observer: coverage.watch().observer });
  const counts = coverage.counts();
  for (const table of ['model', ...TABLES] as const) {
    const met = Object.values(counts[table]['lock-central-lock'] ?? {}).reduce(
      (sum, count) => sum + count,
      0,
    );
    expect(met, table).toBe(0);
  }
  const answers = Object.values(counts.problem['lock-central-lock'] ?? {});
  expect(answers.reduce((sum, count) => sum + count, 0)).toBe(1);
});
