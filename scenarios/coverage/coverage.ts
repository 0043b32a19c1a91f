import type { RunObserver } from '../run/options.ts';
import { RunCoverage } from './run-coverage.ts';
import { COVERAGE, COVERAGE_NAMES, type CoverageName, type CoverageTable } from './tables.ts';

/** How often each cell was met: by table, row and column. Every cell is there, also with 0. */
export type CoverageCounts = Readonly<
  Record<CoverageName, Readonly<Record<string, Readonly<Record<string, number>>>>>
>;

/** Counts what runs meet. Each run has an observer of its own. */
export class Coverage {
  readonly #counts: Record<string, Record<string, Record<string, number>>> = Object.fromEntries(
    COVERAGE_NAMES.map((name) => [name, emptyCells(name)]),
  );

  /** Listens to one run. */
  observer(): RunObserver {
    return observerOf(new RunCoverage((table, row, column) => this.#meet(table, row, column)));
  }

  counts(): CoverageCounts {
    return structuredClone(this.#counts) as CoverageCounts;
  }

  /** What no table has is left out: a call that is no command, a car of a maker. */
  #meet(table: CoverageName, row: string, column: string): void {
    const cells = this.#counts[table]?.[row];
    const count = cells?.[column];
    if (cells !== undefined && count !== undefined) cells[column] = count + 1;
  }
}

/** What one run meets, where only which cells and not how often. */
export interface WatchedRun {
  readonly observer: RunObserver;
  /** The cells so far: `model/lock-central-lock/estate`. */
  cells(): readonly string[];
  /** The names of the faults that are in force now. */
  inForce(): readonly string[];
}

/** Watches one run for the cells that it meets. */
export function watchRun(): WatchedRun {
  const met = new Set<string>();
  const run = new RunCoverage((table, row, column) => {
    if (isCell(table, row, column)) met.add(`${table}/${row}/${column}`);
  });
  return {
    observer: observerOf(run),
    cells: () => [...met],
    inForce: () => run.inForce(),
  };
}

/** How many cells all tables have. */
export function cellCount(): number {
  return COVERAGE_NAMES.reduce(
    (sum, name) => sum + COVERAGE[name].rows.length * COVERAGE[name].columns.length,
    0,
  );
}

function isCell(table: CoverageName, row: string, column: string): boolean {
  const { rows, columns }: CoverageTable = COVERAGE[table];
  return rows.includes(row) && columns.includes(column);
}

function observerOf(run: RunCoverage): RunObserver {
  return {
    onTraceLine: () => undefined,
    onStart: (testbed) => run.start(testbed),
    onFact: (fact) => run.note(fact),
  };
}

/** How many cells of a table were met, and how many it has. */
export function metCells(
  counts: CoverageCounts,
  table: CoverageName,
): { readonly met: number; readonly all: number } {
  const cells = Object.values(counts[table]).flatMap((row) => Object.values(row));
  return { met: cells.filter((count) => count > 0).length, all: cells.length };
}

function emptyCells(name: CoverageName): Record<string, Record<string, number>> {
  const { rows, columns } = COVERAGE[name];
  return Object.fromEntries(
    rows.map((row) => [row, Object.fromEntries(columns.map((column) => [column, 0]))]),
  );
}
