import type { Database } from 'better-sqlite3';
import { overtakeByJob } from '../../calls/bulk/bulk-overtaking.ts';
import type {
  BulkCapacity,
  BulkFeatures,
  BulkItem,
  BulkJob,
  BulkReason,
  BulkStore,
  NewBulkJob,
} from '../../port/bulk-store.ts';
import type { Synchronous } from '../call.ts';
import { atOnce, stepper } from '../carry-out.ts';
import { bulkFinisher, bulkLeaser, bulkReleaser, NOT_UNDER_WAY, placesText } from './bulk-attempts.ts';

interface JobRow {
  readonly id: string;
  readonly fleet_id: string;
  readonly flow_id: string;
  readonly features: string;
  readonly vehicles: number;
  readonly created_ms: number;
  readonly expires_ms: number;
}

interface CountsRow {
  readonly pending: number;
  readonly failed: number;
  /** 0 or 1 */
  readonly is_tried: number;
}

interface ItemRow {
  readonly position: number;
  readonly vehicle_id: string;
  readonly status: string;
  readonly reason: string;
  readonly detail: string;
  readonly attempts: number;
  readonly last_attempt_ms: number | null;
}

/** Bulk jobs in SQLite. */
export function sqliteBulk(database: Database): Synchronous<BulkStore> {
  const insertJob = database.prepare(`
    INSERT INTO bulk_jobs (id, fleet_id, flow_id, features, vehicles, created_ms, expires_ms)
    VALUES (@id, @fleetId, @flowId, @features, @vehicles, @createdMs, @expiresMs)`);
  // One statement for up to ten thousand: docs/store.md, Lists as one parameter.
  const insertItems = database.prepare(`
    INSERT INTO bulk_items (job_id, position, vehicle_id, due_ms)
    SELECT @id, key, value, @createdMs FROM json_each(@vehicleIds)`);
  const findJob = database.prepare<[string], JobRow>('SELECT * FROM bulk_jobs WHERE id = ?');
  // Items that are neither pending nor failed are applied. Each part has its own index, and the search for a
  // tried vehicle ends at the first one: clients poll this, and reading all rows of a job takes twenty times
  // as long.
  const count = database.prepare<{ readonly jobId: string }, CountsRow>(`
    SELECT (SELECT count(*) FROM bulk_items WHERE job_id = @jobId AND status = 'pending') AS pending,
      (SELECT count(*) FROM bulk_items WHERE job_id = @jobId AND status = 'failed') AS failed,
      EXISTS (SELECT 1 FROM bulk_items WHERE job_id = @jobId AND attempts > 0) AS is_tried`);
  const listItems = database.prepare<[string, number, number], ItemRow>(
    'SELECT * FROM bulk_items WHERE job_id = ? AND position > ? ORDER BY position LIMIT ? + 0',
  );
  const nextDue = database.prepare<{ readonly underWay: string }, { readonly due_ms: number }>(
    `SELECT due_ms FROM bulk_items WHERE status = 'pending' AND ${NOT_UNDER_WAY} ORDER BY due_ms LIMIT 1`,
  );
  const prune = database.prepare(`
    DELETE FROM bulk_jobs WHERE id IN (
      SELECT id FROM bulk_jobs WHERE created_ms < ? ORDER BY created_ms LIMIT ? + 0)`);
  const makeRoom = bulkCapacityMaker(database);
  const take = stepper(database);
  const lease = bulkLeaser(database);
  const finish = bulkFinisher(database);
  const release = bulkReleaser(database);
  const makeDueNow = dueNowWriter(database);

  const create = database.transaction((job: NewBulkJob, capacity: BulkCapacity) => {
    if (!makeRoom(job, capacity)) return 'full';
    const { vehicleIds, features, ...columns } = job;
    insertJob.run({ ...columns, vehicles: vehicleIds.length, features: JSON.stringify(features) });
    insertItems.run({ id: job.id, createdMs: job.createdMs, vehicleIds: JSON.stringify(vehicleIds) });
    atOnce(take, overtakeByJob(job));
    return 'created';
  });

  return {
    create: (job, capacity) => create.immediate(job, capacity),
    find: (jobId) => {
      const row = findJob.get(jobId);
      const counts = count.get({ jobId });
      return row === undefined || counts === undefined ? undefined : toJob(row, counts);
    },
    items: ({ jobId, afterPosition, limit }) => listItems.all(jobId, afterPosition, limit).map(toItem),
    lease: (query) => lease(query),
    release: (holder, nowMs) => release(holder, nowMs),
    finish: (results, nowMs) => finish(results, nowMs),
    makeDueNow: (boxIds, nowMs) => makeDueNow.boxes(boxIds, nowMs),
    makeConnectedDueNow: (nowMs) => makeDueNow.connected(nowMs),
    nextDueMs: (underWay = []) => nextDue.get({ underWay: placesText(underWay) })?.due_ms,
    prune: ({ createdBeforeMs, limit }) => void prune.run(createdBeforeMs, limit),
  };
}

