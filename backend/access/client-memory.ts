import { LIMITS } from '../../contract/limits.ts';
import type { Crypto, TokenClaims } from '../../world/crypto/crypto.ts';
import type { Time } from '../../world/time/time.ts';
import { accessLimits } from '../base/limits.ts';
import type { Client } from '../store/port/access-store.ts';
import type { Store } from '../store/port/store.ts';

/** Finds a client's record; the answer may be up to `clientMemoryMs` old. Rejects if the store fails. */
export type FindClient = (clientId: string) => Promise<Client | undefined>;

/** The most that a person's grant allows its client; undefined if grant or person no longer exists. */
export type FindGranted = (grantId: string) => Promise<Granted | undefined>;

export interface Granted {
  readonly clientId: string;
  readonly fleetId: string;
  /** The person's. */
  readonly permissions: readonly string[];
}

/** The token check: `Crypto.verifyToken`. */
export type VerifyToken = Crypto['verifyToken'];

/**
 * The same check, with a cache of valid tokens: verifying a signature costs more CPU time than the rest of reading a
 * vehicle, and the result does not change. A token is checked again once it has expired, for another issuer, and if the
 * clock was set back.
 */
export function rememberTokens(crypto: Pick<Crypto, 'verifyToken'>): VerifyToken {
  const memory = new Map<string, { readonly claims: TokenClaims; readonly checkedMs: number }>();
  return async (token, expected) => {
    const known = memory.get(token);
    if (known !== undefined) {
      const { claims, checkedMs } = known;
      const isInTime = checkedMs <= expected.nowMs && expected.nowMs < claims.exp * 1_000;
      if (isInTime && claims.iss === expected.issuer) return { ok: true, claims };
      memory.delete(token);
    }
    const verdict = await crypto.verifyToken(token, expected);
    if (verdict.ok) {
      dropOldest(memory, accessLimits.rememberedTokens);
      memory.set(token, { claims: verdict.claims, checkedMs: expected.nowMs });
    }
    return verdict;
  };
}

/** A cache of client records for the check of tokens. */
export function rememberClients(
  store: Pick<Store['access'], 'findClient'>,
  time: Pick<Time, 'nowMs'>,
): FindClient {
  return remember((clientId) => store.findClient(clientId), time, {
    memoryMs: LIMITS.access.goneMs,
    remembered: accessLimits.rememberedClients,
  });
}

/** A cache of grants for the check of tokens. The answer may be up to `grantMemoryMs` old. */
export function rememberGrants(
  store: Pick<Store['grants'], 'findGrant' | 'findUser'>,
  time: Pick<Time, 'nowMs'>,
): FindGranted {
  const find = async (grantId: string): Promise<Granted | undefined> => {
    const grant = await store.findGrant(grantId, time.nowMs());
    const user = grant === undefined ? undefined : await store.findUser(grant.userId);
    if (grant === undefined || user === undefined) return undefined;
    return { clientId: grant.clientId, fleetId: user.fleetId, permissions: user.permissions };
  };
  return remember(find, time, {
    memoryMs: LIMITS.access.goneMs,
    remembered: accessLimits.rememberedGrants,
  });
}

/**
 * The same search with a cache. Only what exists is cached: what was just created is never reported as
 * missing.
 */
function remember<T>(
  find: (id: string) => Promise<T | undefined>,
  time: Pick<Time, 'nowMs'>,
  bounds: { readonly memoryMs: number; readonly remembered: number },
): (id: string) => Promise<T | undefined> {
  const memory = new Map<string, { readonly found: T; readonly untilMs: number }>();
  return async (id) => {
    const known = memory.get(id);
    if (known !== undefined && time.nowMs() < known.untilMs) return known.found;
    memory.delete(id);
    const readMs = time.nowMs();
    const found = await find(id);
    if (found === undefined) return undefined;
    dropOldest(memory, bounds.remembered);
    memory.set(id, { found, untilMs: readMs + bounds.memoryMs });
    return found;
  };
}

/** Evicts the oldest entry if the cache is full. */
function dropOldest(memory: Map<string, unknown>, most: number): void {
  const oldest = memory.size >= most ? memory.keys().next() : undefined;
  if (oldest?.done === false) memory.delete(oldest.value);
}
