import type { CalledOperation } from '../../../contract/operations.ts';
import { PROBLEMS, REFUSAL_ORDER } from '../../../contract/problems.ts';
import type { AnsweredCall, Equipment, RecordedFrame } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import type { ConfigurationWrites } from '../configuration/configuration-writes.ts';
import type { SharingRecording } from '../sharing-recording.ts';
import type { PermissionsThen } from './client-history.ts';
import type { RunTimes } from './run-times.ts';

/** A call about one vehicle, or about none, with all that is known of it without the service. */
export interface GuardedCall extends CalledOperation {
  readonly call: AnsweredCall;
  readonly callerFleetId: string;
  /** Of the client, at the time of the call. */
  readonly permissions: PermissionsThen;
  readonly vehicle: SimulatedVehicle | undefined;
  readonly equipment: Equipment | undefined;
}

/** What rules read besides the call itself. */
export interface KnownRun {
  /** How many backends share the boxes. */
  readonly backends: number;
  readonly times: RunTimes;
  readonly sharing: SharingRecording;
  /** Every fleet that a vehicle may be shared with. */
  readonly partnerFleetIds: readonly string[];
  /** The ids of all vehicles of bulk jobs. */
  readonly inJobs: ReadonlySet<string>;
  readonly calls: readonly AnsweredCall[];
  readonly writes: ConfigurationWrites;
  /** Requests to the box, and its replies, oldest first. */
  readonly framesOf: (vehicle: SimulatedVehicle) => readonly RecordedFrame[];
  /** The largest clock error of its box in that time, in milliseconds. */
  readonly clockErrorMs: (vehicle: SimulatedVehicle, fromMs: number, toMs: number) => number;
  /** The physical truth; undefined: not kept. */
  readonly truthsBetween: (
    vehicle: SimulatedVehicle,
    fromMs: number,
    toMs: number,
  ) => readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** Whether a call must be refused with a problem. */
export type Verdict = 'must' | 'must not' | 'unknown';

/** One reason to refuse a call. */
export interface GuardRule {
  readonly name: string;
  /** The types of its problem. */
  readonly problems: readonly string[];
  verdict(guarded: GuardedCall, known: KnownRun): Verdict;
}

/** It must be, or must not be. */
export function exactly(isSo: boolean): Verdict {
  return isSo ? 'must' : 'must not';
}

const RANKS: readonly (readonly string[])[] = REFUSAL_ORDER.map((kinds) =>
  kinds.map((kind) => PROBLEMS[kind].type),
);

/** The rank of a problem by its type, in the order of refusals; one that has none comes last. */
export function rankOf(problem: string): number {
  const rank = RANKS.findIndex((types) => types.includes(problem));
  return rank < 0 ? RANKS.length : rank;
}
