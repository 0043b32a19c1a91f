import { partitionOf } from '../../../protocol/partitions.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Fact } from '../../evidence/fact.ts';
import type { PartitionHistory } from '../../evidence/partition-history.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { limits } from '../limits.ts';

/** The parts of a run that this reads. */
interface RetryParts {
  readonly facts: readonly Fact[];
  /** The number of missing facts of the run: above 0, any event of boxes may have happened. */
  readonly factsDropped: number;
  readonly evidence: Pick<Evidence, 'partitions'>;
  readonly vehicles: readonly SimulatedVehicle[];
}

/**
 * The moments at which a vehicle of a job may be tried without a wait: its box connects, its partition has a new
 * holder, or the service was down or blocked, and checks everything that it missed.
 */
export class RetryTimes {
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
    /** How long after its end it may still delay messages. */
    readonly afterMs: number;
  }[] = [];
  /** The times at which boxes became ready, and those of boxes that still are. */
  readonly #readySince = new Map<number, { readonly sinceMs: number; untilMs: number }[]>();

  /** No fact of the run is missing. Otherwise any event of boxes may have happened. */
  readonly #isWhole: boolean;

  constructor({ facts, factsDropped, evidence, vehicles }: RetryParts) {
    const partitions = evidence.partitions();
    this.#isWhole = factsDropped === 0 && partitions?.isWhole !== false;
    for (const fact of facts) this.#add(fact);
    if (partitions !== undefined) this.#addTaken(partitions, vehicles);
  }

  /** The new holder of a partition checks everything that was missed there. */
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
    const afterMs = OVER_AT_ONCE.has(name) ? 0 : limits.retryOnConnectMs;
    const fault = { name, fromMs: atMs, untilMs, vehicles, afterMs };
    this.#faults.push(fault);
    if (phase === 'begins') putInto(this.#open, `${name} ${detail}`, fault);
  }

  readonly #open = new Map<string, { untilMs: number }[]>();

  /** How many there were for the vehicle between these times; events in progress take effect later. */
  count({ number }: SimulatedVehicle, fromMs: number, untilMs: number): number {
    if (!this.#isWhole) return Number.POSITIVE_INFINITY;
    const isWithin = (atMs: number) => atMs >= fromMs - limits.retryOnConnectMs && atMs <= untilMs;
    return this.#ofAll.filter(isWithin).length + (this.#ofVehicles.get(number)?.filter(isWithin).length ?? 0);
  }

  /** Whether there was a fault between these times that may block the service or the vehicle's box. */
  isDisturbed({ number }: SimulatedVehicle, fromMs: number, untilMs: number): boolean {
    return (
      !this.#isWhole ||
      this.#ofAll.some((atMs) => atMs >= fromMs - limits.retryOnConnectMs && atMs <= untilMs) ||
      this.#faults.some(
        (fault) =>
          fault.fromMs <= untilMs &&
          fault.untilMs >= fromMs - fault.afterMs &&
          (fault.vehicles.length === 0 || fault.vehicles.includes(number)),
      )
    );
  }

  /** Whether the service was blocked between these times, whatever the state of the box. */
  isServiceDisturbed(fromMs: number, untilMs: number): boolean {
    return (
      this.#ofAll.some((atMs) => atMs >= fromMs - limits.retryOnConnectMs && atMs <= untilMs) ||
      this.#faults.some(
        (fault) =>
          fault.vehicles.length === 0 &&
          fault.fromMs <= untilMs &&
          fault.untilMs >= fromMs - limits.retryOnConnectMs,
      )
    );
  }

  /**
   * Whether an attempt in progress throughout that time may have ended without an answer: its box left, a backend went
   * down, or a fault occurred in between. A starting backend ends none; nor do slow frames.
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

  /** Since when the box is continuously ready, at this time; undefined: it is not. */
  readySince({ number }: SimulatedVehicle, atMs: number): number | undefined {
    return this.#readySince.get(number)?.find(({ sinceMs, untilMs }) => sinceMs <= atMs && untilMs > atMs)
      ?.sinceMs;
  }
}

/** Faults that only delay frames, and those that are reported as a backend going down. */
const ENDS_NOTHING: ReadonlySet<string> = new Set([
  'weather latency',
  'weather bandwidth',
  'backend crash',
  'backend restart',
  'backend wake_ups_lost',
  'backend wake_ups_late',
]);

/** Without coverage nothing is in transit, and a box that is ready again has no such delay left. */
const OVER_AT_ONCE: ReadonlySet<string> = new Set(['weather coverage']);

function putInto<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
