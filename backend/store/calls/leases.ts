import { sql } from 'kysely';
import { PARTITIONS } from '../../../protocol/partitions.ts';
import type { HeldLease, LeaseStore } from '../port/lease-store.ts';
import { type ListOf, statement, type ValueOf } from '../statements/statement.ts';
import { all, type Calls, first, run, type Transaction } from '../statements/transaction.ts';

const showBackend = statement(
  ({ query, nowMs, larger }, value: ValueOf<{ backend: string; leaseMs: number }>) =>
    query
      .insertInto('backends')
      .values({ name: value('backend'), expires_ms: sql<number>`${nowMs} + ${value('leaseMs')}` })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((row) => ({
          expires_ms: larger(row.ref('backends.expires_ms'), row.ref('excluded.expires_ms')),
        })),
      ),
);
// A partition locked by another backend's call is left to that call, which may be stalled.
const forgetBackends = statement(
  ({ query, nowMs, inOrder, unlockedOnly }, value: ValueOf<{ backend: string }>) =>
    query
      .deleteFrom('backends')
      .where('name', 'in', (rows) =>
        rows
          .selectFrom('backends')
          .select('name')
          .where('expires_ms', '<=', nowMs)
          .where('name', '<>', value('backend'))
          .orderBy(inOrder('name'))
          .modifyEnd(unlockedOnly),
      ),
);
const forgetBackend = statement(({ query }, value: ValueOf<{ backend: string }>) =>
  query.deleteFrom('backends').where('name', '=', value('backend')),
);
const listBackends = statement(({ query, inOrder }) =>
  query.selectFrom('backends').select('name').orderBy(inOrder('name')),
);
// All callers lock the rows in one order, so that no two wait for each other. Renewing changes neither holder nor
// number: so it does not wait for commits of the holder, which may themselves wait for something else.
const renew = statement(
  ({ query, nowMs, lockedByKey }, value: ValueOf<{ backend: string; leaseMs: number }>) =>
    query
      .updateTable('partition_leases')
      .set({ expires_ms: sql<number>`${nowMs} + ${value('leaseMs')}` })
      .where(lockedByKey('partition_leases', 'partition', sql`holder = ${value('backend')}`))
      .returning(['partition', 'fence', 'is_settled']),
);
// `unlockedOnly` excludes commits until the end of this transaction, also after the change of the row. That change
// alone would not: to PostgreSQL it is like a renewal, which does not block commits, and they see the previous number.
const findFree = statement(({ query, nowMs, most, unlockedOnly }, value: ValueOf<{ wanted: number }>) =>
  query
    .selectFrom('partition_leases')
    .select(['partition', 'fence', 'is_settled', 'holder'])
    .where((where) => where.or([where('holder', '=', sql.lit('')), where('expires_ms', '<=', nowMs)]))
    .orderBy('partition')
    .limit(most(value('wanted')))
    .modifyEnd(unlockedOnly),
);
const take = statement(
  (
    { query, nowMs },
    value: ValueOf<{ backend: string; leaseMs: number; partition: number; isSettled: number }>,
  ) =>
    query
      .updateTable('partition_leases')
      .set({
        holder: value('backend'),
        fence: sql<number>`fence + 1`,
        expires_ms: sql<number>`${nowMs} + ${value('leaseMs')}`,
        is_settled: value('isSettled'),
      })
      .where('partition', '=', value('partition')),
);
const findSession = statement(
  ({ query, lockedBesideShared }, value: ValueOf<{ backend: string; partition: number; fence: number }>) =>
    query
      .selectFrom('partition_leases')
      .select('is_subscribed')
      .where('partition', '=', value('partition'))
      .where('fence', '=', value('fence'))
      .where('holder', '=', value('backend'))
      .modifyEnd(lockedBesideShared),
);
const beginSession = statement(({ query, nowMs }, value: ValueOf<{ partition: number; leaseMs: number }>) =>
  query
    .updateTable('partition_leases')
    .set({ is_subscribed: sql.lit(0), expires_ms: sql<number>`${nowMs} + ${value('leaseMs')}` })
    .where('partition', '=', value('partition')),
);
const setSubscribed = statement(({ query }, value: ValueOf<{ partition: number; fence: number }>) =>
  query
    .updateTable('partition_leases')
    .set({ is_subscribed: sql.lit(1) })
    .where('partition', '=', value('partition'))
    .where('fence', '=', value('fence')),
);
// Neither waits for commits under the released number: the next holder of the partition does.
const free = statement(
  ({ query }, value: ValueOf<{ backend: string; partition: number; fence: number; isSettled: number }>) =>
    query
      .updateTable('partition_leases')
      .set({ holder: sql.lit(''), is_settled: value('isSettled') })
      .where('partition', '=', value('partition'))
      .where('fence', '=', value('fence'))
      .where('holder', '=', value('backend')),
);
const freeAll = statement(({ query }, value: ValueOf<{ backend: string }>) =>
  query
    .updateTable('partition_leases')
    .set({ holder: sql.lit(''), is_settled: sql.lit(0) })
    .where('holder', '=', value('backend')),
);
const current = statement(
  (
    { query, numbers, shared },
    _: ValueOf<{ partitions: readonly number[] }>,
    list: ListOf<{ partitions: readonly number[] }>,
  ) =>
    query
      .selectFrom('partition_leases')
      .select(['partition', 'fence'])
      .where('partition', 'in', numbers(list('partitions')))
      .orderBy('partition')
      .modifyEnd(shared),
);

