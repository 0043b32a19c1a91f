import { sql } from 'kysely';
import type { CensusStore } from '../port/census-store.ts';
import { statement, type ValueOf } from '../statements/statement.ts';
import { type Calls, first, run } from '../statements/transaction.ts';

/** Over all boxes (ten thousand take a few milliseconds), and by the index of pending items. */
const count = statement(({ query }) =>
  query.selectNoFrom((row) => [
    row
      .selectFrom('boxes')
      .select(row.fn.countAll<number>().as('boxes'))
      .where('connection_open', '=', sql.lit(1))
      .as('boxesConnected'),
    row
      .selectFrom('bulk_items')
      .select(row.fn.countAll<number>().as('items'))
      .where('status', '=', sql.lit('pending'))
      .as('bulkItemsPending'),
  ]),
);
const probe = statement(({ query }, value: ValueOf<{ atMs: number }>) =>
  query
    .insertInto('write_probe')
    .values({ id: sql.lit(1), at_ms: value('atMs') })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ at_ms: (row) => row.ref('excluded.at_ms') }),
    ),
);

/** Counts, and whether writes work. */
export function censusCalls(): Calls<CensusStore> {
  return {
    *count() {
      const counted = yield* first(count, {});
      return {
        boxesConnected: counted?.boxesConnected ?? 0,
        bulkItemsPending: counted?.bulkItemsPending ?? 0,
      };
    },
    *probe(atMs) {
      yield* run(probe, { atMs });
    },
  };
}
