import { sql } from 'kysely';
import type { InstallationStore } from '../port/installation-store.ts';
import { statement, type ValueOf } from '../statements/statement.ts';
import { type Calls, first, run } from '../statements/transaction.ts';

const begin = statement(({ query }, value: ValueOf<{ id: string; keyId: string; createdMs: number }>) =>
  query
    .insertInto('installation')
    .values({ one: sql.lit(1), id: value('id'), key_id: value('keyId'), created_ms: value('createdMs') })
    .onConflict((conflict) => conflict.column('one').doNothing()),
);
const find = statement(({ query }) =>
  query.selectFrom('installation').select(['id', 'key_id', 'created_ms']),
);
const setKey = statement(({ query }, value: ValueOf<{ keyId: string; before: string }>) =>
  query
    .updateTable('installation')
    .set({ key_id: value('keyId') })
    .where('key_id', '=', value('before')),
);

/** As whom the backends on this store appear: one row. */
export function installationCalls(): Calls<InstallationStore> {
  return {
    *claim(offered) {
      yield* run(begin, { id: offered.id, keyId: offered.keyId, createdMs: offered.createdMs });
      const row = yield* first(find, {});
      if (row === undefined) return offered;
      return { id: row.id, keyId: row.key_id, createdMs: row.created_ms };
    },
    *setKey(keyId, before) {
      return (yield* run(setKey, { keyId, before })) === 1;
    },
  };
}
