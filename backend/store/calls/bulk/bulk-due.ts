import { type SqlBool, sql } from 'kysely';
import type { BulkPlace } from '../../port/bulk-store.ts';
import type { Dialect } from '../../statements/dialect.ts';
import { type ListOf, statement, type ValueOf } from '../../statements/statement.ts';
import { all, first, run, type Transaction } from '../../statements/transaction.ts';

/** The items that a caller is processing, as a list of texts. */
export type UnderWay = { underWay: readonly string[] };

/** Such a list; empty if absent. */
export function underWayOf(places: readonly BulkPlace[] = []): UnderWay {
  return { underWay: places.map(({ jobId, position }) => `${jobId}:${position}`) };
}

/** An item that is not among those. */
export function isNotUnderWay({ texts }: Dialect, list: ListOf<UnderWay>) {
  return sql<SqlBool>`job_id || ':' || cast(position as text) not in ${texts(list('underWay'))}`;
}

const findNextDue = statement((dialect, _value: ValueOf<UnderWay>, list) =>
  dialect.query
    .selectFrom('bulk_items')
    .select('due_ms')
    .where('status', '=', sql.lit('pending'))
    .where(isNotUnderWay(dialect, list))
    .orderBy('due_ms')
    .limit(sql.lit(1)),
);

type Now = { nowMs: number };

/** Waiting ones are due now; those in progress when they fail. */
function hasten({ query, smaller }: Dialect, value: ValueOf<Now>) {
  return query
    .updateTable('bulk_items')
    .set((item) => ({
      step: sql.lit(0),
      is_hastened: item.ref('is_leased'),
      due_ms: item
        .case()
        .when('is_leased', '=', sql.lit(1))
        .then(item.ref('due_ms'))
        .else(smaller(item.ref('due_ms'), value('nowMs')))
        .end(),
    }))
    .where('status', '=', sql.lit('pending'));
}

// Boxes connect all the time, and few have pending items: without any, nothing is written.
const hastenOfBoxes = statement((dialect, value: ValueOf<Now & { boxIds: readonly string[] }>, list) =>
  hasten(dialect, value)
    .where('vehicle_id', 'in', (vehicle) =>
      vehicle
        .selectFrom('vehicles as v')
        .select('v.id')
        .where('v.box_id', 'in', dialect.texts(list('boxIds'))),
    )
    .returning('is_leased'),
);
const hastenConnected = statement((dialect, value: ValueOf<Now>) =>
  hasten(dialect, value).where('vehicle_id', 'in', (vehicle) =>
    vehicle
      .selectFrom('vehicles as v')
      .innerJoin('boxes as b', 'b.id', 'v.box_id')
      .select('v.id')
      .where('b.connection_open', '=', sql.lit(1))
      .where('b.not_ready_until_ms', 'is', null),
  ),
);

/** `BulkStore.makeDueNow` */
export function* makeDueNow(
  boxIds: readonly string[],
  nowMs: number,
): Transaction<{ readonly isAnyDue: boolean }> {
  const rows = yield* all(hastenOfBoxes, { boxIds, nowMs });
  return { isAnyDue: rows.some((row) => row.is_leased === 0) };
}

/** `BulkStore.makeConnectedDueNow` */
export function* makeConnectedDueNow(nowMs: number): Transaction<void> {
  yield* run(hastenConnected, { nowMs });
}

/** `BulkStore.nextDueMs` */
export function* nextDueMs(underWay?: readonly BulkPlace[]): Transaction<number | undefined> {
  return (yield* first(findNextDue, underWayOf(underWay)))?.due_ms;
}
