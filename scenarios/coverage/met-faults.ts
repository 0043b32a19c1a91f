import type { Fact, VehicleNumber } from '../run/fact.ts';
import { limits } from './limits.ts';

export type FaultFact = Extract<Fact, { readonly kind: 'fault' }>;

/** A fault that has struck. */
interface MetFault {
  readonly fact: FaultFact;
  /** Until when it counts for what comes after; undefined: it lasts. */
  untilMs: number | undefined;
}

/** A crash that comes once the backend is at that point. */
interface ArmedCrash {
  readonly fact: FaultFact;
  readonly point: string;
  /** Of several backends only this one. */
  readonly which: number | undefined;
}

/** The reason that the service tells when it died at a point; with several backends also which one. */
const CRASHED_AT = /^it crashed: (\S+)(?: \(backend (\d+)\))?$/;

/**
 * The faults of one run, and when each was in force. A crash at a point of the backend is in force from when the backend
 * comes there, and not from when it is armed: there may be no such moment.
 */
export class MetFaults {
  #met: MetFault[] = [];
  readonly #armed: ArmedCrash[] = [];

  /** A fault is told of. Returns whether it strikes with this. */
  note(fact: FaultFact): boolean {
    if (fact.phase === 'ends') {
      this.#end(fact);
      return false;
    }
    const armed = armedBy(fact);
    if (armed === undefined) this.#strike(fact, fact.atMs);
    else this.#armed.push(armed);
    return armed === undefined;
  }

  /** The service went down for this reason. Returns the crash that was armed for it; undefined: none was. */
  wentDown(atMs: number, reason: string): FaultFact | undefined {
    const [, point, backend] = CRASHED_AT.exec(reason) ?? [];
    const at = this.#armed.findIndex(
      (one) =>
        one.point === point &&
        (one.which === undefined || backend === undefined || one.which === Number(backend)),
    );
    const [armed] = at < 0 ? [] : this.#armed.splice(at, 1);
    if (armed !== undefined) this.#strike(armed.fact, atMs);
    return armed?.fact;
  }

  /** What was in force at any time from `fromMs` to now, or happened at once then or shortly before, to this vehicle. */
  since(fromMs: number, vehicle: VehicleNumber | undefined): readonly FaultFact[] {
    return this.#met.flatMap(({ fact, untilMs }) =>
      (untilMs === undefined || untilMs >= fromMs) && meets(fact, vehicle) ? [fact] : [],
    );
  }

  /** Forgets what was over by then: nobody asks for it any more. */
  forget(beforeMs: number): void {
    this.#met = this.#met.filter(({ untilMs }) => untilMs === undefined || untilMs >= beforeMs);
  }

  /** The names of those that last. */
  lasting(): readonly string[] {
    return [...new Set(this.#met.flatMap(({ fact, untilMs }) => (untilMs === undefined ? [fact.name] : [])))];
  }

  #strike(fact: FaultFact, atMs: number): void {
    const untilMs = fact.phase === 'happens' ? atMs + limits.afterAtOnceMs : undefined;
    this.#met.push({ fact, untilMs });
  }

  #end(ending: FaultFact): void {
    const met = this.#met.find(({ fact, untilMs }) => untilMs === undefined && isSame(fact, ending));
    if (met !== undefined) {
      met.untilMs = ending.atMs;
      return;
    }
    const at = this.#armed.findIndex(({ fact }) => isSame(fact, ending));
    if (at >= 0) this.#armed.splice(at, 1);
  }
}

/** Faults of the service and of brokers meet every vehicle. */
export function meets({ vehicles }: FaultFact, vehicle: VehicleNumber | undefined): boolean {
  return vehicles.length === 0 || (vehicle !== undefined && vehicles.includes(vehicle));
}

function isSame(one: FaultFact, other: FaultFact): boolean {
  return (
    one.name === other.name && one.detail === other.detail && one.vehicles.join() === other.vehicles.join()
  );
}

/** The crash that this arms; undefined: what it tells of strikes at once. */
function armedBy(fact: FaultFact): ArmedCrash | undefined {
  if (fact.name !== 'backend crash') return undefined;
  const { point, which } = JSON.parse(fact.detail) as { readonly point?: string; readonly which?: number };
  return point === undefined ? undefined : { fact, point, which };
}
