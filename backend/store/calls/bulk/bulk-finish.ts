import { sql } from 'kysely';
import {
  type BulkPlace,
  type BulkReason,
  type BulkResult,
  OVERTAKEN,
  outOfTime,
} from '../../port/bulk-store.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { first, run, type Transaction } from '../../statements/transaction.ts';

type Place = { jobId: string; position: number };

// A subquery, no join: docs/store.md, Parameters beside a join. It also locks only the item.
const findItem = statement(({ query, locked }, value: ValueOf<Place>) =>
  query
    .selectFrom('bulk_items as i')
    .select(['i.status', 'i.attempts', 'i.step', 'i.is_overtaken', 'i.is_hastened'])
    .select((item) => {
      const expiry = item
        .selectFrom('bulk_jobs as j')
        .select('j.expires_ms')
        .whereRef('j.id', '=', 'i.job_id');
      return sql<number>`${expiry}`.as('expires_ms');
    })
    .where('i.job_id', '=', value('jobId'))
    .where('i.position', '=', value('position'))
    .modifyEnd(locked),
);
const apply = statement(({ query }, value: ValueOf<Place>) =>
  query
    .updateTable('bulk_items')
    .set({ status: sql.lit('applied'), reason: sql.lit(''), detail: sql.lit('') })
    .where('job_id', '=', value('jobId'))
    .where('position', '=', value('position')),
);
const postpone = statement(
  ({ query }, value: ValueOf<Place & { dueMs: number; step: number; detail: string }>) =>
    query
      .updateTable('bulk_items')
      .set({
        due_ms: value('dueMs'),
        step: value('step'),
        is_leased: sql.lit(0),
        is_hastened: sql.lit(0),
        detail: value('detail'),
      })
      .where('job_id', '=', value('jobId'))
      .where('position', '=', value('position')),
);
const fail = statement(({ query }, value: ValueOf<Place & { problem: string; detail: string }>) =>
  query
    .updateTable('bulk_items')
    .set({ status: sql.lit('failed'), reason: value('problem'), detail: value('detail') })
    .where('job_id', '=', value('jobId'))
    .where('position', '=', value('position')),
);

/** `BulkStore.finish` */
export function* finish(results: readonly BulkResult[], nowMs: number): Transaction<void> {
  for (const result of results) yield* finishOne(result, nowMs);
}

function* finishOne(result: BulkResult, nowMs: number): Transaction<void> {
  const { jobId, position } = result;
  const place = { jobId, position };
  const item = yield* first(findItem, place);
  if (item?.status !== 'pending') return;
  // Whichever attempt the box confirmed: it has the configuration.
  if (result.outcome === 'applied') {
    yield* run(apply, place);
    return;
  }
  if (item.attempts !== result.attempt) return;
  if (result.outcome === 'failed') {
    yield* failItem(place, result.reason);
    return;
  }
  const { detail } = result.reason;
  const reason = whyEnded(item, detail, nowMs);
  if (reason !== undefined) {
    yield* failItem(place, reason);
    return;
  }
  const isHastened = item.is_hastened === 1;
  const dueMs = Math.min(isHastened ? nowMs : result.dueMs, item.expires_ms);
  yield* run(postpone, { ...place, dueMs, step: isHastened ? 0 : item.step + 1, detail });
}

/** Why an item without a result is not tried again; undefined: it is. `last`: the problem of its last attempt. */
export function whyEnded(
  item: { readonly is_overtaken: number; readonly expires_ms: number },
  last: string,
  nowMs: number,
): BulkReason | undefined {
  if (item.is_overtaken === 1) return OVERTAKEN;
  return item.expires_ms <= nowMs ? outOfTime(last) : undefined;
}

/** Stores the failure of a pending vehicle. */
export function* failItem(
  { jobId, position }: BulkPlace,
  { problem, detail }: BulkReason,
): Transaction<void> {
  yield* run(fail, { jobId, position, problem, detail });
}
