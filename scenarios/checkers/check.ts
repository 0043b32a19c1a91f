import type { Scenario } from '../language/scenario.ts';
import type { Evidence } from '../run/evidence.ts';
import type { Fact, Finding } from '../run/fact.ts';
import type { Unhealed } from '../run/heal.ts';
import type { Player, Theatre } from '../run/theatre.ts';

/** What a checker may look at: all of it is read after everything had its time to heal. */
export interface CheckScope {
  readonly scenario: Scenario;
  readonly players: readonly Player[];
  readonly evidence: Evidence;
  readonly theatre: Pick<Theatre, 'ask' | 'look' | 'world' | 'fleetId' | 'time'>;
  readonly facts: readonly Fact[];
  /** What was pending all through the time to heal. */
  readonly unhealed: readonly Unhealed[];
}

export interface Checked {
  /** At most `limits.findings` of a kind are told one by one. */
  readonly findings: readonly Omit<Finding, 'checker'>[];
  /** What was compared: `812 records, 790 messages`. */
  readonly seen: string;
}

/** One checker. Reads, compares, and finds; it changes nothing. */
export type Check = (scope: CheckScope) => Promise<Checked>;
