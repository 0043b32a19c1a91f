import type { Database } from 'better-sqlite3';
import type { BulkRoom, NewBulkJob } from './bulk-store.ts';

/**
 * Makes room for a job among those that its fleet keeps: the oldest completed ones go, and no more of them than must.
 * False: those that are not completed take the room already; then none has gone. To be called inside a transaction.
 */
export function bulkRoomMaker(database: Database): (job: NewBulkJob, room: BulkRoom) => boolean {
  const kept = database.prepare<[string], { readonly jobs: number; readonly vehicles: number }>(
    'SELECT count(*) AS jobs, coalesce(sum(vehicles), 0) AS vehicles FROM bulk_jobs WHERE fleet_id = ?',
  );
  const completed = database.prepare<[string], { readonly id: string; readonly vehicles: number }>(`
    SELECT id, vehicles FROM bulk_jobs j WHERE fleet_id = ?
      AND NOT EXISTS (SELECT 1 FROM bulk_items WHERE job_id = j.id AND status = 'pending')
    ORDER BY created_ms, id`);
  const remove = database.prepare<[string]>('DELETE FROM bulk_jobs WHERE id = ?');

  return (job, room) => {
    const now = kept.get(job.fleetId) ?? { jobs: 0, vehicles: 0 };
    let jobsOver = now.jobs + 1 - room.jobs;
    let vehiclesOver = now.vehicles + job.vehicleIds.length - room.vehicles;
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
