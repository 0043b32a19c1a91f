import { sql } from 'kysely';
import type { QuotaAllotment, QuotaStore, QuotaWish } from '../port/quota-store.ts';
import { StoreFailed } from '../port/store.ts';
import { statement, type ValueOf } from '../statements/statement.ts';
import { type Calls, first, run } from '../statements/transaction.ts';

/** Quotas without a call for this long are removed, a few with each new window. */
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

/** The part of a quota that may be assigned and unused: that much may remain when a call is refused. */
const UNUSED_FRACTION = 0.1;

/** The assigned part of a client's quota. Times are those of the store's clock, in milliseconds since 1970. */
export interface QuotaWindow {
  readonly endsMs: number;
  /** Assigned calls. */
  readonly granted: number;
  /** Assigned calls that are known to be used. */
  readonly used: number;
}

/**
 * Assigns calls, never more than the limit in a window. Beyond its waiting calls, a backend gets half of what may still
 * be unused: so a single one requests blocks, several each get some, and a call is refused only once at most a tenth of
 * the limit is assigned and unused. Total. `before`: undefined if nothing is known of the client.
 */
export function allot(
  before: QuotaWindow | undefined,
  { limit, windowMs, wanted, spent }: QuotaWish,
  nowMs: number,
): { readonly window: QuotaWindow; readonly allotment: QuotaAllotment } {
  // A window that ends later than any possible one was written before the clock was set back.
  const isOver = before === undefined || before.endsMs <= nowMs || before.endsMs > nowMs + windowMs;
  const current = isOver ? { endsMs: nowMs + windowMs, granted: 0, used: 0 } : before;
  const told = spent?.endsMs === current.endsMs ? spent.calls : 0;
  const used = Math.min(current.granted, current.used + told);
  const unused = current.granted - used;
  const spare = Math.floor((limit * UNUSED_FRACTION - unused) / 2);
  const calls = Math.max(0, Math.min(limit - current.granted, Math.max(wanted, spare)));
  const { endsMs } = current;
  const granted = current.granted + calls;
  return {
    window: { endsMs, granted, used },
    allotment: { calls, left: Math.max(0, limit - granted), endsMs, remainingMs: endsMs - nowMs },
  };
}
