import { expect, test } from 'vitest';
import { Coverage, metCells } from '../../../scenarios/coverage/coverage.ts';
import { coveragePage, coverageText } from '../../../scenarios/coverage/report.ts';
import { COVERAGE_NAMES } from '../../../scenarios/coverage/tables.ts';
import { preferredCell } from '../../../scenarios/explore/workload/workload.ts';
import { runVirtual } from '../../../scenarios/testbed/virtual/run-virtual.ts';
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
  await runVirtual(parsedScenario(LOCKED), { observer: coverage.observer() });
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

test('the report has a line for each table, and the page every cell', () => {
  const counts = new Coverage().counts();
  for (const name of COVERAGE_NAMES) expect(metCells(counts, name).met).toBe(0);
  expect(coverageText(counts).filter((line) => /^\s+0 of \d+ {2}/.test(line))).toHaveLength(
    COVERAGE_NAMES.length,
  );
  const page = coveragePage(counts, 0);
  const cells = COVERAGE_NAMES.reduce((sum, name) => sum + metCells(counts, name).all, 0);
  expect(page.match(/<td class="heat-0">/g)).toHaveLength(cells);
});

test('the swarm prefers another command and model in each run, until each command met each model', () => {
  const cells = new Set<string>();
  for (let run = 1; run <= 2_000; run += 1) cells.add(JSON.stringify(preferredCell(run)));
  const models = new Set([...cells].map((cell) => (JSON.parse(cell) as { model: string }).model));
  const commands = new Set([...cells].map((cell) => (JSON.parse(cell) as { command: string }).command));
  expect(cells.size).toBe(models.size * commands.size);
});
