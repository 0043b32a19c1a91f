import { dateTime } from '../http/date-time.ts';
import { PROBLEMS } from '../http/problem.ts';
import type { BulkItem, BulkJob } from '../store/bulk-store.ts';

/** A job as a caller sees it, without its vehicles. */
export function jobBody(job: BulkJob) {
  const { total, pending, applied, failed } = job.counts;
  return {
    id: job.id,
    status:
      pending === 0 ? ('COMPLETED' as const) : job.hasBegun ? ('RUNNING' as const) : ('PENDING' as const),
    created_at: dateTime(job.createdMs),
    expires_at: dateTime(job.expiresMs),
    counts: { total, pending, applied, failed },
  };
}

const STATUS = { pending: 'PENDING', applied: 'APPLIED', failed: 'FAILED' } as const;

/** One vehicle of a job. */
export function itemBody({ vehicleId, status, reason, attempts, lastAttemptMs }: BulkItem) {
  return {
    id: vehicleId,
    status: STATUS[status],
    ...(reason === undefined
      ? {}
      : {
          reason: {
            type: PROBLEMS[reason.problem].type,
            title: PROBLEMS[reason.problem].title,
            detail: reason.detail,
          },
        }),
    attempts,
    ...(lastAttemptMs === undefined ? {} : { last_attempt_at: dateTime(lastAttemptMs) }),
  };
}
