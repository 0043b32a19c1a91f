import { PROBLEMS } from '../../backend/http/problem.ts';
import type { Fact, VehicleNumber } from '../run/fact.ts';
import type { RunObserver } from '../run/options.ts';
import type { SimulatedVehicle } from '../testbed/port/simulated-vehicle.ts';
import {
  COVERAGE,
  COVERAGE_NAMES,
  type CoverageName,
  type CoverageTable,
  GOOD,
  NO_FAULT,
  type Phase,
  UNANSWERED,
} from './tables.ts';

/** How often each cell was met: by table, row and column. Every cell is there, also with 0. */
export type CoverageCounts = Readonly<
  Record<CoverageName, Readonly<Record<string, Readonly<Record<string, number>>>>>
>;

type Start = Parameters<RunObserver['onStart']>[0];
type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>;

const NAME_OF_PROBLEM = new Map<string, string>(
  Object.entries(PROBLEMS).map(([name, { type }]) => [type, name]),
);

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

interface OpenCall {
  readonly what: string;
  readonly vehicle: VehicleNumber | undefined;
}

/** What is under way in one run: calls without an answer, faults in force, sessions and journals. */
class RunCoverage {
  readonly #meet: (table: CoverageName, row: string, column: string) => void;
  readonly #vehicles = new Map<VehicleNumber, SimulatedVehicle>();
  readonly #calls = new Map<number, OpenCall>();
  readonly #faults = new Map<string, FactOf<'fault'>>();
  readonly #sessions = new Map<VehicleNumber, FactOf<'connectivity'>['state']>();
  readonly #held = new Map<VehicleNumber, number>();
  #testbed: Start | undefined;

  constructor(meet: (table: CoverageName, row: string, column: string) => void) {
    this.#meet = meet;
  }

  start(testbed: Start): void {
    this.#testbed = testbed;
    for (const vehicle of testbed.vehicles) this.#vehicles.set(vehicle.number, vehicle);
  }

  inForce(): readonly string[] {
    return [...new Set([...this.#faults.values()].map(({ name }) => name))];
  }

  note(fact: Fact): void {
    switch (fact.kind) {
      case 'connectivity':
        this.#sessions.set(fact.vehicle, fact.state);
        return;
      case 'journal':
        this.#held.set(fact.vehicle, fact.held);
        return;
      case 'call':
        this.#calls.set(fact.call, { what: fact.what, vehicle: fact.vehicle });
        this.#noteCommand(fact);
        return;
      case 'answer':
        this.#noteAnswer(fact);
        return;
      case 'fault':
        this.#noteFault(fact);
        return;
      default:
        return;
    }
  }

  #noteCommand({ what, vehicle }: FactOf<'call'>): void {
    const planned = vehicle === undefined ? undefined : this.#vehicles.get(vehicle);
    const command = commandOf(what);
    if (planned === undefined || command === undefined || this.#testbed === undefined) return;
    this.#meet('model', command, planned.model);
    const { belief } = this.#testbed.snapshotOf(planned);
    this.#meet('firmware', command, `${String(belief['firmware']).slice(0, 3)}x`);
    this.#meet('sim', command, String(belief['sim']));
    this.#meet('power', command, String(belief['power']));
    this.#meet('workshop', command, belief['workshopMode'] === true ? 'on' : 'off');
    this.#meet('connectivity', command, this.#sessions.get(planned.number) ?? 'off');
  }

  #noteAnswer({ call, status, problem, vehicle }: FactOf<'answer'>): void {
    const command = commandOf(this.#calls.get(call)?.what ?? '');
    this.#calls.delete(call);
    const name = problem === undefined ? undefined : NAME_OF_PROBLEM.get(problem);
    if (command !== undefined) this.#meet('problem', command, name ?? (status === 0 ? UNANSWERED : GOOD));
    if (name === undefined) return;
    const inForce = [...this.#faults.values()].filter((fault) => meets(fault, vehicle));
    if (inForce.length === 0) this.#meet('cause', name, NO_FAULT);
    for (const fault of inForce) this.#meet('cause', name, fault.name);
  }

  #noteFault(fact: FactOf<'fault'>): void {
    const key = `${fact.name} ${fact.detail} ${fact.vehicles.join()}`;
    if (fact.phase === 'ends') this.#faults.delete(key);
    else this.#meet('phase', fact.name, this.#underWay(fact));
    if (fact.phase === 'begins') this.#faults.set(key, fact);
  }

  #underWay(fault: FactOf<'fault'>): Phase {
    const calls = [...this.#calls.values()].filter(
      ({ vehicle }) => vehicle === undefined || meets(fault, vehicle),
    );
    const isOpen = (kind: string) => calls.some(({ what }) => what === kind || what.startsWith(`${kind} `));
    if (isOpen('command')) return 'a command';
    if (isOpen('configure') || isOpen('deactivate')) return 'a configuration';
    if (isOpen('bulk')) return 'a bulk job';
    if (calls.length > 0) return 'another call';
    const met = [...this.#vehicles.keys()].filter((number) => meets(fault, number));
    if (met.some((number) => this.#sessions.get(number) === 'connecting')) return 'connecting';
    return met.some((number) => (this.#held.get(number) ?? 0) > 0) ? 'frames without receipt' : 'nothing';
  }
}

/** Faults of the service and of brokers meet every vehicle. */
function meets({ vehicles }: FactOf<'fault'>, vehicle: VehicleNumber | undefined): boolean {
  return vehicles.length === 0 || (vehicle !== undefined && vehicles.includes(vehicle));
}

function commandOf(what: string): string | undefined {
  return what.startsWith('command ') ? what.slice('command '.length) : undefined;
}
