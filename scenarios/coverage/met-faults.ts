import type { Fact, VehicleNumber } from '../../judge/evidence/fact.ts';
import { coverageLimits } from '../limits.ts';
import type { WatchedFault } from '../testbed/port/watched-fault.ts';
import type { Phase } from './tables.ts';

export type FaultFact = Extract<Fact, { readonly kind: 'fault' }>;

/** A fault with the phase of the run in which it was reported. */
interface ReportedFault {
  readonly fact: FaultFact;
  readonly phase: Phase;
  /** Undefined: its effect cannot be queried, and begins with the report. */
  readonly watched: WatchedFault | undefined;
}

/** A fault that has had an effect. */
interface MetFault extends ReportedFault {
  /** Until when it counts for later calls; undefined: it lasts. */
  untilMs: number | undefined;
}

/** A fault that has had an effect since the last poll. */
export interface EffectiveFault {
  readonly fact: FaultFact;
  /** The phase in which it was applied, if it had an immediate effect; undefined: the present phase. */
  readonly phase: Phase | undefined;
}

/** The faults of one run, and when each was active: from its first effect until its end. */
export class MetFaults {
  #met: MetFault[] = [];
  /** Those without an effect so far. */
  #waiting: ReportedFault[] = [];

  /** A fault was reported, in this phase. It may have an effect by the next poll. */
  begins(reported: ReportedFault): void {
    this.#waiting.push(reported);
  }

  /** A fault was removed. A poll precedes this; what had no effect by then is dropped in it. */
  ends(fact: FaultFact): void {
    const met = this.#met.find((one) => one.untilMs === undefined && isEnding(one, fact));
    if (met !== undefined) met.untilMs = fact.atMs;
  }

  /** Those that have had an effect since the last poll. The phase of the run must not have changed between the two. */
  look(nowMs: number): readonly EffectiveFault[] {
    if (this.#waiting.length === 0) return [];
    const effective: EffectiveFault[] = [];
    this.#waiting = this.#waiting.filter((reported) => {
      const { fact, phase, watched } = reported;
      const effect = watched?.effect ?? 'immediate';
      if (effect === 'applying') return true;
      if (effect === 'not-yet') return watched?.isOver !== true;
      const sinceMs = effect === 'immediate' ? fact.atMs : nowMs;
      const untilMs = fact.phase === 'happens' ? sinceMs + coverageLimits.afterAtOnceMs : undefined;
      this.#met.push({ ...reported, untilMs });
      effective.push({ fact, phase: effect === 'immediate' ? phase : undefined });
      return false;
    });
    return effective;
  }

  /** What was active for this vehicle at any time from `fromMs` to now, or was instantaneous then or shortly before. */
  since(fromMs: number, vehicle: VehicleNumber | undefined): readonly FaultFact[] {
    const met = this.#met.filter(({ untilMs }) => untilMs === undefined || untilMs >= fromMs);
    // Calls that it ends are answered while it is being applied.
    const applying = this.#waiting.filter(({ watched }) => watched?.effect === 'applying');
    return [...met, ...applying].flatMap(({ fact }) => (meets(fact, vehicle) ? [fact] : []));
  }

  /** Drops what was over by then, which no query needs any more. */
  forget(beforeMs: number): void {
    this.#met = this.#met.filter(({ untilMs }) => untilMs === undefined || untilMs >= beforeMs);
  }

  /** The names of the faults that last. */
  lasting(): readonly string[] {
    return [...new Set(this.#met.flatMap(({ fact, untilMs }) => (untilMs === undefined ? [fact.name] : [])))];
  }
}

/** Faults of the service and of brokers apply to every vehicle. */
export function meets({ vehicles }: FaultFact, vehicle: VehicleNumber | undefined): boolean {
  return vehicles.length === 0 || (vehicle !== undefined && vehicles.includes(vehicle));
}

/** Whether this end may belong to the fault. */
function isEnding({ fact, watched }: ReportedFault, end: FaultFact): boolean {
  return (
    watched?.isOver !== false &&
    fact.name === end.name &&
    fact.detail === end.detail &&
    fact.vehicles.join() === end.vehicles.join()
  );
}
