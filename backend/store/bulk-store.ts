import type { ProblemKind } from '../http/problem.ts';

/**
 * Bulk configuration: one row for a job, one for each of its vehicles with the time at which it is due. Whoever tries a
 * vehicle holds its row for a while (a lease), so that several backends share the work and a crash of one only delays
 * it. A vehicle is settled once: nothing changes its result afterwards.
 *
 * The rows are also written by two other transactions: the commit of a box's reply settles the vehicle of the attempt
 * that it answers as applied (`ConfigurationOrder.bulkJobId`), however late it comes; and the opening of a configuration
 * of somebody else overtakes what is pending for the same vehicle and feature.
 */
export interface BulkStore {
  /**
   * All or nothing. Pending vehicles of earlier jobs of the fleet with a feature in common are overtaken. Where the
   * fleet keeps as much as `room` is, its oldest completed jobs go; `full`: jobs that are not completed fill it.
   */
  create(job: NewBulkJob, room: BulkRoom): Promise<'created' | 'full'>;
  find(jobId: string): Promise<BulkJob | undefined>;
  /** By their place in the request, rising; `afterPosition` -1: from the start. */
  items(query: {
    readonly jobId: string;
    readonly afterPosition: number;
    readonly limit: number;
  }): Promise<readonly BulkItem[]>;
  /**
   * Takes what is due, the longest due first, and counts an attempt for each. What is past its job's end, or was
   * overtaken during an attempt that never ended, is settled as failed instead: so many at a time, the next call goes
   * on with what is due then.
   */
  lease(query: {
    readonly nowMs: number;
    /** For so long nobody else takes it. */
    readonly leaseMs: number;
    readonly limit: number;
    /** Who takes it; absent: nobody who comes back. */
    readonly holder?: string;
  }): Promise<readonly BulkErrand[]>;
  /**
   * What `holder` took when it last lived is nobody's any more, and the configurations that it had sent for it are given
   * up: whoever is told of a box, or hastens those that are connected, finds it. Due it is as it was, since a box that
   * has not connected yet would only be silent.
   */
  release(holder: string, nowMs: number): Promise<void>;
  /** What came of attempts. Passed over: vehicles that are settled, and attempts that are not the last one. */
  finish(results: readonly BulkResult[], nowMs: number): Promise<void>;
  /** These boxes take commands now: their pending vehicles are due, those under way are so again when they fail. */
  hasten(boxIds: readonly string[], nowMs: number): Promise<{ readonly isAnyDue: boolean }>;
  /** As `hasten` for every vehicle whose box is connected and ready: a crash may have lost the news. */
  hastenConnected(nowMs: number): Promise<void>;
  /** undefined: nothing is pending. */
  nextDueMs(): Promise<number | undefined>;
  /** Removes whole jobs of before that time, the oldest first. */
  prune(query: { readonly createdBeforeMs: number; readonly limit: number }): Promise<void>;
}

/** What one fleet may keep at once, over all of its jobs. */
export interface BulkRoom {
  readonly jobs: number;
  readonly vehicles: number;
}

export interface NewBulkJob {
  readonly id: string;
  readonly fleetId: string;
  /** Of the request; the messages that it leads to carry it. */
  readonly flowId: string;
  readonly vehicleIds: readonly string[];
  readonly features: BulkFeatures;
  readonly createdMs: number;
  readonly expiresMs: number;
}

/** By feature name in kebab-case: parameters, {} for the defaults, null to deactivate. */
export type BulkFeatures = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;

export interface BulkJob extends Omit<NewBulkJob, 'vehicleIds'> {
  readonly counts: {
    readonly total: number;
    readonly pending: number;
    readonly applied: number;
    readonly failed: number;
  };
  /** Whether one of its vehicles was tried, or settled without. */
  readonly hasBegun: boolean;
}

export interface BulkItem {
  /** Place in the request, from 0 on. */
  readonly position: number;
  readonly vehicleId: string;
  readonly status: 'pending' | 'applied' | 'failed';
  /** Of a failed one. */
  readonly reason: BulkReason | undefined;
  readonly attempts: number;
  readonly lastAttemptMs: number | undefined;
}

export interface BulkReason {
  readonly problem: ProblemKind;
  readonly detail: string;
}

/** One attempt that its holder is to carry out. */
export interface BulkErrand {
  readonly jobId: string;
  readonly position: number;
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly flowId: string;
  readonly features: BulkFeatures;
  /** Which attempt it is, from 1 on. */
  readonly attempt: number;
  /** Failed attempts since the box was last known to connect. */
  readonly step: number;
}

export type BulkResult = Pick<BulkErrand, 'jobId' | 'position' | 'attempt'> &
  (
    | { readonly became: 'applied' }
    | { readonly became: 'failed'; readonly reason: BulkReason }
    /** To be tried again at `dueMs`, unless it was overtaken, is past the job's end, or its box has connected since. */
    | { readonly became: 'postponed'; readonly dueMs: number; readonly reason: BulkReason }
  );

/** Why a vehicle failed that a later request configures. */
export const OVERTAKEN: BulkReason = {
  problem: 'conflicting-operation',
  detail: 'A later request configures the same features of this vehicle.',
};

/** Why a vehicle failed that its owner has offboarded. */
export function offboarded(vehicleId: string): BulkReason {
  return {
    problem: 'resource-not-found',
    detail: `The vehicle with the id ${vehicleId} was offboarded before it was configured.`,
  };
}

/** Why a vehicle failed for which the job's time was not enough; `last` is what the last attempt met. */
export function outOfTime(last: string): BulkReason {
  const sentence = "The telematics unit did not confirm it before the job's end.";
  return {
    problem: 'no-connection',
    detail: last === '' ? `${sentence} It was not tried.` : `${sentence} The last attempt: ${last}`,
  };
}
