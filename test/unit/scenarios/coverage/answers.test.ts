import { expect, test } from 'vitest';
import { Coverage, cellsOf, metCells } from '../../../../scenarios/coverage/coverage.ts';
import { coveragePage } from '../../../../scenarios/coverage/coverage-page.ts';
import { RunCoverage } from '../../../../scenarios/coverage/run-coverage.ts';
import { COVERAGE, COVERAGE_NAMES, GOOD, UNANSWERED } from '../../../../scenarios/coverage/tables.ts';

const answersOf = (command: string): readonly string[] =>
  cellsOf('problem').flatMap(({ row, column }) => (row === command ? [column] : []));

test('a command has the answers that its guards and its way can come to, and no others', () => {
  expect(answersOf('lock-central-lock')).toContain('conflicting-state');
  expect(answersOf('ble-reset')).not.toContain('conflicting-state');
  expect(answersOf('ble-reset')).not.toContain('third-party-error');
  expect(answersOf('network-detach')).toContain('resource-conflict');
  expect(answersOf('lock-central-lock')).not.toContain('resource-conflict');
  expect(answersOf('network-detach')).not.toContain('no-connection');
  for (const command of COVERAGE.problem.rows)
    expect(answersOf(command)).toEqual(expect.arrayContaining([GOOD, UNANSWERED, 'missing-credentials']));
});

test('no answer is a column that no command can come to', () => {
  for (const answer of COVERAGE.problem.columns)
    expect(COVERAGE.problem.rows.some((command) => answersOf(command).includes(answer))).toBe(true);
  for (const never of ['conflicting-operation', 'incompatible-installation-variant'])
    expect(COVERAGE.problem.columns).not.toContain(never);
});

test('a cell that cannot be met is in no count, and empty in the page', () => {
  const counts = new Coverage().counts();
  expect(counts.problem['ble-reset']?.['third-party-error']).toBeUndefined();
  const all = COVERAGE_NAMES.reduce((sum, name) => sum + metCells(counts, name).all, 0);
  const places = COVERAGE_NAMES.reduce(
    (sum, name) => sum + COVERAGE[name].rows.length * COVERAGE[name].columns.length,
    0,
  );
  expect(coveragePage(counts, 0).match(/<td><\/td>/g)).toHaveLength(places - all);
});

test('an answer without a problem of the service is carried out only where it is a success', () => {
  const met: string[] = [];
  const run = new RunCoverage((table, row, column) => met.push(`${table}/${row}/${column}`));
  for (const [call, status] of [200, 503, 0].entries()) {
    run.note({ atMs: 1, kind: 'call', call, vehicle: 1, what: 'command ble-reset', as: 'owner' });
    run.note({ atMs: 2, kind: 'answer', call, vehicle: 1, status, tookMs: 1 });
  }
  expect(met).toEqual(['carried out', '503', 'no answer'].map((answer) => `problem/ble-reset/${answer}`));
});
