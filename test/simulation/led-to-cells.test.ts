import { describe, expect, it } from 'vitest';
import { watchRun } from '../../scenarios/coverage/coverage.ts';
import { NO_FAULT, PHASES, UNANSWERED } from '../../scenarios/coverage/tables.ts';
import { type CellAim, LED_BY } from '../../scenarios/explore/unmet-cells.ts';
import { withUnmetCells } from '../../scenarios/explore/workload/aimed-at-cells.ts';
import { PROBLEM_LEADS, STATE_LEADS } from '../../scenarios/explore/workload/cell-leads.ts';
import type { ScenarioDocument } from '../../scenarios/language/document/problem.ts';
import { runVirtual } from '../../scenarios/run/run-virtual.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { parsedScenario } from '../support/scenarios/fake-runner.ts';

const ALONE: ScenarioDocument = {
  name: 'led',
  about: 'A run that is led to cells, and does nothing else.',
  seed: 1,
  clients: [{ name: 'reader', permissions: ['vehicles.ro'] }],
  fleet: [],
  steps: [],
};
/** What comes by chance comes in one of so many draws. */
const DRAWS = 8;

/** Whether one of some draws meets one of the cells of an aim. */
async function isMet(aim: CellAim): Promise<boolean> {
  const wanted = aim.others.map((other) =>
    LED_BY[aim.table] === 'row' ? `${aim.table}/${aim.led}/${other}` : `${aim.table}/${other}/${aim.led}`,
  );
  for (let seed = 1; seed <= DRAWS; seed += 1) {
    const run = watchRun();
    const document = withUnmetCells(seededRandom(seed).stream('led'), ALONE, [aim], 0);
    await runVirtual(parsedScenario(document), { observer: run.observer });
    if (run.cells().some((cell) => wanted.includes(cell))) return true;
  }
  return false;
}

/** Problems that come of a fault. */
const FAULT_OF: Readonly<Record<string, string>> = {
  'no-connection': 'weather coverage',
  'internal-server-error': 'store down',
};
const ASKED = ['lock-central-lock', 'request-vehicle-state'] as const;

describe('a run that is led to a cell', () => {
  it.each(Object.keys(STATE_LEADS))('meets commands in the state %s', async (name) => {
    const [table = '', led = ''] = name.split('/');
    expect(await isMet({ table: table as CellAim['table'], led, others: ASKED })).toBe(true);
  });

  it.each(Object.keys(PROBLEM_LEADS))('is answered with %s', async (problem) => {
    const led = FAULT_OF[problem] ?? NO_FAULT;
    expect(await isMet({ table: 'cause', led, others: [problem] })).toBe(true);
  });

  it('loses its backend before an answer', async () => {
    expect(await isMet({ table: 'problem', led: UNANSWERED, others: ASKED })).toBe(true);
  });

  it.each(PHASES)('has a fault that begins while %s is under way', async (phase) => {
    expect(await isMet({ table: 'phase', led: 'weather cut', others: [phase] })).toBe(true);
  });
});
