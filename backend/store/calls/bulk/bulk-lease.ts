import { sql } from 'kysely';
import type { BulkFeatures, BulkStore, BulkWorkItem } from '../../port/bulk-store.ts';
import { type Statement, statement, type ValueOf } from '../../statements/statement.ts';
import { all, run, type Transaction } from '../../statements/transaction.ts';
import { isNotUnderWay, type UnderWay, underWayOf } from './bulk-due.ts';
import { failItem, whyEnded } from './bulk-finish.ts';

/** How often one call searches for more. Whole jobs can end at the same moment, and the next call continues. */
const ROUNDS = 16;

// Chosen and locked before the join, so that only items are locked: several backends take from the same job.
const findDue = statement((dialect, value: ValueOf<UnderWay & { nowMs: number; wanted: number }>, list) =>
  dialect.query
    .selectFrom((items) =>
      items
        .selectFrom('bulk_items')
        .selectAll()
        .where('status', '=', sql.lit('pending'))
        .where('due_ms', '<=', value('nowMs'))
        .where(isNotUnderWay(dialect, list))
        .orderBy('due_ms')
        .orderBy('job_id')
        .orderBy('position')
        .limit(dialect.most(value('wanted')))
        .modifyEnd(dialect.unlockedOnly)
        .as('i'),
    )
    .innerJoin('bulk_jobs as j', 'j.id', 'i.job_id')
    .select(['i.job_id', 'i.position', 'i.vehicle_id', 'i.attempts', 'i.step', 'i.detail', 'i.is_overtaken'])
    .select(['j.fleet_id', 'j.flow_id', 'j.features', 'j.expires_ms'])
    .orderBy('i.due_ms')
    .orderBy('i.job_id')
    .orderBy('i.position'),
);
const take = statement(
  (
    { query, numbers },
    value: ValueOf<{
      jobId: string;
      positions: readonly number[];
      atMs: number;
      leaseEndsMs: number;
      holder: string;
    }>,
    list,
  ) =>
    query
      .updateTable('bulk_items')
      .set((item) => ({
        attempts: item('attempts', '+', sql.lit(1)),
        last_attempt_ms: value('atMs'),
        due_ms: value('leaseEndsMs'),
        is_leased: sql.lit(1),
        is_hastened: sql.lit(0),
        leased_by: value('holder'),
      }))
      .where('job_id', '=', value('jobId'))
      .where('position', 'in', numbers(list('positions'))),
);
const free = statement(({ query, smaller }, value: ValueOf<{ holder: string; nowMs: number }>) =>
  query
    .updateTable('bulk_items')
    .set((item) => ({
      is_leased: sql.lit(0),
      is_hastened: sql.lit(0),
      due_ms: item
        .case()
        .when('is_hastened', '=', sql.lit(1))
        .then(smaller(item.ref('due_ms'), value('nowMs')))
        .else(item.ref('due_ms'))
        .end(),
    }))
    .where('status', '=', sql.lit('pending'))
    .where('is_leased', '=', sql.lit(1))
    .where('leased_by', '=', value('holder'))
    .returning(['job_id', 'vehicle_id']),
);
// A late reply still settles it.
const giveUp = statement(
  ({ query, member }, value: ValueOf<{ vehicleId: string; jobId: string; atMs: number }>) =>
    query
      .updateTable('commands')
      .set({ outcome: sql.lit('unknown'), settled_ms: value('atMs') })
      .where('vehicle_id', '=', value('vehicleId'))
      .where('outcome', '=', sql.lit('open'))
      .where(member(sql.ref('configuration'), 'bulkJobId'), '=', value('jobId')),
);

/** `BulkStore.lease` */
export function* lease(query: Parameters<BulkStore['lease']>[0]): Transaction<readonly BulkWorkItem[]> {
  const { nowMs, leaseMs, limit, holder = '' } = query;
  const workItems: BulkWorkItem[] = [];
  const features = new Map<string, BulkFeatures>();
  // Items settled here take no slot of the lease: it searches for more, a bounded number of times.
  for (let round = 0; round < ROUNDS && workItems.length < limit; round += 1) {
    const wanted = limit - workItems.length;
    const rows = yield* all(findDue, { ...underWayOf(query.underWay), nowMs, wanted });
    const taken = new Map<string, number[]>();
    for (const row of rows) {
      const { job_id: jobId, position } = row;
      const reason = whyEnded(row, row.detail, nowMs);
      if (reason !== undefined) {
        yield* failItem({ jobId, position }, reason);
        continue;
      }
      const parsed = features.get(jobId) ?? (JSON.parse(row.features) as BulkFeatures);
      features.set(jobId, parsed);
      workItems.push(toWorkItem(row, parsed));
      const positions = taken.get(jobId);
      if (positions === undefined) taken.set(jobId, [position]);
      else positions.push(position);
    }
    for (const [jobId, positions] of taken)
      yield* run(take, { jobId, positions, atMs: nowMs, leaseEndsMs: nowMs + leaseMs, holder });
    if (rows.length < wanted) break;
  }
  return workItems;
}

/** `BulkStore.release` */
export function* release(holder: string, nowMs: number): Transaction<void> {
  for (const { job_id: jobId, vehicle_id: vehicleId } of yield* all(free, { holder, nowMs }))
    yield* run(giveUp, { vehicleId, jobId, atMs: nowMs });
}

type DueRow = typeof findDue extends Statement<infer _, infer Row> ? Row : never;

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
