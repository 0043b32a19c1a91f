import { PROBLEMS } from '../../contract/problems.ts';
import type { Fact, VehicleNumber } from '../../judge/evidence/fact.ts';
import type { SimulatedVehicle } from '../../judge/evidence/simulated-vehicle.ts';
import type { RunObserver } from '../run/options.ts';
import type { WatchedFault } from '../testbed/port/watched-fault.ts';
import { type FaultFact, MetFaults, meets } from './met-faults.ts';
import { type CoverageName, GOOD, NO_FAULT, type Phase, UNANSWERED } from './tables.ts';

type Start = Parameters<RunObserver['onStart']>[0];
type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>;

const NAME_OF_PROBLEM = new Map<string, string>(
  Object.entries(PROBLEMS).map(([name, { type }]) => [type, name]),
);

interface OpenCall {
  readonly what: string;
  readonly vehicle: VehicleNumber | undefined;
  readonly askedMs: number;
}

/**
 * The state of one run: open calls, active faults, sessions and journals. Reports each cell that it meets to `meet`,
 * also one that no table has.
 */
export class RunCoverage {
  readonly #meet: (table: CoverageName, row: string, column: string) => void;
  readonly #vehicles = new Map<VehicleNumber, SimulatedVehicle>();
  readonly #calls = new Map<number, OpenCall>();
  readonly #faults = new MetFaults();
  readonly #sessions = new Map<VehicleNumber, FactOf<'connectivity'>['state']>();
  readonly #held = new Map<VehicleNumber, number>();
  #testbed: Start | undefined;
  /** The subject of the next fact. */
  #watched: WatchedFault | undefined;

  constructor(meet: (table: CoverageName, row: string, column: string) => void) {
    this.#meet = meet;
  }

  start(testbed: Start): void {
    this.#testbed = testbed;
    for (const vehicle of testbed.vehicles) this.#vehicles.set(vehicle.number, vehicle);
    testbed.watchFaults((fault) => {
      this.#watched = fault;
    });
  }

  /** The names of the active faults that have had an effect. */
  inForce(): readonly string[] {
    this.#look(this.#testbed?.time.nowMs() ?? 0);
    return this.#faults.lasting();
  }

  note(fact: Fact): void {
    // Messages are many, and do not change the state.
    if (fact.kind === 'message') return;
    this.#look(fact.atMs);
    switch (fact.kind) {
      case 'connectivity':
        this.#sessions.set(fact.vehicle, fact.state);
        return;
      case 'journal':
        this.#held.set(fact.vehicle, fact.held);
        return;
      case 'call':
        this.#calls.set(fact.call, { what: fact.what, vehicle: fact.vehicle, askedMs: fact.atMs });
        this.#noteCommand(fact);
        return;
      case 'answer':
        this.#noteAnswer(fact);
        return;
      case 'fault':
        this.#forget(fact.atMs);
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
    // The tables are for boxes: a maker's car has no box with a state, and a model of its maker's.
    if (planned.boxId === undefined) return;
    this.#meet('model', command, planned.model);
    const { belief } = this.#testbed.snapshotOf(planned);
    this.#meet('firmware', command, `${String(belief['firmware']).slice(0, 3)}x`);
    this.#meet('sim', command, String(belief['sim']));
    this.#meet('power', command, String(belief['power']));
    this.#meet('workshop', command, belief['workshopMode'] === true ? 'on' : 'off');
    this.#meet('connectivity', command, this.#sessions.get(planned.number) ?? 'off');
  }

  /** Anything active between a call and its answer may be the reason of a refusal. */
  #noteAnswer({ call, status, problem, vehicle, atMs }: FactOf<'answer'>): void {
    const { what = '', askedMs = atMs } = this.#calls.get(call) ?? {};
    this.#calls.delete(call);
    const command = commandOf(what);
    const name = problem === undefined ? undefined : NAME_OF_PROBLEM.get(problem);
    if (command !== undefined) this.#meet('problem', command, name ?? answerOf(status));
    if (name === undefined) return;
    const causes = this.#faults.since(askedMs, vehicle);
    if (causes.length === 0) this.#meet('cause', name, NO_FAULT);
    for (const cause of new Set(causes.map((fault) => fault.name))) this.#meet('cause', name, cause);
  }

  /** Drops what was over before the oldest open call. */
  #forget(nowMs: number): void {
    // Calls are in the order in which they were made.
    const [oldest] = this.#calls.values();
    this.#faults.forget(oldest?.askedMs ?? nowMs);
  }

  #noteFault(fact: FaultFact): void {
    if (fact.phase === 'ends') {
      this.#faults.ends(fact);
      return;
    }
    this.#faults.begins({ fact, phase: this.#underWay(fact), watched: this.#watched });
    this.#watched = undefined;
    this.#look(fact.atMs);
  }

  /** Only facts change the state: between two facts it is as it was at the first effect of a fault. */
  #look(nowMs: number): void {
    for (const { fact, phase = this.#underWay(fact) } of this.#faults.look(nowMs))
      this.#meet('phase', fact.name, phase);
  }

  #underWay(fault: FaultFact): Phase {
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

/** An answer without a problem of the service. Another refusal is a column that no table has. */
function answerOf(status: number): string {
  if (status === 0) return UNANSWERED;
  return status < 400 ? GOOD : String(status);
}

function commandOf(what: string): string | undefined {
  return what.startsWith('command ') ? what.slice('command '.length) : undefined;
}
