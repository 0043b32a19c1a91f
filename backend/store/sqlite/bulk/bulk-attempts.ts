import type { Database } from 'better-sqlite3';
import {
  type BulkFeatures,
  type BulkPlace,
  type BulkReason,
  type BulkResult,
  type BulkStore,
  type BulkWorkItem,
  OVERTAKEN,
  outOfTime,
} from '../../port/bulk-store.ts';

interface DueRow {
  readonly job_id: string;
  readonly position: number;
  readonly vehicle_id: string;
  readonly attempts: number;
  readonly step: number;
  readonly detail: string;
  readonly is_overtaken: number;
  readonly fleet_id: string;
  readonly flow_id: string;
  readonly features: string;
  readonly expires_ms: number;
}

/** How often one call looks for more. Whole jobs can end at the same moment, and the next call continues. */
const ROUNDS = 16;

/** SQL: an item that is not among those that the caller carries out, @underWay. */
export const NOT_UNDER_WAY = `job_id || ':' || position NOT IN (SELECT value FROM json_each(@underWay))`;

/** The parameter of `NOT_UNDER_WAY`. */
export function placesText(underWay: readonly BulkPlace[]): string {
  return JSON.stringify(underWay.map(({ jobId, position }) => `${jobId}:${position}`));
}

/** `BulkStore.lease` */
export function bulkLeaser(
  database: Database,
): (query: Parameters<BulkStore['lease']>[0]) => readonly BulkWorkItem[] {
  const due = database.prepare<
    { readonly underWay: string; readonly nowMs: number; readonly wanted: number },
    DueRow
  >(`
    SELECT i.job_id, i.position, i.vehicle_id, i.attempts, i.step, i.detail, i.is_overtaken,
      j.fleet_id, j.flow_id, j.features, j.expires_ms
    FROM bulk_items i JOIN bulk_jobs j ON j.id = i.job_id
    WHERE i.status = 'pending' AND i.due_ms <= @nowMs AND ${NOT_UNDER_WAY}
    ORDER BY i.due_ms LIMIT @wanted + 0`);
  const take = database.prepare(`
    UPDATE bulk_items SET attempts = attempts + 1, last_attempt_ms = ?, due_ms = ?, is_leased = 1, is_hastened = 0,
      leased_by = ?
    WHERE job_id = ? AND position = ?`);
  const fail = failer(database);
  const lease = database.transaction((query: Parameters<BulkStore['lease']>[0]) => {
    const { nowMs, leaseMs, limit, holder = '' } = query;
    const underWay = placesText(query.underWay ?? []);
    const workItems: BulkWorkItem[] = [];
    const features = new Map<string, BulkFeatures>();
    // Items settled here take no slot of the lease: it looks for more, a bounded number of times.
    for (let round = 0; round < ROUNDS && workItems.length < limit; round += 1) {
      const wanted = limit - workItems.length;
      const rows = due.all({ underWay, nowMs, wanted });
      for (const row of rows) {
        const { job_id: jobId, position } = row;
        if (row.is_overtaken === 1) fail(jobId, position, OVERTAKEN);
        else if (row.expires_ms <= nowMs) fail(jobId, position, outOfTime(row.detail));
        else {
          take.run(nowMs, nowMs + leaseMs, holder, jobId, position);
          const parsed = features.get(jobId) ?? (JSON.parse(row.features) as BulkFeatures);
          features.set(jobId, parsed);
          workItems.push(toWorkItem(row, parsed));
        }
      }
      if (rows.length < wanted) break;
    }
    return workItems;
  });
  return (query) => lease.immediate(query);
}

/** `BulkStore.release` */
export function bulkReleaser(database: Database): (holder: string, nowMs: number) => void {
  const free = database.prepare<
    { readonly holder: string; readonly nowMs: number },
    { readonly job_id: string; readonly vehicle_id: string }
  >(`
    UPDATE bulk_items SET is_leased = 0, is_hastened = 0,
      due_ms = CASE WHEN is_hastened = 1 THEN min(due_ms, @nowMs) ELSE due_ms END
    WHERE status = 'pending' AND is_leased = 1 AND leased_by = @holder RETURNING job_id, vehicle_id`);
  // A late reply still settles it.
  const giveUp = database.prepare(`
    UPDATE commands SET outcome = 'unknown', settled_ms = ?
    WHERE vehicle_id = ? AND outcome = 'open' AND configuration ->> '$.bulkJobId' = ?`);
  const release = database.transaction((holder: string, nowMs: number) => {
    for (const { job_id: jobId, vehicle_id: vehicleId } of free.all({ holder, nowMs }))
      giveUp.run(nowMs, vehicleId, jobId);
  });
  return (holder, nowMs) => release.immediate(holder, nowMs);
}

/** `BulkStore.finish` */
export function bulkFinisher(database: Database): (results: readonly BulkResult[], nowMs: number) => void {
  // A subquery, no join: docs/store.md, Parameters beside a join.
  const find = database.prepare<
    [string, number],
    {
      readonly status: string;
      readonly attempts: number;
      readonly step: number;
      readonly is_overtaken: number;
      readonly is_hastened: number;
      readonly expires_ms: number;
    }
  >(`
    SELECT status, attempts, step, is_overtaken, is_hastened,
      (SELECT expires_ms FROM bulk_jobs WHERE id = job_id) AS expires_ms
    FROM bulk_items WHERE job_id = ? AND position = ?`);
  const apply = database.prepare(
    `UPDATE bulk_items SET status = 'applied', reason = '', detail = '' WHERE job_id = ? AND position = ?`,
  );
  const postpone = database.prepare(`
    UPDATE bulk_items SET due_ms = ?, step = ?, is_leased = 0, is_hastened = 0, detail = ?
    WHERE job_id = ? AND position = ?`);
  const fail = failer(database);
  const finish = database.transaction((results: readonly BulkResult[], nowMs: number) => {
    for (const result of results) {
      const { jobId, position } = result;
      const row = find.get(jobId, position);
      if (row?.status !== 'pending') continue;
      // Whichever attempt the box confirmed: it has the configuration.
      if (result.outcome === 'applied') {
        apply.run(jobId, position);
        continue;
      }
      if (row.attempts !== result.attempt) continue;
      if (result.outcome === 'failed') fail(jobId, position, result.reason);
      else if (row.is_overtaken === 1) fail(jobId, position, OVERTAKEN);
      else if (row.expires_ms <= nowMs) fail(jobId, position, outOfTime(result.reason.detail));
      else {
        const isHastened = row.is_hastened === 1;
        const dueMs = Math.min(isHastened ? nowMs : result.dueMs, row.expires_ms);
        postpone.run(dueMs, isHastened ? 0 : row.step + 1, result.reason.detail, jobId, position);
      }
    }
  });
  return (results, nowMs) => finish.immediate(results, nowMs);
}

/** Stores the failure of a pending vehicle. */
function failer(database: Database): (jobId: string, position: number, reason: BulkReason) => void {
  const fail = database.prepare(
    `UPDATE bulk_items SET status = 'failed', reason = ?, detail = ? WHERE job_id = ? AND position = ?`,
  );
  return (jobId, position, { problem, detail }) => void fail.run(problem, detail, jobId, position);
}

function toWorkItem(row: DueRow, features: BulkFeatures): BulkWorkItem {
  return {
    jobId: row.job_id,
    position: row.position,
    vehicleId: row.vehicle_id,
    fleetId: row.fleet_id,
    flowId: row.flow_id,
    features,
    attempt: row.attempts + 1,
    step: row.step,
  };
}
