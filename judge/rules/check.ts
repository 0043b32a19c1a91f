import type { Time } from '../../world/time/time.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Fact } from '../evidence/fact.ts';
import type { SimulatedVehicle, VehicleSnapshot } from '../evidence/simulated-vehicle.ts';
import type { Verdict } from '../verdict.ts';

/** What a checker may read. All of it is read after the time to heal. */
export interface CheckScope {
  readonly plan: RunPlan;
  readonly vehicles: readonly SimulatedVehicle[];
  readonly evidence: Evidence;
  readonly testbed: {
    readonly time: Time;
    /** The fleet behind a name of the language: `own`, `partner`, `stranger`. */
    fleetId(name: string): string;
    /** The vehicle and its box as they are now. */
    snapshotOf(vehicle: SimulatedVehicle): VehicleSnapshot;
  };
  readonly facts: readonly Fact[];
  /** The number of dropped older facts: above 0, a missing fact proves nothing. */
  readonly factsDropped: number;
  /** What stayed pending throughout the time to heal. */
  readonly unhealed: readonly PendingAfterHeal[];
}

/** The setup of the run, besides its fleet. */
export interface RunPlan {
  /** Clients in addition to `owner`, `partner` and `stranger`. */
  readonly clients: readonly {
    readonly name: string;
    readonly fleet: string;
    /** Absent: every one. */
    readonly permissions?: readonly string[];
  }[];
  readonly backends: number;
  /** Calls a minute that each client may make; undefined: there is no limit. */
  readonly rateLimit: number | undefined;
  /** Some calls use a token that another client was given. */
  readonly sharesTokens: boolean;
  readonly healMs: number;
}

/** What was pending at every poll until the time to heal was over. */
export interface PendingAfterHeal {
  readonly what: string;
  readonly reason: string;
  readonly vehicle?: number;
}

/**
 * One checker. It reads and compares, and changes nothing. Its text states what it compared: `812 records, 790
 * messages`; a checker that compared nothing is `not-seen`. At most `limits.findings` of each kind are listed; the rest is counted.
 */
export type Checker = (scope: CheckScope) => Promise<Verdict>;
