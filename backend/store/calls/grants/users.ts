import { sql } from 'kysely';
import { limits } from '../../../base/limits.ts';
import { type GrantsStore, NameTaken, type User } from '../../port/grants-store.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import type { Tables } from '../../statements/tables.ts';
import { type Calls, first, run } from '../../statements/transaction.ts';

const saveUser = statement(
  (
    { query },
    value: ValueOf<{
      id: string;
      fleetId: string;
      name: string;
      passwordHash: string;
      permissions: string;
      createdMs: number;
    }>,
  ) =>
    query
      .insertInto('users')
      .values({
        id: value('id'),
        fleet_id: value('fleetId'),
        name: value('name'),
        password_hash: value('passwordHash'),
        permissions: value('permissions'),
        created_ms: value('createdMs'),
      })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((row) => ({
          fleet_id: row.ref('excluded.fleet_id'),
          name: row.ref('excluded.name'),
          password_hash: row.ref('excluded.password_hash'),
          permissions: row.ref('excluded.permissions'),
        })),
      ),
);
const findUser = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.selectFrom('users').selectAll().where('id', '=', value('id')),
);
const findUserByName = statement(({ query }, value: ValueOf<{ name: string }>) =>
  query.selectFrom('users').selectAll().where('name', '=', value('name')),
);
const deleteUser = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.deleteFrom('users').where('id', '=', value('id')),
);

const saveSession = statement(
  ({ query }, value: ValueOf<{ digest: string; userId: string; signedInMs: number; expiresMs: number }>) =>
    query.insertInto('sessions').values({
      digest: value('digest'),
      user_id: value('userId'),
      signed_in_ms: value('signedInMs'),
      expires_ms: value('expiresMs'),
    }),
);
const pruneSessions = statement(({ query, unlockedOnly }, value: ValueOf<{ atMs: number }>) =>
  query
    .deleteFrom('sessions')
    .where('digest', 'in', (some) =>
      some
        .selectFrom('sessions')
        .select('digest')
        .where('expires_ms', '<=', value('atMs'))
        .limit(sql.lit(limits.prunedPerCall))
        .modifyEnd(unlockedOnly),
    ),
);
const findSession = statement(({ query }, value: ValueOf<{ digest: string; atMs: number }>) =>
  query
    .selectFrom('sessions')
    .selectAll()
    .where('digest', '=', value('digest'))
    .where('expires_ms', '>', value('atMs')),
);
const endSession = statement(({ query }, value: ValueOf<{ digest: string }>) =>
  query.deleteFrom('sessions').where('digest', '=', value('digest')),
);

type UsersStore = Pick<
  GrantsStore,
  'saveUser' | 'findUser' | 'findUserByName' | 'deleteUser' | 'openSession' | 'findSession' | 'endSession'
>;

/** Users and their sessions. */
export function userCalls(): Calls<UsersStore> {
  return {
    *saveUser(user) {
      const other = yield* first(findUserByName, { name: user.name });
      if (other !== undefined && other.id !== user.id) throw new NameTaken(`${user.name} is taken.`);
      yield* run(saveUser, { ...user, permissions: JSON.stringify(user.permissions) });
    },
    *findUser(userId) {
      return userOf(yield* first(findUser, { id: userId }));
    },
    *findUserByName(name) {
      return userOf(yield* first(findUserByName, { name }));
    },
    *deleteUser(userId) {
      yield* run(deleteUser, { id: userId });
    },
    *openSession(session) {
      yield* run(pruneSessions, { atMs: session.signedInMs });
      yield* run(saveSession, { ...session });
    },
    *findSession(digest, atMs) {
      const row = yield* first(findSession, { digest, atMs });
      if (row === undefined) return undefined;
      return { digest, userId: row.user_id, signedInMs: row.signed_in_ms, expiresMs: row.expires_ms };
    },
    *endSession(digest) {
      yield* run(endSession, { digest });
    },
  };
}

function userOf(row: Tables['users'] | undefined): User | undefined {
  if (row === undefined) return undefined;
  return {
    id: row.id,
    fleetId: row.fleet_id,
    name: row.name,
    passwordHash: row.password_hash,
    permissions: JSON.parse(row.permissions) as readonly string[],
    createdMs: row.created_ms,
  };
}
