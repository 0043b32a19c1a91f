import { sql } from 'kysely';
import type { BulkCapacity, NewBulkJob } from '../../port/bulk-store.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { all, first, run, type Transaction } from '../../statements/transaction.ts';

const lock = statement(({ query, locked }, value: ValueOf<{ id: string }>) =>
  query.selectFrom('fleets').select('id').where('id', '=', value('id')).modifyEnd(locked),
);
const countKept = statement(({ query }, value: ValueOf<{ fleetId: string }>) =>
  query
    .selectFrom('bulk_jobs')
    .select((job) => [
      job.fn.countAll<number>().as('jobs'),
      job.fn.coalesce(job.fn.sum<number>('vehicles'), sql.lit(0)).as('vehicles'),
    ])
    .where('fleet_id', '=', value('fleetId')),
);
const listCompleted = statement(({ query }, value: ValueOf<{ fleetId: string }>) =>
  query
    .selectFrom('bulk_jobs as j')
    .select(['j.id', 'j.vehicles'])
    .where('j.fleet_id', '=', value('fleetId'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bulk_items as i')
            .select(sql.lit(1).as('one'))
            .whereRef('i.job_id', '=', 'j.id')
            .where('i.status', '=', sql.lit('pending')),
        ),
      ),
    )
    .orderBy('j.created_ms')
    .orderBy('j.id'),
);
const remove = statement(({ query, texts }, _value: ValueOf<{ ids: readonly string[] }>, list) =>
  query.deleteFrom('bulk_jobs').where('id', 'in', texts(list('ids'))),
);

/** Until the end of the transaction no other one creates a job of that fleet: each counts the existing jobs. */
export function* lockFleet(fleetId: string): Transaction<void> {
  yield* first(lock, { id: fleetId });
}

/**
 * Makes room for a job among those that its fleet keeps: removes the oldest completed ones, and no more than necessary.
 * False: uncompleted jobs take up the room; then none was removed.
 */
export function* makeRoom(job: NewBulkJob, capacity: BulkCapacity): Transaction<boolean> {
  const kept = yield* first(countKept, { fleetId: job.fleetId });
  let jobsOver = (kept?.jobs ?? 0) + 1 - capacity.jobs;
  let vehiclesOver = (kept?.vehicles ?? 0) + job.vehicleIds.length - capacity.vehicles;
  if (jobsOver <= 0 && vehiclesOver <= 0) return true;
  const ids: string[] = [];
  for (const { id, vehicles } of yield* all(listCompleted, { fleetId: job.fleetId })) {
    if (jobsOver <= 0 && vehiclesOver <= 0) break;
    ids.push(id);
    jobsOver -= 1;
    vehiclesOver -= vehicles;
  }
  if (jobsOver > 0 || vehiclesOver > 0) return false;
  yield* run(remove, { ids });
  return true;
}
