import { sql } from 'kysely';
import type { QuotaStore } from '../port/quota-store.ts';
import { StoreFailed } from '../port/store.ts';
import { statement, type ValueOf } from '../statements/statement.ts';
import { type Calls, first, run } from '../statements/transaction.ts';
import { allot } from './quota-allotment.ts';

/** Quotas that no call was counted in for so long are removed, a few with each window that begins. */
const KEPT_MS = 10 * 60_000;
const REMOVED_PER_CALL = 10;

const find = statement(({ query, nowMs, locked }, value: ValueOf<{ clientId: string }>) =>
  query
    .selectFrom('quotas')
    .select(['ends_ms', 'granted', 'used', sql<number>`${nowMs}`.as('now_ms')])
    .where('client_id', '=', value('clientId'))
    .modifyEnd(locked),
);
const begin = statement(({ query, nowMs }, value: ValueOf<{ clientId: string }>) =>
  query
    .insertInto('quotas')
    .values({ client_id: value('clientId'), ends_ms: nowMs, granted: sql.lit(0), used: sql.lit(0) })
    .onConflict((conflict) => conflict.column('client_id').doNothing()),
);
const write = statement(
  ({ query }, value: ValueOf<{ clientId: string; endsMs: number; granted: number; used: number }>) =>
    query
      .updateTable('quotas')
      .set({ ends_ms: value('endsMs'), granted: value('granted'), used: value('used') })
      .where('client_id', '=', value('clientId')),
);
const removeOld = statement(
  ({ query, most, unlockedOnly }, value: ValueOf<{ endedMs: number; limit: number }>) =>
    query.deleteFrom('quotas').where('client_id', 'in', (old) =>
      old
        .selectFrom('quotas')
        .select('client_id')
        .where('ends_ms', '<', value('endedMs'))
        .orderBy('ends_ms')
        .limit(most(value('limit')))
        .modifyEnd(unlockedOnly),
    ),
);

/** Quotas that backends share. Each call locks the row of its client. */
export function quotaCalls(): Calls<QuotaStore> {
  return {
    *take(clientId, wish) {
      let row = yield* first(find, { clientId });
      if (row === undefined) {
        // Another one may begin it at the same time: then its row is found.
        yield* run(begin, { clientId });
        row = yield* first(find, { clientId });
      }
      if (row === undefined) throw new StoreFailed('The quota of a client was removed when it was begun.');
      const { ends_ms: endsMs, granted, used, now_ms: nowMs } = row;
      const { window, allotment } = allot({ endsMs, granted, used }, wish, nowMs);
      yield* run(write, { clientId, ...window });
      if (window.endsMs !== endsMs)
        yield* run(removeOld, { endedMs: nowMs - KEPT_MS, limit: REMOVED_PER_CALL });
      return allotment;
    },
  };
}
