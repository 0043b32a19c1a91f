import type { ProblemKind } from '../../../contract/problems.ts';

/**
 * Bulk configuration: one row for a job, and one for each of its vehicles with its due time. A backend that
 * tries a vehicle leases its row for a while, so that several backends share the work and a crash of one only
 * delays it. A vehicle is settled once: its result never changes afterwards.
 *
 * Two other transactions write these rows too: the commit of a box's reply settles the vehicle of the attempt
 * that it answers as applied (`ConfigurationOrder.bulkJobId`), however late it comes; and the opening of
 * another configuration request replaces what is pending for the same vehicle and feature.
 */
export interface BulkStore {
  /**
   * All or nothing. Pending vehicles of earlier jobs of the fleet with a feature in common are replaced. If the fleet
   * reaches `capacity`, its oldest completed jobs are removed; `full`: uncompleted jobs occupy all of it.
   */
  create(job: NewBulkJob, capacity: BulkCapacity): Promise<'created' | 'full'>;
  find(jobId: string): Promise<BulkJob | undefined>;
  /** By their position in the request, rising; `afterPosition` -1: from the start. */
  items(query: {
    readonly jobId: string;
    readonly afterPosition: number;
    readonly limit: number;
  }): Promise<readonly BulkItem[]>;
  /**
   * Leases what is due, the longest due first, and counts an attempt for each. What is past its job's end, or was
   * replaced during an attempt without a result, is settled as failed instead: a bounded number at a time, the next
   * call continues. Items `underWay` are skipped, even if their lease has ended: the attempt takes long.
   */
  lease(query: {
    readonly nowMs: number;
    /** How long no other backend leases it, in milliseconds. */
    readonly leaseMs: number;
    readonly limit: number;
    /** The name of the backend; absent: it cannot release its leases later. */
    readonly holder?: string;
    /** The items that the caller is processing; absent: none. */
    readonly underWay?: readonly BulkPlace[];
  }): Promise<readonly BulkWorkItem[]>;
  /**
   * Ends the leases that `holder` took before its restart, and gives up the configurations that it had sent
   * for them: `makeDueNow` and `makeConnectedDueNow` find them then. Their due times do not change, since a box that
   * has not connected yet would not answer.
   */
  release(holder: string, nowMs: number): Promise<void>;
  /** The results of attempts. Ignored: vehicles that are settled, and attempts that are not the last one. */
  finish(results: readonly BulkResult[], nowMs: number): Promise<void>;
  /** These boxes are ready now: their pending vehicles are due; those in progress become due again when they fail. */
  makeDueNow(boxIds: readonly string[], nowMs: number): Promise<{ readonly isAnyDue: boolean }>;
  /**
   * As `makeDueNow` for every vehicle whose box is connected and ready: a crash may have lost the notification.
   */
  makeConnectedDueNow(nowMs: number): Promise<void>;
  /** When the next item that is not `underWay` is due; undefined: no other is pending. */
  nextDueMs(underWay?: readonly BulkPlace[]): Promise<number | undefined>;
  /** Removes whole jobs created before that time, the oldest first. */
  prune(query: { readonly createdBeforeMs: number; readonly limit: number }): Promise<void>;
}

/** The most that one fleet may keep, over all of its jobs. */
export interface BulkCapacity {
  readonly jobs: number;
  readonly vehicles: number;
}

export interface NewBulkJob {
  readonly id: string;
  readonly fleetId: string;
  /** The flow id of the request; the messages that it leads to have it. */
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
  /** Whether one of its vehicles was tried, or settled without an attempt. */
  readonly hasBegun: boolean;
}

export interface BulkItem {
  /** Position in the request, from 0. */
  readonly position: number;
  readonly vehicleId: string;
  readonly status: 'pending' | 'applied' | 'failed';
  /** Set if it failed. */
  readonly reason: BulkReason | undefined;
  readonly attempts: number;
  readonly lastAttemptMs: number | undefined;
}

export interface BulkReason {
  readonly problem: ProblemKind;
  readonly detail: string;
}

/** A vehicle of a job. */
export interface BulkPlace {
  readonly jobId: string;
  readonly position: number;
}

/** One attempt that its lease holder must carry out. */
export interface BulkWorkItem extends BulkPlace {
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly flowId: string;
  readonly features: BulkFeatures;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** Failed attempts since the box was last known to connect. */
  readonly step: number;
}

export type BulkResult = Pick<BulkWorkItem, 'jobId' | 'position' | 'attempt'> &
  (
    | { readonly outcome: 'applied' }
    | { readonly outcome: 'failed'; readonly reason: BulkReason }
    /**
     * To be tried again at `dueMs`, unless it was replaced, is past the job's end, or its box has connected
     * since.
     */
    | { readonly outcome: 'postponed'; readonly dueMs: number; readonly reason: BulkReason }
  );

/** The reason of a vehicle that a later request configures. */
export const OVERTAKEN: BulkReason = {
  problem: 'conflicting-operation',
  detail: 'A later request configures the same features of this vehicle.',
};

/** The reason of a vehicle that its owner has offboarded. */
export function offboarded(vehicleId: string): BulkReason {
  return {
    problem: 'resource-not-found',
    detail: `The vehicle with the id ${vehicleId} was offboarded before it was configured.`,
  };
}

/** The reason of a vehicle whose job ended first; `last` is the problem of the last attempt. */
export function outOfTime(last: string): BulkReason {
  const sentence = "The telematics unit did not confirm it before the job's end.";
  return {
    problem: 'no-connection',
    detail: last === '' ? `${sentence} It was not tried.` : `${sentence} The last attempt: ${last}`,
  };
}
