import { cellsOf } from '../coverage/coverage.ts';
import { COVERAGE, COVERAGE_NAMES, type CoverageName } from '../coverage/tables.ts';
import type { RandomSource } from '../language/vary/draw.ts';
import { exploreLimits } from '../limits.ts';

/** Which side of a table is brought about once for several of its cells. */
export const LED_BY = {
  model: 'column',
  firmware: 'column',
  connectivity: 'column',
  sim: 'column',
  power: 'column',
  workshop: 'column',
  problem: 'column',
  cause: 'column',
  phase: 'row',
} as const satisfies Readonly<Record<CoverageName, 'row' | 'column'>>;

/** Cells of one table that a run aims at: one state, answer or fault, and the other side of these cells. */
export interface CellAim {
  readonly table: CoverageName;
  /** Their common side: a model, the state of a card, a fault. */
  readonly led: string;
  /** The other side of each: commands, problems, states of the run. */
  readonly others: readonly string[];
}

/** How the steps towards cells are drawn, and which cells steps can aim at. */
export type CanLead = (table: CoverageName, led: string, other: string) => boolean;

/**
 * The cells that the runs of a swarm have not met yet, so that later runs aim at them. Runs are drawn ahead of
 * running ones: a met cell counts from the round after the next, which does not depend on the number of jobs.
 */
export class UnmetCells {
  readonly #canLead: CanLead;
  /** Cells by the round in which they were met first. */
  readonly #metIn = new Map<string, number>();
  readonly #tries = new Map<string, number>();

  constructor(canLead: CanLead) {
    this.#canLead = canLead;
  }

  /** A run, from 1, has met these cells: `model/lock-central-lock/estate`. */
  note(run: number, cells: readonly string[]): void {
    for (const cell of cells) if (!this.#metIn.has(cell)) this.#metIn.set(cell, roundOf(run));
  }

  /** The aims of a run; none for the first rounds, before any results. Must be called once a run, in order. */
  aimsOf(run: number, source: RandomSource): readonly CellAim[] {
    const known = roundOf(run) - 2;
    if (known < 0) return [];
    const all = this.#aims(known);
    const aims: CellAim[] = [];
    while (aims.length < exploreLimits.mostCellAims) {
      const open = all.filter((aim) => !aims.some((one) => one.table === aim.table));
      const fewest = Math.min(...open.map((aim) => this.#triesOf(aim)));
      const among = open.filter((aim) => this.#triesOf(aim) === fewest);
      const chosen = among[source.whole(0, among.length - 1)];
      if (chosen === undefined) break;
      this.#tries.set(keyOf(chosen), fewest + 1);
      aims.push({ ...chosen, others: some(source, chosen.others) });
    }
    return aims;
  }

  /** All reachable cells that no run had met by the end of that round. */
  #aims(round: number): readonly CellAim[] {
    return COVERAGE_NAMES.flatMap((table) => {
      const { rows, columns } = COVERAGE[table] as { rows: readonly string[]; columns: readonly string[] };
      const isByRow = LED_BY[table] === 'row';
      const unmet = cellsOf(table).flatMap(({ row, column }) => {
        const [led, other] = isByRow ? [row, column] : [column, row];
        const isMet = (this.#metIn.get(`${table}/${row}/${column}`) ?? round + 1) <= round;
        return isMet || !this.#canLead(table, led, other) ? [] : [{ led, other }];
      });
      const byLed = Map.groupBy(unmet, ({ led }) => led);
      return (isByRow ? rows : columns).flatMap((led): readonly CellAim[] => {
        const others = (byLed.get(led) ?? []).map(({ other }) => other);
        return others.length === 0 ? [] : [{ table, led, others }];
      });
    });
  }

  #triesOf(aim: CellAim): number {
    return this.#tries.get(keyOf(aim)) ?? 0;
  }
}

function keyOf({ table, led }: CellAim): string {
  return `${table}/${led}`;
}

/** From 0. */
function roundOf(run: number): number {
  return Math.floor((run - 1) / exploreLimits.coverageRound);
}

/** A few of them, each equally likely. */
function some(source: RandomSource, names: readonly string[]): readonly string[] {
  const left = [...names];
  const kept: string[] = [];
  while (left.length > 0 && kept.length < exploreLimits.mostCellsAnAim)
    kept.push(...left.splice(source.whole(0, left.length - 1), 1));
  return kept;
}