function dueNowWriter(database: Database): {
  boxes(boxIds: readonly string[], nowMs: number): { readonly isAnyDue: boolean };
  connected(nowMs: number): void;
} {
  const SET = `
    UPDATE bulk_items SET step = 0, is_hastened = is_leased,
      due_ms = CASE WHEN is_leased = 1 THEN due_ms ELSE min(due_ms, @nowMs) END
    WHERE status = 'pending' AND`;
  const isPending = database.prepare<[string]>(`
    SELECT 1 FROM bulk_items
    WHERE vehicle_id = (SELECT id FROM vehicles WHERE box_id = ?) AND status = 'pending' LIMIT 1`);
  const one = database.prepare(
    `${SET} vehicle_id IN (SELECT id FROM vehicles WHERE box_id = @boxId) RETURNING is_leased`,
  );
  const all = database.prepare(`
    ${SET} vehicle_id IN (
      SELECT v.id FROM vehicles v JOIN boxes b ON b.id = v.box_id
      WHERE b.connection_open = 1 AND b.not_ready_until_ms IS NULL)`);
  const makeDueNow = database.transaction((boxIds: readonly string[], nowMs: number) =>
    boxIds.flatMap((boxId) => one.all({ boxId, nowMs }) as { readonly is_leased: number }[]),
  );
  return {
    boxes(boxIds, nowMs) {
      // Boxes connect all the time, and few of them are waited for: only then something is written.
      const awaited = boxIds.filter((boxId) => isPending.get(boxId) !== undefined);
      const rows = awaited.length === 0 ? [] : makeDueNow.immediate(awaited, nowMs);
      return { isAnyDue: rows.some((row) => row.is_leased === 0) };
    },
    connected: (nowMs) => void all.run({ nowMs }),
  };
}

function toJob(row: JobRow, { pending, failed, is_tried: isTried }: CountsRow): BulkJob {
  const total = row.vehicles;
  return {
    id: row.id,
    fleetId: row.fleet_id,
    flowId: row.flow_id,
    features: JSON.parse(row.features) as BulkFeatures,
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
    counts: { total, pending, applied: total - pending - failed, failed },
    hasBegun: isTried === 1 || pending < total,
  };
}

function toItem(row: ItemRow): BulkItem {
  const status = row.status as BulkItem['status'];
  return {
    position: row.position,
    vehicleId: row.vehicle_id,
    status,
    reason:
      status === 'failed' ? { problem: row.reason as BulkReason['problem'], detail: row.detail } : undefined,
    attempts: row.attempts,
    lastAttemptMs: row.last_attempt_ms ?? undefined,
  };
}

/**
 * Makes room for a job among those that its fleet keeps: removes the oldest completed ones, and no more than
 * necessary. False: uncompleted jobs take up the room; then none was removed. To be called inside a
 * transaction.
 */
function bulkCapacityMaker(database: Database): (job: NewBulkJob, capacity: BulkCapacity) => boolean {
  const kept = database.prepare<[string], { readonly jobs: number; readonly vehicles: number }>(
    'SELECT count(*) AS jobs, coalesce(sum(vehicles), 0) AS vehicles FROM bulk_jobs WHERE fleet_id = ?',
  );
  const completed = database.prepare<[string], { readonly id: string; readonly vehicles: number }>(`
    SELECT id, vehicles FROM bulk_jobs j WHERE fleet_id = ?
      AND NOT EXISTS (SELECT 1 FROM bulk_items WHERE job_id = j.id AND status = 'pending')
    ORDER BY created_ms, id`);
  const remove = database.prepare<[string]>('DELETE FROM bulk_jobs WHERE id = ?');

  return (job, capacity) => {
    const now = kept.get(job.fleetId) ?? { jobs: 0, vehicles: 0 };
    let jobsOver = now.jobs + 1 - capacity.jobs;
    let vehiclesOver = now.vehicles + job.vehicleIds.length - capacity.vehicles;
    const going: string[] = [];
    if (jobsOver > 0 || vehiclesOver > 0)
      for (const { id, vehicles } of completed.all(job.fleetId)) {
        if (jobsOver <= 0 && vehiclesOver <= 0) break;
        going.push(id);
        jobsOver -= 1;
        vehiclesOver -= vehicles;
      }
    if (jobsOver > 0 || vehiclesOver > 0) return false;
    for (const id of going) remove.run(id);
    return true;
  };
}
