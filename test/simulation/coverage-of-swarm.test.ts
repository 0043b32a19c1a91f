import { expect, test } from 'vitest';
import { cellsOf } from '../../scenarios/coverage/coverage.ts';
import { RunCoverage } from '../../scenarios/coverage/run-coverage.ts';
import { COVERAGE_NAMES } from '../../scenarios/coverage/tables.ts';
import { drawScenario } from '../../scenarios/explore/swarm.ts';
import { playScenario } from '../support/simulation/play-scenario.ts';

test('each cell that drawn runs meet is a cell of its table', { timeout: 400_000 }, async () => {
  const declared = new Set(
    COVERAGE_NAMES.flatMap((name) => cellsOf(name).map(({ row, column }) => `${name}/${row}/${column}`)),
  );
  const met = new Set<string>();
  for (let seed = 1; seed <= 4; seed += 1) {
    const run = new RunCoverage((table, row, column) => met.add(`${table}/${row}/${column}`));
    const observer = {
      onTraceLine: () => undefined,
      onStart: (testbed: Parameters<RunCoverage['start']>[0]) => run.start(testbed),
      onFact: (fact: Parameters<RunCoverage['note']>[0]) => run.note(fact),
    };
    await playScenario(drawScenario(seed, 1).document, { observer });
  }
  const answers = [...met].filter((cell) => cell.startsWith('problem/'));
  expect(answers.length).toBeGreaterThan(30);
  expect([...met].filter((cell) => !declared.has(cell))).toEqual([]);
});
