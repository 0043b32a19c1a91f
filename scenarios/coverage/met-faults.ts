import type { Fact, VehicleNumber } from '../run/fact.ts';
import type { WatchedFault } from '../testbed/port/watched-fault.ts';
import { limits } from './limits.ts';
import type { Phase } from './tables.ts';

export type FaultFact = Extract<Fact, { readonly kind: 'fault' }>;

/** A fault that was told of, and what was under way then. */
interface ToldFault {
  readonly fact: FaultFact;
  readonly phase: Phase;
  /** Undefined: nobody can be asked, and it strikes as it is told. */
  readonly watched: WatchedFault | undefined;
}

/** A fault that has struck. */
interface MetFault extends ToldFault {
  /** Until when it counts for what comes after; undefined: it lasts. */
  untilMs: number | undefined;
}

/** A fault that has struck since the last look. */
export interface StruckFault {
  readonly fact: FaultFact;
  /** What was under way as it was laid, where it struck with that; undefined: what is under way now. */
  readonly phase: Phase | undefined;
}

/** The faults of one run, and when each was in force: from when it has struck until its end. */
export class MetFaults {
  #met: MetFault[] = [];
  /** Those that have not struck so far. */
  #waiting: ToldFault[] = [];

  /** A fault was told of, with what was under way then. It may have struck by the next look. */
  begins(told: ToldFault): void {
    this.#waiting.push(told);
  }

  /** A fault was taken back. A look comes before; what has not struck by then was forgotten with it. */
  ends(fact: FaultFact): void {
    const met = this.#met.find((one) => one.untilMs === undefined && isEnding(one, fact));
    if (met !== undefined) met.untilMs = fact.atMs;
  }

  /** Which have struck since the last look. Nothing that tells what is under way may have changed between the two. */
  look(nowMs: number): readonly StruckFault[] {
    if (this.#waiting.length === 0) return [];
    const struck: StruckFault[] = [];
    this.#waiting = this.#waiting.filter((told) => {
      const { fact, phase, watched } = told;
      const strike = watched?.strike ?? 'as-laid';
      if (strike === 'being-laid') return true;
      if (strike === 'not-yet') return watched?.isOver !== true;
      const sinceMs = strike === 'as-laid' ? fact.atMs : nowMs;
      const untilMs = fact.phase === 'happens' ? sinceMs + limits.afterAtOnceMs : undefined;
      this.#met.push({ ...told, untilMs });
      struck.push({ fact, phase: strike === 'as-laid' ? phase : undefined });
      return false;
    });
    return struck;
  }

  /** What was in force at any time from `fromMs` to now, or happened at once then or shortly before, to this vehicle. */
  since(fromMs: number, vehicle: VehicleNumber | undefined): readonly FaultFact[] {
    const met = this.#met.filter(({ untilMs }) => untilMs === undefined || untilMs >= fromMs);
    // Calls that it ends are answered while it is being laid.
    const begun = this.#waiting.filter(({ watched }) => watched?.strike === 'being-laid');
    return [...met, ...begun].flatMap(({ fact }) => (meets(fact, vehicle) ? [fact] : []));
  }

  /** Forgets what was over by then: nobody asks for it any more. */
  forget(beforeMs: number): void {
    this.#met = this.#met.filter(({ untilMs }) => untilMs === undefined || untilMs >= beforeMs);
  }

  /** The names of those that last. */
  lasting(): readonly string[] {
    return [...new Set(this.#met.flatMap(({ fact, untilMs }) => (untilMs === undefined ? [fact.name] : [])))];
  }
}

/** Faults of the service and of brokers meet every vehicle. */
export function meets({ vehicles }: FaultFact, vehicle: VehicleNumber | undefined): boolean {
  return vehicles.length === 0 || (vehicle !== undefined && vehicles.includes(vehicle));
}

/** Whether this end may be that of the fault. */
function isEnding({ fact, watched }: ToldFault, end: FaultFact): boolean {
  return (
    watched?.isOver !== false &&
    fact.name === end.name &&
    fact.detail === end.detail &&
    fact.vehicles.join() === end.vehicles.join()
  );
}
