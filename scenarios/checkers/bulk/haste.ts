import { partitionOf } from '../../../protocol/partitions.ts';
import type { Fact } from '../../run/fact.ts';
import type { Evidence } from '../../testbed/port/evidence.ts';
import type { PartitionHistory } from '../../testbed/port/partition-history.ts';
import type { SimulatedVehicle } from '../../testbed/port/simulated-vehicle.ts';
import { limits } from '../limits.ts';

/** What of a run is looked at for it. */
interface HasteParts {
  readonly facts: readonly Fact[];
  /** So many facts of the run are missing: everything may have been, of boxes. */
  readonly factsDropped: number;
  readonly evidence: Pick<Evidence, 'partitions'>;
  readonly vehicles: readonly SimulatedVehicle[];
}

/**
 * The moments at which a vehicle of a job may be tried without a wait: its box connects, its partition has a new holder, or
 * the service was down, or could not work, and looks at all that it has missed.
 */
export class Haste {
  readonly #ofVehicles = new Map<number, number[]>();
  readonly #ofAll: number[] = [];
  /** When a backend went down, and when the session of a box came or ended. */
  readonly #downs: number[] = [];
  readonly #changes = new Map<number, number[]>();
  /** From the beginning of each fault to its end, in milliseconds. */
  readonly #faults: {
    readonly name: string;
    readonly fromMs: number;
    untilMs: number;
    readonly vehicles: readonly number[];
    /** How long after its end it may still keep something from its way. */
    readonly afterMs: number;
  }[] = [];
  /** The times at which boxes came to be ready, and of those that are still so. */
  readonly #readySince = new Map<number, { readonly sinceMs: number; untilMs: number }[]>();

  /** No fact of the run is missing. Otherwise everything may have been, of boxes. */
  readonly #isWhole: boolean;

  constructor({ facts, factsDropped, evidence, vehicles }: HasteParts) {
    const partitions = evidence.partitions();
    this.#isWhole = factsDropped === 0 && partitions?.isWhole !== false;
    for (const fact of facts) this.#add(fact);
    if (partitions !== undefined) this.#addTaken(partitions, vehicles);
  }

  /** Whoever takes a partition looks at all that was missed there. */
  #addTaken({ events }: PartitionHistory, vehicles: readonly SimulatedVehicle[]): void {
    const taken = new Map<number, number[]>();
    for (const { what, partition, atMs } of events) if (what === 'taken') putInto(taken, partition, atMs);
    for (const { number, boxId } of vehicles)
      if (boxId !== undefined)
        for (const atMs of taken.get(partitionOf(boxId)) ?? []) putInto(this.#ofVehicles, number, atMs);
  }

  #add(fact: Fact): void {
    const { atMs } = fact;
    if (fact.kind === 'service') {
      this.#ofAll.push(atMs);
      if (fact.state === 'down') this.#downs.push(atMs);
    }
    if (fact.kind === 'fault') this.#addFault(fact);
    else if (fact.kind === 'connectivity') {
      const { vehicle, state } = fact;
      putInto(this.#ofVehicles, vehicle, atMs);
      putInto(this.#changes, vehicle, atMs);
      const last = this.#readySince.get(vehicle)?.at(-1);
      if (last !== undefined && last.untilMs === Number.POSITIVE_INFINITY) last.untilMs = atMs;
      if (state === 'ready')
        putInto(this.#readySince, vehicle, { sinceMs: atMs, untilMs: Number.POSITIVE_INFINITY });
    }
  }

  #addFault({ atMs, name, detail, phase, vehicles }: Extract<Fact, { kind: 'fault' }>): void {
    if (vehicles.length === 0) this.#ofAll.push(atMs);
    else for (const vehicle of vehicles) putInto(this.#ofVehicles, vehicle, atMs);
    if (phase === 'ends') {
      const key = `${name} ${detail}`;
      const open = this.#open.get(key)?.shift();
      if (open !== undefined) open.untilMs = atMs;
      return;
    }
    const untilMs = phase === 'happens' ? atMs : Number.POSITIVE_INFINITY;
    const afterMs = OVER_AT_ONCE.has(name) ? 0 : limits.bulkHasteMs;
    const fault = { name, fromMs: atMs, untilMs, vehicles, afterMs };
    this.#faults.push(fault);
    if (phase === 'begins') putInto(this.#open, `${name} ${detail}`, fault);
  }

  readonly #open = new Map<string, { untilMs: number }[]>();

  /** How many there were for the vehicle between these times; what is under way takes effect a while later. */
  count({ number }: SimulatedVehicle, fromMs: number, untilMs: number): number {
    if (!this.#isWhole) return Number.POSITIVE_INFINITY;
    const isWithin = (atMs: number) => atMs >= fromMs - limits.bulkHasteMs && atMs <= untilMs;
    return this.#ofAll.filter(isWithin).length + (this.#ofVehicles.get(number)?.filter(isWithin).length ?? 0);
  }

  /** Whether anything was broken between these times that may keep the service, or the vehicle's box, from its work. */
  isDisturbed({ number }: SimulatedVehicle, fromMs: number, untilMs: number): boolean {
    return (
      !this.#isWhole ||
      this.#ofAll.some((atMs) => atMs >= fromMs - limits.bulkHasteMs && atMs <= untilMs) ||
      this.#faults.some(
        (fault) =>
          fault.fromMs <= untilMs &&
          fault.untilMs >= fromMs - fault.afterMs &&
          (fault.vehicles.length === 0 || fault.vehicles.includes(number)),
      )
    );
  }

  /** Whether the service was kept from its work between these times, whatever the box was. */
  isServiceDisturbed(fromMs: number, untilMs: number): boolean {
    return (
      this.#ofAll.some((atMs) => atMs >= fromMs - limits.bulkHasteMs && atMs <= untilMs) ||
      this.#faults.some(
        (fault) =>
          fault.vehicles.length === 0 &&
          fault.fromMs <= untilMs &&
          fault.untilMs >= fromMs - limits.bulkHasteMs,
      )
    );
  }

  /**
   * Whether an attempt that was under way in all of that time may have ended without an answer: its box left, a backend went
   * down, or something was broken in between. A backend that starts ends none; nor do frames that take long.
   */
  mayHaveBrokenOff({ number }: SimulatedVehicle, fromMs: number, untilMs: number): boolean {
    const isWithin = (atMs: number) => atMs >= fromMs - limits.brokenOffMs && atMs <= untilMs;
    return (
      !this.#isWhole ||
      this.#downs.some(isWithin) ||
      (this.#changes.get(number) ?? []).some(isWithin) ||
      this.#faults.some(
        ({ name, vehicles, ...fault }) =>
          !ENDS_NOTHING.has(name) &&
          (vehicles.length === 0 || vehicles.includes(number)) &&
          fault.fromMs <= untilMs &&
          fault.untilMs >= fromMs - limits.brokenOffMs,
      )
    );
  }

  /** Since when the box is ready without a break, at this time; undefined: it is not. */
  readySince({ number }: SimulatedVehicle, atMs: number): number | undefined {
    return this.#readySince.get(number)?.find(({ sinceMs, untilMs }) => sinceMs <= atMs && untilMs > atMs)
      ?.sinceMs;
  }
}

/** What slows frames alone, and what is told as the going down of a backend. */
const ENDS_NOTHING: ReadonlySet<string> = new Set([
  'weather latency',
  'weather bandwidth',
  'backend crash',
  'backend restart',
  'backend wake_ups_lost',
  'backend wake_ups_late',
]);

/** Without coverage nothing is under way, and a box that is ready again has none of it left. */
const OVER_AT_ONCE: ReadonlySet<string> = new Set(['weather coverage']);

function putInto<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
