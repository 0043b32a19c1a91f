import { sql } from 'kysely';
import { limits } from '../../../base/limits.ts';
import type { FoundSecret, Grant, GrantsStore } from '../../port/grants-store.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import type { Tables } from '../../statements/tables.ts';
import { type Calls, first, run } from '../../statements/transaction.ts';
import { userCalls } from './users.ts';

/** The ordinal of the code; refresh tokens have the following ones. */
const CODE = 0;

const saveGrant = statement(
  (
    { query },
    value: ValueOf<{
      id: string;
      clientId: string;
      userId: string;
      scope: string;
      redirectUri: string;
      codeChallenge: string;
      nonce: string | null;
      signedInMs: number;
      expiresMs: number;
    }>,
  ) =>
    query.insertInto('grants').values({
      id: value('id'),
      client_id: value('clientId'),
      user_id: value('userId'),
      scope: value('scope'),
      redirect_uri: value('redirectUri'),
      code_challenge: value('codeChallenge'),
      nonce: value('nonce'),
      signed_in_ms: value('signedInMs'),
      expires_ms: value('expiresMs'),
    }),
);
const pruneGrants = statement(({ query, unlockedOnly }, value: ValueOf<{ atMs: number }>) =>
  query
    .deleteFrom('grants')
    .where('id', 'in', (some) =>
      some
        .selectFrom('grants')
        .select('id')
        .where('expires_ms', '<=', value('atMs'))
        .limit(sql.lit(limits.prunedPerCall))
        .modifyEnd(unlockedOnly),
    ),
);
/** The newest one that is too many, and all older ones: ids rise. */
const pruneOfUser = statement(({ query }, value: ValueOf<{ userId: string; clientId: string }>) =>
  query
    .deleteFrom('grants')
    .where('user_id', '=', value('userId'))
    .where('client_id', '=', value('clientId'))
    .where('id', '<=', (some) =>
      some
        .selectFrom('grants')
        .select('id')
        .where('user_id', '=', value('userId'))
        .where('client_id', '=', value('clientId'))
        .orderBy('id', 'desc')
        .limit(sql.lit(1))
        .offset(sql.lit(limits.grantsOfUser)),
    ),
);
const findGrant = statement(({ query }, value: ValueOf<{ id: string; atMs: number }>) =>
  query
    .selectFrom('grants')
    .selectAll()
    .where('id', '=', value('id'))
    .where('expires_ms', '>', value('atMs')),
);
const endGrant = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.deleteFrom('grants').where('id', '=', value('id')),
);
const extendGrant = statement(({ query, larger }, value: ValueOf<{ id: string; untilMs: number }>) =>
  query
    .updateTable('grants')
    .set((row) => ({ expires_ms: larger(row.ref('expires_ms'), value('untilMs')) }))
    .where('id', '=', value('id')),
);

const saveSecret = statement(
  ({ query }, value: ValueOf<{ digest: string; grantId: string; ordinal: number; expiresMs: number }>) =>
    query.insertInto('grant_secrets').values({
      digest: value('digest'),
      grant_id: value('grantId'),
      ordinal: value('ordinal'),
      expires_ms: value('expiresMs'),
    }),
);
const lastOrdinal = statement(({ query }, value: ValueOf<{ grantId: string }>) =>
  query
    .selectFrom('grant_secrets')
    .select((row) => row.fn.max('ordinal').as('ordinal'))
    .where('grant_id', '=', value('grantId')),
);
/** The code stays: a client that sends it again ends the grant. */
const pruneSecrets = statement(({ query }, value: ValueOf<{ grantId: string; upTo: number }>) =>
  query
    .deleteFrom('grant_secrets')
    .where('grant_id', '=', value('grantId'))
    .where('spent', '=', sql.lit(1))
    .where('ordinal', '>', sql.lit(CODE))
    .where('ordinal', '<=', value('upTo')),
);
const findSecret = statement(({ query, fixed }, value: ValueOf<{ digest: string }>) =>
  query
    .selectFrom('grant_secrets')
    .innerJoin('grants', 'grants.id', 'grant_secrets.grant_id')
    .selectAll('grants')
    .select([
      'ordinal',
      'grant_secrets.expires_ms as secret_expires_ms',
      'spent',
      'answer',
      'answer_until_ms',
    ])
    .where('digest', '=', fixed(value('digest'))),
);
const spendSecret = statement(({ query }, value: ValueOf<{ digest: string }>) =>
  query
    .updateTable('grant_secrets')
    .set({ spent: sql.lit(1) })
    .where('digest', '=', value('digest'))
    .where('spent', '=', sql.lit(0)),
);

