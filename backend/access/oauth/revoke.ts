import type { Client } from '../../store/port/access-store.ts';
import type { GrantsStore } from '../../store/port/grants-store.ts';
import type { SecretCheckResult, TryLater } from '../secret-check.ts';
import { grantDigest, type Issuer } from './issue-tokens.ts';
import type { ReadTokenRequest, TokenError } from './token-request.ts';

export type RevocationResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'error'; readonly error: TokenError }
  | TryLater;

export interface RevokeParts extends Issuer {
  readonly grants: Pick<GrantsStore, 'findSecret' | 'endGrant'>;
  readonly checkSecret: (clientId: string, secret: string) => Promise<SecretCheckResult>;
  readonly findPublicClient: (clientId: string) => Promise<Client | undefined>;
}

/**
 * Revokes the grant of a refresh or access token with all its tokens (RFC 7009). A token that is not this
 * client's is ignored, as section 2.2 requires; so is a client's own token, which has no grant and simply
 * expires. Rejects if the store fails.
 */
export async function revoke(parts: RevokeParts, read: ReadTokenRequest): Promise<RevocationResult> {
  if (!read.ok) return { kind: 'error', error: read.error };
  const { client_id: clientId = '', client_secret: secret, token = '' } = read.fields;
  const checked =
    secret === undefined ? await ofPublic(parts, clientId) : await parts.checkSecret(clientId, secret);
  if (checked.kind === 'later') return checked;
  if (checked.kind === 'wrong') return error('invalid_client', 'There is no client with this id and secret.');
  const { client } = checked;
  if (token === '') return error('invalid_request', 'token is missing.');
  const grantId = await grantOf(parts, client, token);
  if (grantId !== undefined) await parts.grants.endGrant(grantId);
  return { kind: 'done' };
}

async function ofPublic({ findPublicClient }: RevokeParts, clientId: string): Promise<SecretCheckResult> {
  const client = await findPublicClient(clientId);
  return client === undefined ? { kind: 'wrong' } : { kind: 'right', client };
}

function error(name: TokenError['error'], description: string): RevocationResult {
  return { kind: 'error', error: { error: name, description } };
}

async function grantOf(parts: RevokeParts, client: Client, token: string): Promise<string | undefined> {
  const { crypto, time } = parts.world;
  const found = await parts.grants.findSecret(grantDigest(crypto, token));
  if (found !== undefined) return found.grant.clientId === client.id ? found.grant.id : undefined;
  const verdict = await crypto.verifyToken(token, { issuer: parts.issuer, nowMs: time.nowMs() });
  return verdict.ok && verdict.claims.client_id === client.id ? verdict.claims.grant_id : undefined;
}
