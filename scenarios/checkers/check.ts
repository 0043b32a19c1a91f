import type { Scenario } from '../language/document/scenario.ts';
import type { CheckerFinding, Fact } from '../run/fact.ts';
import type { PendingAfterHeal } from '../run/heal.ts';
import type { Evidence } from '../testbed/port/evidence.ts';
import type { SimulatedVehicle } from '../testbed/port/simulated-vehicle.ts';
import type { Testbed } from '../testbed/port/testbed.ts';

/** What a checker may read. All of it is read after the time to heal. */
export interface CheckScope {
  readonly scenario: Scenario;
  readonly vehicles: readonly SimulatedVehicle[];
  readonly evidence: Evidence;
  readonly testbed: Pick<Testbed, 'ask' | 'snapshotOf' | 'world' | 'fleetId' | 'time'>;
  readonly facts: readonly Fact[];
  /** How many older facts were let go of: above 0, a fact that is missing proves nothing. */
  readonly factsDropped: number;
  /** What stayed pending through the whole time to heal. */
  readonly unhealed: readonly PendingAfterHeal[];
}

export interface CheckerResult {
  /** At most `limits.findings` of each kind are listed; the rest is counted. */
  readonly findings: readonly Omit<CheckerFinding, 'checker'>[];
  /** What was compared: `812 records, 790 messages`. */
  readonly seen: string;
}

/** One checker. It reads and compares, and changes nothing. */
export type Checker = (scope: CheckScope) => Promise<CheckerResult>;
