import { sql } from 'kysely';
import type { Installation, InstallationStore } from '../port/installation-store.ts';
import { statement, type ValueOf } from '../statements/statement.ts';
import { type Calls, first, run, type Transaction } from '../statements/transaction.ts';

const begin = statement(({ query }, value: ValueOf<{ id: string; keyId: string; createdMs: number }>) =>
  query
    .insertInto('installation')
    .values({ one: sql.lit(1), id: value('id'), key_id: value('keyId'), created_ms: value('createdMs') })
    .onConflict((conflict) => conflict.column('one').doNothing()),
);
const look = statement(({ query }) =>
  query.selectFrom('installation').select(['id', 'key_id', 'created_ms']),
);
const setKey = statement(({ query }, value: ValueOf<{ keyId: string; before: string }>) =>
  query
    .updateTable('installation')
    .set({ key_id: value('keyId') })
    .where('key_id', '=', value('before')),
);

/** The common identity of the backends on this store: one row. */
export function installationCalls(): Calls<InstallationStore> {
  return {
    *claim(offered) {
      yield* run(begin, { id: offered.id, keyId: offered.keyId, createdMs: offered.createdMs });
      return (yield* found()) ?? offered;
    },
    find: found,
    *setKey(keyId, before) {
      return (yield* run(setKey, { keyId, before })) === 1;
    },
  };
}

function* found(): Transaction<Installation | undefined> {
  const row = yield* first(look, {});
  return row && { id: row.id, keyId: row.key_id, createdMs: row.created_ms };
}
