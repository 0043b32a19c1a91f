import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../../scenarios/coverage/coverage.ts';
import { COVERAGE, COVERAGE_NAMES, type CoverageName } from '../../../../scenarios/coverage/tables.ts';
import { drawScenario } from '../../../../scenarios/explore/swarm.ts';
import { type CellAim, LED_BY, UnmetCells } from '../../../../scenarios/explore/unmet-cells.ts';
import { canLead, withUnmetCells } from '../../../../scenarios/explore/workload/aimed-at-cells.ts';
import type { ScenarioDocument } from '../../../../scenarios/language/document/problem.ts';
import { exploreLimits } from '../../../../scenarios/limits.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { parsedScenario } from '../../../support/scenarios/fake-runner.ts';

const source = (seed: number, run: number) => seededRandom(seed).stream(`aims/${run}`);

/** All that there is to be led to, six cells at a time. */
const EVERY_AIM: readonly CellAim[] = COVERAGE_NAMES.flatMap((table) => {
  const cells = cellsOf(table).map(({ row, column }) =>
    LED_BY[table] === 'row' ? { led: row, other: column } : { led: column, other: row },
  );
  return [...Map.groupBy(cells, ({ led }) => led)].flatMap(([led, of]) => {
    const others = of.flatMap(({ other }) => (canLead(table, led, other) ? [other] : []));
    const pages = Math.ceil(others.length / exploreLimits.mostCellsAnAim);
    return Array.from({ length: pages }, (_, page) => ({
      table,
      led,
      others: others.slice(page * exploreLimits.mostCellsAnAim, (page + 1) * exploreLimits.mostCellsAnAim),
    }));
  });
});

const cellsAt = ({ table, led, others }: CellAim): readonly string[] =>
  others.map((other) => (LED_BY[table] === 'row' ? `${table}/${led}/${other}` : `${table}/${other}/${led}`));

/** The aims of so many runs, each of which meets what `meets` says of it, begun that far ahead. */
function aimsOfRuns(
  count: number,
  { ahead, meets }: { readonly ahead: number; readonly meets: (run: number) => readonly string[] },
): readonly (readonly CellAim[])[] {
  const unmet = new UnmetCells(canLead);
  return Array.from({ length: count }, (_, index) => {
    const run = index + 1;
    if (run - ahead - 1 >= 1) unmet.note(run - ahead - 1, meets(run - ahead - 1));
    return unmet.aimsOf(run, source(1, run));
  });
}

describe('cells that no run has met', () => {
  it('are aimed at alike however many runs are begun ahead', () => {
    const cells = EVERY_AIM.flatMap(cellsAt);
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat(cells.length - 1), { maxLength: 40 }), { minLength: 96, maxLength: 96 }),
        fc.integer({ min: 1, max: exploreLimits.coverageRound - 1 }),
        (met, ahead) => {
          const meets = (run: number) => (met[run - 1] ?? []).map((index) => cells[index] ?? '');
          expect(aimsOfRuns(96, { ahead, meets })).toEqual(aimsOfRuns(96, { ahead: 0, meets }));
        },
      ),
      { numRuns: 5 },
    );
  });

  it('are no aim of the first two rounds, after which each of them comes in turn', () => {
    const unmet = new UnmetCells(canLead);
    const aimed = new Set<string>();
    const all = new Set(EVERY_AIM.map(({ table, led }) => `${table}/${led}`));
    const cells = new Set(EVERY_AIM.flatMap(cellsAt));
    const last = 2 * exploreLimits.coverageRound + all.size;
    for (let run = 1; run <= last; run += 1) {
      const aims = unmet.aimsOf(run, source(2, run));
      if (run <= 2 * exploreLimits.coverageRound) expect(aims).toEqual([]);
      for (const { table, led } of aims) aimed.add(`${table}/${led}`);
      // Nothing leads to a cell that its table does not have.
      expect(aims.flatMap(cellsAt).filter((cell) => !cells.has(cell))).toEqual([]);
    }
    expect([...all].filter((one) => !aimed.has(one))).toEqual([]);
  });

  it('are no aim any more once a run has met them', () => {
    const unmet = new UnmetCells(canLead);
    const left = 'model/lock-central-lock/petrol-compact';
    const met = EVERY_AIM.flatMap(cellsAt).filter((cell) => cell !== left);
    unmet.note(exploreLimits.coverageRound, met);
    const run = 2 * exploreLimits.coverageRound + 1;
    expect(unmet.aimsOf(run, source(3, run))).toEqual([
      { table: 'model', led: 'petrol-compact', others: ['lock-central-lock'] },
    ]);
    unmet.note(run, [left]);
    expect(unmet.aimsOf(run + 2 * exploreLimits.coverageRound, source(3, 1))).toEqual([]);
  });

  it('lead to scenarios that can be read', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(...EVERY_AIM), (seed, aim) => {
        parsedScenario(drawScenario(seed, 1, undefined, [aim]).document);
      }),
      { numRuns: 150 },
    );
  });

  it('change nothing that a scenario has: each aim adds one vehicle behind the others, and steps', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.array(fc.constantFrom(...EVERY_AIM), { minLength: 1, maxLength: 2 }),
        (seed, aims) => {
          const plain = drawScenario(seed, 1).document;
          const led = withUnmetCells(source(seed, 1), plain, aims, 120_000);
          const listOf = (document: ScenarioDocument, part: string) => document[part] as readonly unknown[];
          const [fleet, steps] = ['fleet', 'steps'].map((part) => listOf(plain, part)) as [
            unknown[],
            unknown[],
          ];
          expect(listOf(led, 'fleet').slice(0, fleet.length)).toEqual(fleet);
          expect(listOf(led, 'fleet')).toHaveLength(fleet.length + aims.length);
          expect(listOf(led, 'steps').slice(0, steps.length)).toEqual(steps);
          expect(listOf(led, 'steps').length).toBeGreaterThanOrEqual(steps.length + aims.length);
          expect({ ...led, fleet, steps }).toEqual(plain);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('can be led to in every table, in each of its states', () => {
    const states = (table: CoverageName) =>
      new Set(EVERY_AIM.flatMap((aim) => (aim.table === table ? [aim.led] : [])));
    for (const table of ['model', 'firmware', 'connectivity', 'sim', 'power', 'workshop'] as const)
      expect(states(table)).toEqual(new Set(COVERAGE[table].columns));
    expect(states('phase').size).toBeGreaterThan(COVERAGE.phase.rows.length - 8);
  });
});
