import type { Database } from 'better-sqlite3';
import { limits } from '../../limits.ts';
import {
  type Grant,
  type GrantSecret,
  type GrantsStore,
  NameTaken,
  type SecretExchange,
  type User,
} from '../port/grants-store.ts';
import type { Synchronous } from './call.ts';

interface UserRow {
  readonly id: string;
  readonly fleet_id: string;
  readonly name: string;
  readonly password_hash: string;
  readonly permissions: string;
  readonly created_ms: number;
}

interface SessionRow {
  readonly digest: string;
  readonly user_id: string;
  readonly signed_in_ms: number;
  readonly expires_ms: number;
}

interface GrantRow {
  readonly id: string;
  readonly client_id: string;
  readonly user_id: string;
  readonly scope: string;
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly nonce: string | null;
  readonly signed_in_ms: number;
}

interface SecretRow extends GrantRow {
  readonly ordinal: number;
  readonly secret_expires_ms: number;
  readonly spent: number;
  readonly answer: string | null;
  readonly answer_until_ms: number | null;
}

/** The ordinal of the code; refresh tokens have the following ones. */
const CODE = 0;

/** Users, sessions and grants in SQLite. */
export function sqliteGrants(database: Database): Synchronous<GrantsStore> {
  const saveUser = database.prepare(`
    INSERT INTO users (id, fleet_id, name, password_hash, permissions, created_ms) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET fleet_id = excluded.fleet_id, name = excluded.name,
      password_hash = excluded.password_hash, permissions = excluded.permissions`);
  const findUser = database.prepare<[string], UserRow>('SELECT * FROM users WHERE id = ?');
  const findUserByName = database.prepare<[string], UserRow>('SELECT * FROM users WHERE name = ?');
  const deleteUser = database.prepare('DELETE FROM users WHERE id = ?');
  const saveSession = database.prepare(
    'INSERT INTO sessions (digest, user_id, signed_in_ms, expires_ms) VALUES (?, ?, ?, ?)',
  );
  const pruneSessions = database.prepare(
    'DELETE FROM sessions WHERE digest IN (SELECT digest FROM sessions WHERE expires_ms <= ? LIMIT ? + 0)',
  );
  const findSession = database.prepare<[string, number], SessionRow>(
    'SELECT * FROM sessions WHERE digest = ? AND expires_ms > ?',
  );
  const endSession = database.prepare('DELETE FROM sessions WHERE digest = ?');
  const saveGrant = database.prepare(`
    INSERT INTO grants (id, client_id, user_id, scope, redirect_uri, code_challenge, nonce, signed_in_ms, expires_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const pruneGrants = database.prepare(
    'DELETE FROM grants WHERE id IN (SELECT id FROM grants WHERE expires_ms <= ? LIMIT ? + 0)',
  );
  const pruneOfUser = database.prepare(`
    DELETE FROM grants WHERE id IN (
      SELECT id FROM grants WHERE user_id = ? AND client_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`);
  const findGrant = database.prepare<[string, number], GrantRow>(
    'SELECT * FROM grants WHERE id = ? AND expires_ms > ?',
  );
  const endGrant = database.prepare('DELETE FROM grants WHERE id = ?');
  const extendGrant = database.prepare('UPDATE grants SET expires_ms = max(expires_ms, ?) WHERE id = ?');
  const saveSecret = database.prepare(
    'INSERT INTO grant_secrets (digest, grant_id, ordinal, expires_ms) VALUES (?, ?, ?, ?)',
  );
  const lastOrdinal = database.prepare<[string], { readonly ordinal: number | null }>(
    'SELECT max(ordinal) AS ordinal FROM grant_secrets WHERE grant_id = ?',
  );
  // The code stays: a client that sends it again ends the grant.
  const pruneSecrets = database.prepare(
    `DELETE FROM grant_secrets WHERE grant_id = ? AND spent = 1 AND ordinal > ${CODE} AND ordinal <= ?`,
  );
  const findSecret = database.prepare<[string], SecretRow>(`
    SELECT grants.*, ordinal, grant_secrets.expires_ms AS secret_expires_ms, spent, answer, answer_until_ms
    FROM grant_secrets JOIN grants ON grants.id = grant_id WHERE digest = (SELECT ?)`);
  const spendSecret = database.prepare('UPDATE grant_secrets SET spent = 1 WHERE digest = ? AND spent = 0');

  const openGrant = database.transaction((grant: Grant, code: GrantSecret, atMs: number) => {
    pruneGrants.run(atMs, limits.prunedPerCall);
    saveGrant.run(
      grant.id,
      grant.clientId,
      grant.userId,
      JSON.stringify(grant.scopes),
      grant.redirectUri,
      grant.codeChallenge,
      grant.nonce ?? null,
      grant.signedInMs,
      code.expiresMs,
    );
    saveSecret.run(code.digest, grant.id, CODE, code.expiresMs);
    pruneOfUser.run(grant.userId, grant.clientId, limits.grantsOfUser);
  });
  const dropAnswers = database.prepare(`
    UPDATE grant_secrets SET answer = NULL, answer_until_ms = NULL WHERE grant_id = ? AND answer_until_ms IS NOT NULL`);
  const pruneAnswers = database.prepare(`
    UPDATE grant_secrets SET answer = NULL, answer_until_ms = NULL
    WHERE digest IN (SELECT digest FROM grant_secrets WHERE answer_until_ms <= ? LIMIT ? + 0)`);
  const keepAnswer = database.prepare(
    'UPDATE grant_secrets SET answer = ?, answer_until_ms = ? WHERE digest = ?',
  );
  const exchangeSecret = database.transaction(({ spent, next, answer }: SecretExchange, atMs: number) => {
    const found = findSecret.get(spent);
    if (found === undefined) return 'gone';
    if (spendSecret.run(spent).changes === 0) return 'spent';
    const grantId = found.id;
    extendGrant.run(next.expiresMs, grantId);
    const ordinal = (lastOrdinal.get(grantId)?.ordinal ?? CODE) + 1;
    saveSecret.run(next.digest, grantId, ordinal, next.expiresMs);
    pruneSecrets.run(grantId, ordinal - limits.spentSecretsOfGrant);
    dropAnswers.run(grantId);
    pruneAnswers.run(atMs, limits.prunedPerCall);
    keepAnswer.run(answer.text, answer.untilMs, spent);
    return 'done';
  });

  return {
    saveUser: (user) => {
      const other = findUserByName.get(user.name);
      if (other !== undefined && other.id !== user.id) throw new NameTaken(`${user.name} is taken.`);
      const { id, fleetId, name, passwordHash, permissions, createdMs } = user;
      saveUser.run(id, fleetId, name, passwordHash, JSON.stringify(permissions), createdMs);
    },
    findUser: (userId) => userOf(findUser.get(userId)),
    findUserByName: (name) => userOf(findUserByName.get(name)),
    deleteUser: (userId) => void deleteUser.run(userId),
    openSession: (session) => {
      pruneSessions.run(session.signedInMs, limits.prunedPerCall);
      saveSession.run(session.digest, session.userId, session.signedInMs, session.expiresMs);
    },
    findSession: (digest, atMs) => {
      const row = findSession.get(digest, atMs);
      if (row === undefined) return undefined;
      return { digest, userId: row.user_id, signedInMs: row.signed_in_ms, expiresMs: row.expires_ms };
    },
    endSession: (digest) => void endSession.run(digest),
    openGrant: (grant, code, atMs) => openGrant.immediate(grant, code, atMs),
    findGrant: (grantId, atMs) => {
      const row = findGrant.get(grantId, atMs);
      return row === undefined ? undefined : grantOf(row);
    },
    findSecret: (digest) => {
      const row = findSecret.get(digest);
      if (row === undefined) return undefined;
      return {
        grant: grantOf(row),
        kind: row.ordinal === CODE ? ('code' as const) : ('refresh' as const),
        expiresMs: row.secret_expires_ms,
        isSpent: row.spent !== 0,
        ...(row.answer === null || row.answer_until_ms === null
          ? {}
          : { answer: { text: row.answer, untilMs: row.answer_until_ms } }),
      };
    },
    spendSecret: (digest) => spendSecret.run(digest).changes === 1,
    exchangeSecret: (exchange, atMs) => exchangeSecret.immediate(exchange, atMs),
    endGrant: (grantId) => void endGrant.run(grantId),
  };
}

function userOf(row: UserRow | undefined): User | undefined {
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

function grantOf(row: GrantRow): Grant {
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
