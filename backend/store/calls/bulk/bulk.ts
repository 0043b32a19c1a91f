import { type Selectable, sql } from 'kysely';
import type { BulkFeatures, BulkItem, BulkJob, BulkReason, BulkStore } from '../../port/bulk-store.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import type { Tables } from '../../statements/tables.ts';
import { all, type Calls, first, run } from '../../statements/transaction.ts';
import { makeConnectedDueNow, makeDueNow, nextDueMs } from './bulk-due.ts';
import { finish } from './bulk-finish.ts';
import { lease, release } from './bulk-lease.ts';
import { overtakeByJob } from './bulk-overtaking.ts';
import { lockFleet, makeRoom } from './bulk-room.ts';

const insertJob = statement(
  (
    { query },
    value: ValueOf<{
      id: string;
      fleetId: string;
      flowId: string;
      features: string;
      vehicles: number;
      createdMs: number;
      expiresMs: number;
    }>,
  ) =>
    query.insertInto('bulk_jobs').values({
      id: value('id'),
      fleet_id: value('fleetId'),
      flow_id: value('flowId'),
      features: value('features'),
      vehicles: value('vehicles'),
      created_ms: value('createdMs'),
      expires_ms: value('expiresMs'),
    }),
);
// One statement for up to ten thousand: docs/store.md, Lists as one parameter.
const insertItems = statement(
  (
    { query, textRows },
    value: ValueOf<{ id: string; vehicleIds: readonly string[]; createdMs: number }>,
    list,
  ) =>
    query
      .insertInto('bulk_items')
      .columns(['job_id', 'position', 'vehicle_id', 'due_ms'])
      .expression((item) =>
        item
          .selectFrom(textRows(list('vehicleIds')).as('listed'))
          .select([
            value('id').as('job_id'),
            'listed.position',
            'listed.value',
            value('createdMs').as('due_ms'),
          ]),
      ),
);
// Items that are neither pending nor failed are applied. Each part has its own index, and the search for a tried
// vehicle ends at the first one: clients poll this, and reading all rows of a job takes twenty times as long.
const findJob = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query
    .selectFrom('bulk_jobs as j')
    .selectAll('j')
    .select((job) => {
      const items = job.selectFrom('bulk_items as i').whereRef('i.job_id', '=', 'j.id');
      const count = (status: BulkItem['status']) =>
        sql<number>`${items.select(job.fn.countAll().as('count')).where('i.status', '=', sql.lit(status))}`;
      const tried = items.select('i.position').where('i.attempts', '>', sql.lit(0));
      return [
        count('pending').as('pending'),
        count('failed').as('failed'),
        sql<number>`exists ${tried}`.as('is_tried'),
      ];
    })
    .where('j.id', '=', value('id')),
);
const listItems = statement(
  ({ query, most }, value: ValueOf<{ jobId: string; afterPosition: number; limit: number }>) =>
    query
      .selectFrom('bulk_items')
      .selectAll()
      .where('job_id', '=', value('jobId'))
      .where('position', '>', value('afterPosition'))
      .orderBy('position')
      .limit(most(value('limit'))),
);
const prune = statement(
  ({ query, most, unlockedOnly }, value: ValueOf<{ createdBeforeMs: number; limit: number }>) =>
    query.deleteFrom('bulk_jobs').where('id', 'in', (old) =>
      old
        .selectFrom('bulk_jobs as old')
        .select('old.id')
        .where('old.created_ms', '<', value('createdBeforeMs'))
        .orderBy('old.created_ms')
        .orderBy('old.id')
        .limit(most(value('limit')))
        .modifyEnd(unlockedOnly),
    ),
);

/** Bulk jobs. */
export function bulkCalls(): Calls<BulkStore> {
  return {
    *create(job, capacity) {
      yield* lockFleet(job.fleetId);
      if (!(yield* makeRoom(job, capacity))) return 'full';
      const { vehicleIds, features, ...columns } = job;
      yield* run(insertJob, {
        ...columns,
        vehicles: vehicleIds.length,
        features: JSON.stringify(features),
      });
      yield* run(insertItems, { id: job.id, createdMs: job.createdMs, vehicleIds });
      yield* overtakeByJob(job);
      return 'created';
    },
    *find(jobId) {
      const row = yield* first(findJob, { id: jobId });
      return row === undefined ? undefined : toJob(row);
    },
    *items(query) {
      return (yield* all(listItems, query)).map(toItem);
    },
    lease,
    release,
    finish,
    makeDueNow,
    makeConnectedDueNow,
    nextDueMs,
    *prune(query) {
      yield* run(prune, query);
    },
  };
}

function toJob(
  row: Selectable<Tables['bulk_jobs']> & {
    readonly pending: number;
    readonly failed: number;
    /** 0 or 1 */
    readonly is_tried: number;
  },
): BulkJob {
  const { vehicles: total, pending, failed } = row;
  return {
    id: row.id,
    fleetId: row.fleet_id,
    flowId: row.flow_id,
    features: JSON.parse(row.features) as BulkFeatures,
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
    counts: { total, pending, applied: total - pending - failed, failed },
    hasBegun: row.is_tried === 1 || pending < total,
  };
}

function toItem(row: Selectable<Tables['bulk_items']>): BulkItem {
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