/** Leases of partitions. */
export function leaseCalls(): Calls<LeaseStore> {
  return {
    *look({ backend, leaseMs }) {
      yield* run(showBackend, { backend, leaseMs });
      yield* run(forgetBackends, { backend });
      const names = (yield* all(listBackends, {})).map(({ name }) => name);
      const share = shareOf(names, backend);
      const held = (yield* all(renew, { backend, leaseMs })).map(toHeld);
      if (held.length < share) {
        for (const row of yield* all(findFree, { wanted: share - held.length })) {
          // Only a holder that releases a partition knows that all is committed.
          const isSettled = row.holder === '' ? row.is_settled : 0;
          yield* run(take, { backend, leaseMs, partition: row.partition, isSettled });
          held.push(toHeld({ ...row, fence: row.fence + 1, is_settled: isSettled }));
        }
      }
      held.sort((one, other) => one.partition - other.partition);
      return { held, surplus: Math.max(0, held.length - share), backends: names.length };
    },
    *beginSession({ backend, leaseMs, lease: { partition, fence } }) {
      const row = yield* first(findSession, { backend, partition, fence });
      if (row === undefined) return undefined;
      yield* run(beginSession, { partition, leaseMs });
      return { wasSubscribed: row.is_subscribed === 1 };
    },
    *sessionSubscribed({ partition, fence }) {
      yield* run(setSubscribed, { partition, fence });
    },
    *release({ backend, leases, isSettled }) {
      for (const { partition, fence } of leases)
        yield* run(free, { backend, partition, fence, isSettled: isSettled ? 1 : 0 });
    },
    *leave(backend) {
      yield* run(freeAll, { backend });
      yield* run(forgetBackend, { backend });
    },
  };
}

/**
 * Within the transaction of a holder's writes: the partitions among `leases` that another backend has taken meanwhile.
 * The others do not change until the commit.
 */
export function* lostLeases(
  leases: readonly { readonly partition: number; readonly fence: number }[],
): Transaction<readonly number[]> {
  const rows = yield* all(current, { partitions: leases.map(({ partition }) => partition) });
  const fences = new Map(rows.map(({ partition, fence }) => [partition, fence]));
  return leases
    .filter(({ partition, fence }) => fences.get(partition) !== fence)
    .map(({ partition }) => partition);
}

/** How many partitions are the share of `backend`: all of them, divided evenly; the first backends have one more. */
function shareOf(names: readonly string[], backend: string): number {
  const index = names.indexOf(backend);
  return Math.floor(PARTITIONS / names.length) + (index < PARTITIONS % names.length ? 1 : 0);
}

function toHeld(row: {
  readonly partition: number;
  readonly fence: number;
  readonly is_settled: number;
}): HeldLease {
  return { partition: row.partition, fence: row.fence, isSettled: row.is_settled === 1 };
}
