import type { AnsweredCall, Equipment, RecordedFrame } from '../../testbed/port/evidence.ts';
import type { SimulatedVehicle } from '../../testbed/port/simulated-vehicle.ts';
import type { ConfigurationWrites } from '../configuration/configuration-writes.ts';
import type { SharingRecording } from '../sharing-recording.ts';
import type { PermissionsThen } from './client-history.ts';
import type { Operation } from './operation.ts';
import type { RunTimes } from './run-times.ts';

/** A call about one vehicle, or about none, with all that is known of it without the service. */
export interface GuardedCall {
  readonly call: AnsweredCall;
  readonly operation: Operation;
  readonly callerFleetId: string;
  /** Of the client, at the time of the call. */
  readonly permissions: PermissionsThen;
  readonly vehicle: SimulatedVehicle | undefined;
  readonly equipment: Equipment | undefined;
}

/** What rules look at beyond the call itself. */
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
  /** The most by which the clock of its box was wrong in that time, in milliseconds. */
  readonly clockErrorMs: (vehicle: SimulatedVehicle, fromMs: number, toMs: number) => number;
  /** The physical truth; undefined: not kept. */
  readonly truthsBetween: (
    vehicle: SimulatedVehicle,
    fromMs: number,
    toMs: number,
  ) => readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** Whether a call is to be refused with a problem. */
export type Verdict = 'must' | 'must not' | 'unknown';

/** One reason to refuse a call. */
export interface GuardRule {
  readonly name: string;
  /** The types of its problem. */
  readonly problems: readonly string[];
  verdict(guarded: GuardedCall, known: KnownRun): Verdict;
}

/** Must be so, must not be so. */
export function exactly(isSo: boolean): Verdict {
  return isSo ? 'must' : 'must not';
}

const VEHICLE = '/problems/vehicle';

/** The order of refusals: of several, the first is told (docs/api.md, Problems). */
export const RANKS: readonly (readonly string[])[] = [
  ['/problems/method-not-allowed'],
  ['/problems/unsupported-media-type'],
  ['/problems/payload-too-large'],
  ['/problems/missing-credentials', '/problems/invalid-credentials'],
  ['/problems/forbidden-resource', '/problems/missing-permissions'],
  ['/problems/too-many-requests'],
  ['/problems/validation-error'],
  ['/problems/resource-not-found'],
  [`${VEHICLE}/conflicting-setup-status`],
  [`${VEHICLE}/shared-with-partner`],
  [`${VEHICLE}/command-not-supported`],
  [
    '/problems/incompatible-firmware-version',
    '/problems/incompatible-telematics-unit-model',
    '/problems/incompatible-installation-variant',
  ],
  ['/problems/resource-conflict'],
  ['/problems/conflicting-resource'],
  ['/problems/conflicting-operation', `${VEHICLE}/conflicting-command`],
  [`${VEHICLE}/conflicting-state`],
  ['/problems/third-party/error'],
  [`${VEHICLE}/no-connection`],
];

/** The rank of a problem; one that has none comes last. */
export function rankOf(problem: string): number {
  const rank = RANKS.findIndex((types) => types.includes(problem));
  return rank < 0 ? RANKS.length : rank;
}
