import { type SqlBool, sql } from 'kysely';
import { type BulkFeatures, type NewBulkJob, OVERTAKEN, offboarded } from '../../port/bulk-store.ts';
import type { OpenCommand } from '../../port/command-store.ts';
import type { ConfigurationOrder } from '../../port/configuration-store.ts';
import type { Dialect } from '../../statements/dialect.ts';
import { type ListOf, statement, type ValueOf } from '../../statements/statement.ts';
import { all, first, run, type Transaction } from '../../statements/transaction.ts';

/*
 * How other configurations and bulk jobs replace pending items, inside the callers' transactions. Requests without a
 * common feature do not affect each other. A vehicle whose attempt is in progress is only marked: it is applied if that
 * attempt is confirmed, and fails at its end otherwise.
 */

type Overtaken = { jobIds: readonly string[]; atMs: number; problem: string; detail: string };

/** Replaces what these jobs have pending. */
function overtake({ query, texts }: Dialect, value: ValueOf<Overtaken>, list: ListOf<Overtaken>) {
  // An expired lease has no holder any more.
  const isUnderWay = sql<SqlBool>`is_leased = 1 and due_ms > ${value('atMs')}`;
  return query
    .updateTable('bulk_items')
    .set({
      is_overtaken: sql.lit(1),
      status: sql`case when ${isUnderWay} then status else 'failed' end`,
      reason: sql`case when ${isUnderWay} then reason else ${value('problem')} end`,
      detail: sql`case when ${isUnderWay} then detail else ${value('detail')} end`,
    })
    .where('status', '=', sql.lit('pending'))
    .where('job_id', 'in', texts(list('jobIds')));
}

const otherJobs = statement(({ query }, value: ValueOf<{ fleetId: string; id: string }>) =>
  query
    .selectFrom('bulk_jobs as j')
    .select(['j.id', 'j.features'])
    .where('j.fleet_id', '=', value('fleetId'))
    .where('j.id', '<>', value('id'))
    .where((job) =>
      job.exists(
        job
          .selectFrom('bulk_items as i')
          .select(sql.lit(1).as('one'))
          .whereRef('i.job_id', '=', 'j.id')
          .where('i.status', '=', sql.lit('pending')),
      ),
    ),
);
const overtakeCommon = statement((dialect, value: ValueOf<Overtaken & { laterId: string }>, list) =>
  overtake(dialect, value, list).where('vehicle_id', 'in', (later) =>
    later
      .selectFrom('bulk_items as later')
      .select('later.vehicle_id')
      .where('later.job_id', '=', value('laterId')),
  ),
);
const jobsOfVehicle = statement(({ query, fixed }, value: ValueOf<{ vehicleId: string }>) =>
  query
    .selectFrom('bulk_items as i')
    .innerJoin('bulk_jobs as j', 'j.id', 'i.job_id')
    .innerJoin('vehicles as v', (join) =>
      join.onRef('v.id', '=', 'i.vehicle_id').onRef('v.fleet_id', '=', 'j.fleet_id'),
    )
    .select(['j.id', 'j.features'])
    .where('i.vehicle_id', '=', fixed(value('vehicleId')))
    .where('i.status', '=', sql.lit('pending')),
);
const overtakeOne = statement((dialect, value: ValueOf<Overtaken & { vehicleId: string }>, list) =>
  overtake(dialect, value, list).where('vehicle_id', '=', value('vehicleId')),
);
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
const isOpen = statement(({ query }, value: ValueOf<{ jobId: string; vehicleId: string }>) =>
  query
    .selectFrom('bulk_items')
    .select('position')
    .where('job_id', '=', value('jobId'))
    .where('vehicle_id', '=', value('vehicleId'))
    .where('status', '=', sql.lit('pending'))
    .where('is_overtaken', '=', sql.lit(0)),
);
const confirm = statement(({ query }, value: ValueOf<{ jobId: string; vehicleId: string }>) =>
  query
    .updateTable('bulk_items')
    .set({ status: sql.lit('applied'), reason: sql.lit(''), detail: sql.lit('') })
    .where('job_id', '=', value('jobId'))
    .where('vehicle_id', '=', value('vehicleId'))
    .where('status', '=', sql.lit('pending')),
);

/** A job was created: replaces what earlier jobs of the fleet have pending for its vehicles. */
export function* overtakeByJob(job: NewBulkJob): Transaction<void> {
  const others = yield* all(otherJobs, { fleetId: job.fleetId, id: job.id });
  const jobIds = withCommon(others, job.features);
  if (jobIds.length > 0)
    yield* run(overtakeCommon, { jobIds, laterId: job.id, atMs: job.createdMs, ...OVERTAKEN });
}

/** Another configuration was opened: replaces what jobs of the vehicle's fleet have pending for it. */
export function* overtakeByCommand(
  { vehicleId, openedMs }: Pick<OpenCommand, 'vehicleId' | 'openedMs'>,
  { features }: Pick<ConfigurationOrder, 'features'>,
): Transaction<void> {
  const jobIds = withCommon(yield* all(jobsOfVehicle, { vehicleId }), features);
  if (jobIds.length > 0) yield* run(overtakeOne, { jobIds, vehicleId, atMs: openedMs, ...OVERTAKEN });
}

/**
 * A vehicle is about to be offboarded: fails everything that its fleet has pending for it, attempts in progress
 * included. Jobs of other fleets do not contain it.
 */
export function* overtakeByOffboarding(vehicleId: string): Transaction<void> {
  yield* run(failAll, { vehicleId, ...offboarded(vehicleId) });
}

/** Whether a bulk attempt may still be opened: its vehicle is pending and no later request has begun. */
export function* mayOpenAttempt(jobId: string, vehicleId: string): Transaction<boolean> {
  return (yield* first(isOpen, { jobId, vehicleId })) !== undefined;
}

/** The box has confirmed a bulk attempt; a settled vehicle does not change. */
export function* confirmAttempt(jobId: string, vehicleId: string): Transaction<void> {
  yield* run(confirm, { jobId, vehicleId });
}

/** The ids of the jobs that have a feature in common with these; each once. */
function withCommon(
  jobs: readonly { readonly id: string; readonly features: string }[],
  features: BulkFeatures,
): readonly string[] {
  const common = jobs.filter((job) => haveCommon(job.features, features));
  return [...new Set(common.map(({ id }) => id))];
}

function haveCommon(written: string, features: BulkFeatures): boolean {
  return Object.keys(JSON.parse(written) as BulkFeatures).some((name) => Object.hasOwn(features, name));
}
