import { type Expression, sql } from 'kysely';
import type { ThirdPartyStore } from '../../port/third-party-store.ts';
import type { Dialect } from '../../statements/dialect.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { all, type Calls, first, run } from '../../statements/transaction.ts';

/** How often linked and removed vehicles are searched for, which reads all of them. */
const KEPT_MS = 5_000;

const forget = statement(({ query }) =>
  query
    .deleteFrom('third_party')
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('vehicles')
            .select('id')
            .whereRef('id', '=', 'vehicle_id')
            .where('maker', 'is not', null),
        ),
      ),
    ),
);
const beginAll = statement((dialect) => beginPolling(dialect));

/**
 * Adds rows for vehicles behind makers' clouds that have none: of version 1, and due at once. For all of them, or for one
 * by its id.
 */
export function beginPolling({ query }: Dialect, vehicleId?: Expression<string>) {
  return query
    .insertInto('third_party')
    .columns(['vehicle_id', 'version', 'due_ms', 'failures'])
    .expression((some) => {
      const linked = some
        .selectFrom('vehicles')
        .select(['id', sql.lit(1).as('version'), sql.lit(0).as('due_ms'), sql.lit(0).as('failures')])
        .where('maker', 'is not', null);
      return vehicleId === undefined ? linked : linked.where('id', '=', vehicleId);
    })
    .onConflict((conflict) => conflict.doNothing());
}

/** CROSS JOIN: by the index of the due times, since this is called many times a second. */
function polls({ query }: Dialect) {
  return query
    .selectFrom('third_party as t')
    .crossJoin('vehicles as v')
    .whereRef('v.id', '=', 't.vehicle_id');
}

const due = statement(
  (dialect, value: ValueOf<{ makers: readonly string[]; nowMs: number; limit: number }>, list) =>
    polls(dialect)
      .select(['t.vehicle_id', 'v.maker', 'v.maker_vehicle_id', 't.failures'])
      .where('v.maker', 'in', dialect.texts(list('makers')))
      .where('t.due_ms', '<=', value('nowMs'))
      .orderBy('t.due_ms')
      .orderBy('t.vehicle_id')
      .limit(dialect.most(value('limit')))
      .modifyEnd(dialect.unlockedOnlyOf('t')),
);
const lease = statement(
  ({ query, texts }, value: ValueOf<{ vehicleIds: readonly string[]; untilMs: number }>, list) =>
    query
      .updateTable('third_party')
      .set({ due_ms: value('untilMs') })
      .where('vehicle_id', 'in', texts(list('vehicleIds'))),
);
const postpone = statement(
  ({ query }, value: ValueOf<{ vehicleId: string; dueMs: number; failures: number }>) =>
    query
      .updateTable('third_party')
      .set({ due_ms: value('dueMs'), failures: value('failures') })
      .where('vehicle_id', '=', value('vehicleId')),
);
const next = statement((dialect, _value: ValueOf<{ makers: readonly string[] }>, list) =>
  polls(dialect)
    .select('t.due_ms')
    .where('v.maker', 'in', dialect.texts(list('makers')))
    .orderBy('t.due_ms')
    .limit(sql.lit(1)),
);

/** When vehicles behind makers' clouds are polled. */
export function pollCalls(): Calls<Pick<ThirdPartyStore, 'claim' | 'postpone' | 'nextDue'>> {
  let keptUntilMs = Number.NEGATIVE_INFINITY;
  return {
    *claim({ makers, nowMs, leasedUntilMs, limit }) {
      const isKept = nowMs >= keptUntilMs - KEPT_MS && nowMs < keptUntilMs;
      if (!isKept) {
        yield* run(forget, {});
        yield* run(beginAll, {});
      }
      const rows = yield* all(due, { makers, nowMs, limit });
      const vehicleIds = rows.map((row) => row.vehicle_id);
      if (rows.length > 0) yield* run(lease, { vehicleIds, untilMs: leasedUntilMs });
      // At the end: a retried transaction searches again. If the commit then fails, the next search is soon enough.
      if (!isKept) keptUntilMs = nowMs + KEPT_MS;
      return rows.map((row) => ({
        vehicleId: row.vehicle_id,
        maker: row.maker ?? '',
        makerVehicleId: row.maker_vehicle_id ?? '',
        failures: row.failures,
      }));
    },
    *postpone(vehicleId, dueMs, failures) {
      yield* run(postpone, { vehicleId, dueMs, failures });
    },
    *nextDue(makers) {
      return (yield* first(next, { makers }))?.due_ms;
    },
  };
}
