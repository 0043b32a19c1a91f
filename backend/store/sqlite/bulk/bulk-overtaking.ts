import type { Database } from 'better-sqlite3';
import { type BulkFeatures, type NewBulkJob, OVERTAKEN, offboarded } from '../../port/bulk-store.ts';
import type { OpenCommand } from '../../port/command-store.ts';

/**
 * How other configurations and bulk jobs replace pending items, inside the callers' transactions. Requests
 * without a common feature do not affect each other. A vehicle whose attempt is under way is only marked: it
 * is applied if that attempt is confirmed, and fails at its end otherwise.
 */
export interface BulkOvertaking {
  /** A job was created: replaces what earlier jobs of the fleet have pending for its vehicles. */
  byJob(job: NewBulkJob): void;
  /** Another configuration was opened: replaces what jobs of the vehicle's fleet have pending for it. */
  byCommand(command: OpenCommand): void;
  /**
   * A vehicle is about to be offboarded: fails everything that its fleet has pending for it, attempts under
   * way included. Jobs of other fleets never knew it.
   */
  byOffboarding(vehicleId: string): void;
  /** Whether a bulk attempt may still be opened: its vehicle is pending and no later request has begun. */
  mayOpen(jobId: string, vehicleId: string): boolean;
  /** The box has confirmed a bulk attempt; a settled vehicle does not change. */
  confirmed(jobId: string, vehicleId: string): void;
}

/** On the same database; to be called inside a transaction. */
export function bulkOvertaking(database: Database): BulkOvertaking {
  // An expired lease has no holder any more.
  const SET = `
    UPDATE bulk_items SET
      is_overtaken = 1,
      status = CASE WHEN is_leased = 1 AND due_ms > @atMs THEN status ELSE 'failed' END,
      reason = CASE WHEN is_leased = 1 AND due_ms > @atMs THEN reason ELSE @problem END,
      detail = CASE WHEN is_leased = 1 AND due_ms > @atMs THEN detail ELSE @detail END
    WHERE status = 'pending' AND job_id = @jobId AND`;
  const others = database.prepare<[string, string], { readonly id: string; readonly features: string }>(`
    SELECT id, features FROM bulk_jobs j WHERE fleet_id = ? AND id <> ?
      AND EXISTS (SELECT 1 FROM bulk_items WHERE job_id = j.id AND status = 'pending')`);
  const overtakeCommon = database.prepare(
    `${SET} vehicle_id IN (SELECT vehicle_id FROM bulk_items WHERE job_id = @laterId)`,
  );
  const ofVehicle = database.prepare<[string], { readonly id: string; readonly features: string }>(`
    SELECT j.id, j.features FROM bulk_items i
      JOIN bulk_jobs j ON j.id = i.job_id
      JOIN vehicles v ON v.id = i.vehicle_id AND v.fleet_id = j.fleet_id
    WHERE i.vehicle_id = (SELECT ?) AND i.status = 'pending'`);
  const overtakeOne = database.prepare(`${SET} vehicle_id = @vehicleId`);
  const failAll = database.prepare(
    `UPDATE bulk_items SET status = 'failed', reason = @problem, detail = @detail
    WHERE vehicle_id = @vehicleId AND status = 'pending' AND job_id IN (
      SELECT j.id FROM bulk_jobs j JOIN vehicles v ON v.fleet_id = j.fleet_id WHERE v.id = (SELECT @vehicleId))`,
  );
  const isOpen = database.prepare<[string, string]>(`
    SELECT 1 FROM bulk_items WHERE job_id = ? AND vehicle_id = ? AND status = 'pending' AND is_overtaken = 0`);
  const confirm = database.prepare(`
    UPDATE bulk_items SET status = 'applied', reason = '', detail = ''
    WHERE job_id = ? AND vehicle_id = ? AND status = 'pending'`);

  return {
    byJob(job) {
      for (const other of others.all(job.fleetId, job.id)) {
        if (!haveCommon(other.features, job.features)) continue;
        overtakeCommon.run({ jobId: other.id, laterId: job.id, atMs: job.createdMs, ...OVERTAKEN });
      }
    },
    byCommand({ vehicleId, configuration, openedMs }) {
      if (configuration === undefined) return;
      for (const job of ofVehicle.all(vehicleId)) {
        if (!haveCommon(job.features, configuration.features)) continue;
        overtakeOne.run({ jobId: job.id, vehicleId, atMs: openedMs, ...OVERTAKEN });
      }
    },
    byOffboarding: (vehicleId) => void failAll.run({ vehicleId, ...offboarded(vehicleId) }),
    mayOpen: (jobId, vehicleId) => isOpen.get(jobId, vehicleId) !== undefined,
    confirmed: (jobId, vehicleId) => void confirm.run(jobId, vehicleId),
  };
}

function haveCommon(written: string, features: BulkFeatures): boolean {
  return Object.keys(JSON.parse(written) as BulkFeatures).some((name) => Object.hasOwn(features, name));
}
