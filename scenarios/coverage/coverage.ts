import type { RunObserver } from '../run/options.ts';
import { RunCoverage } from './run-coverage.ts';
import { COVERAGE, COVERAGE_NAMES, type CoverageName, type CoverageTable } from './tables.ts';

/** How often each cell was met: by table, row and column. Contains every cell that can be met, also with 0. */
export type CoverageCounts = Readonly<
  Record<CoverageName, Readonly<Record<string, Readonly<Record<string, number>>>>>
>;

/** Counts what runs meet, each of which has its own watch. */
export class Coverage {
  readonly #counts: Record<string, Record<string, Record<string, number>>> = Object.fromEntries(
    COVERAGE_NAMES.map((name) => [name, emptyCells(name)]),
  );

  /** Watches one run for the cells that it meets, and counts them. */
  watch(): WatchedRun {
    return watched((table, row, column) => this.#meet(table, row, column));
  }

  counts(): CoverageCounts {
    return structuredClone(this.#counts) as CoverageCounts;
  }

  /** Ignores what no table has. Returns whether it is a cell. */
  #meet(table: CoverageName, row: string, column: string): boolean {
    const cells = this.#counts[table]?.[row];
    const count = cells?.[column];
    if (cells === undefined || count === undefined) return false;
    cells[column] = count + 1;
    return true;
  }
}

/** The cells that one run meets, without counts. */
export interface WatchedRun {
  readonly observer: RunObserver;
  /** The cells so far: `model/lock-central-lock/estate`. */
  cells(): readonly string[];
  /** The names of the active faults that have had an effect. */
  inForce(): readonly string[];
}

/** Watches one run for the cells that it meets. */
export function watchRun(): WatchedRun {
  // Builds the tables before the run, which has no time of its own for that.
  return watched(cellTest());
}

/** `meet` receives what a run meets, and returns whether that is a cell. */
function watched(meet: (table: CoverageName, row: string, column: string) => boolean): WatchedRun {
  const met = new Set<string>();
  const run = new RunCoverage((table, row, column) => {
    if (meet(table, row, column)) met.add(`${table}/${row}/${column}`);
  });
  return {
    observer: observerOf(run),
    cells: () => [...met],
    inForce: () => run.inForce(),
  };
}

/** How many cells all tables have. */
export function cellCount(): number {
  return COVERAGE_NAMES.reduce((sum, name) => sum + cellsOf(name).length, 0);
}

/** The cells of a table, row by row: what a run can meet. */
export function cellsOf(table: CoverageName): readonly { readonly row: string; readonly column: string }[] {
  const { rows, columns, has }: CoverageTable = COVERAGE[table];
  return rows.flatMap((row) =>
    columns.flatMap((column) => (has?.(row, column) === false ? [] : [{ row, column }])),
  );
}

function cellTest(): (table: CoverageName, row: string, column: string) => boolean {
  const cells = new Map(
    COVERAGE_NAMES.map((name) => {
      const rows = Map.groupBy(cellsOf(name), ({ row }) => row);
      return [name, new Map([...rows].map(([row, of]) => [row, new Set(of.map(({ column }) => column))]))];
    }),
  );
  return (table, row, column) => cells.get(table)?.get(row)?.has(column) === true;
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
  const rows = Map.groupBy(cellsOf(name), ({ row }) => row);
  return Object.fromEntries(
    [...rows].map(([row, of]) => [row, Object.fromEntries(of.map(({ column }) => [column, 0]))]),
  );
}