const NO_ANSWER = { answer: sql.lit(null), answer_until_ms: sql.lit(null) };
const dropAnswers = statement(({ query }, value: ValueOf<{ grantId: string }>) =>
  query
    .updateTable('grant_secrets')
    .set(NO_ANSWER)
    .where('grant_id', '=', value('grantId'))
    .where('answer_until_ms', 'is not', null),
);
const pruneAnswers = statement(({ query, unlockedOnly }, value: ValueOf<{ atMs: number }>) =>
  query
    .updateTable('grant_secrets')
    .set(NO_ANSWER)
    .where('digest', 'in', (some) =>
      some
        .selectFrom('grant_secrets')
        .select('digest')
        .where('answer_until_ms', '<=', value('atMs'))
        .limit(sql.lit(limits.prunedPerCall))
        .modifyEnd(unlockedOnly),
    ),
);
const keepAnswer = statement(({ query }, value: ValueOf<{ digest: string; text: string; untilMs: number }>) =>
  query
    .updateTable('grant_secrets')
    .set({ answer: value('text'), answer_until_ms: value('untilMs') })
    .where('digest', '=', value('digest')),
);

/** Users, sessions and grants. */
export function grantsCalls(): Calls<GrantsStore> {
  return {
    ...userCalls(),
    *openGrant(grant, code, atMs) {
      const { scopes, nonce = null, ...others } = grant;
      yield* run(pruneGrants, { atMs });
      yield* run(saveGrant, { ...others, scope: JSON.stringify(scopes), nonce, expiresMs: code.expiresMs });
      yield* run(saveSecret, { ...code, grantId: grant.id, ordinal: CODE });
      yield* run(pruneOfUser, { userId: grant.userId, clientId: grant.clientId });
    },
    *findGrant(grantId, atMs) {
      const row = yield* first(findGrant, { id: grantId, atMs });
      return row === undefined ? undefined : grantOf(row);
    },
    *findSecret(digest) {
      const row = yield* first(findSecret, { digest });
      return row === undefined ? undefined : secretOf(row);
    },
    *spendSecret(digest) {
      return (yield* run(spendSecret, { digest })) === 1;
    },
    *exchangeSecret({ spent, next, answer }, atMs) {
      const found = yield* first(findSecret, { digest: spent });
      if (found === undefined) return 'gone';
      if ((yield* run(spendSecret, { digest: spent })) === 0) return 'spent';
      const grantId = found.id;
      yield* run(extendGrant, { id: grantId, untilMs: next.expiresMs });
      const ordinal = ((yield* first(lastOrdinal, { grantId }))?.ordinal ?? CODE) + 1;
      yield* run(saveSecret, { ...next, grantId, ordinal });
      yield* run(pruneSecrets, { grantId, upTo: ordinal - limits.spentSecretsOfGrant });
      yield* run(dropAnswers, { grantId });
      yield* run(pruneAnswers, { atMs });
      yield* run(keepAnswer, { ...answer, digest: spent });
      return 'done';
    },
    *endGrant(grantId) {
      yield* run(endGrant, { id: grantId });
    },
  };
}

type SecretRow = Tables['grants'] & {
  readonly ordinal: number;
  readonly secret_expires_ms: number;
  readonly spent: number;
  readonly answer: string | null;
  readonly answer_until_ms: number | null;
};

function secretOf(row: SecretRow): FoundSecret {
  const { answer: text, answer_until_ms: untilMs } = row;
  return {
    grant: grantOf(row),
    kind: row.ordinal === CODE ? 'code' : 'refresh',
    expiresMs: row.secret_expires_ms,
    isSpent: row.spent !== 0,
    ...(text === null || untilMs === null ? {} : { answer: { text, untilMs } }),
  };
}

function grantOf(row: Tables['grants']): Grant {
  return {
    id: row.id,
    clientId: row.client_id,
    userId: row.user_id,
    scopes: JSON.parse(row.scope) as readonly string[],
    redirectUri: row.redirect_uri,
    codeChallenge: row.code_challenge,
    nonce: row.nonce ?? undefined,
    signedInMs: row.signed_in_ms,
  };
}
