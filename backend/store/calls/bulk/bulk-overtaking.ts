import { sql } from 'kysely';
import { offboarded } from '../../port/bulk-store.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { run, type Transaction } from '../../statements/transaction.ts';

const failAll = statement(
  ({ query, fixed }, value: ValueOf<{ vehicleId: string; problem: string; detail: string }>) =>
    query
      .updateTable('bulk_items')
      .set({ status: sql.lit('failed'), reason: value('problem'), detail: value('detail') })
      .where('vehicle_id', '=', value('vehicleId'))
      .where('status', '=', sql.lit('pending'))
      .where('job_id', 'in', (job) =>
        job
          .selectFrom('bulk_jobs as j')
          .innerJoin('vehicles as v', 'v.fleet_id', 'j.fleet_id')
          .select('j.id')
          .where('v.id', '=', fixed(value('vehicleId'))),
      ),
);

/**
 * A vehicle is about to be offboarded: fails everything that its fleet has pending for it, attempts under way included.
 * Jobs of other fleets never knew it.
 */
export function* overtakenByOffboarding(vehicleId: string): Transaction<void> {
  yield* run(failAll, { vehicleId, ...offboarded(vehicleId) });
}
