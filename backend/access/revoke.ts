import type { Client } from '../store/access-store.ts';
import type { GrantsStore } from '../store/grants-store.ts';
import { grantDigest, type Issuer } from './issue.ts';
import type { Checked, Later } from './secret-check.ts';
import type { ReadTokenRequest, TokenError } from './token-request.ts';

export type Revoked =
  | { readonly kind: 'done' }
  | { readonly kind: 'error'; readonly error: TokenError }
  | Later;

export interface RevokeParts extends Issuer {
  readonly grants: Pick<GrantsStore, 'findSecret' | 'endGrant'>;
  readonly checkSecret: (clientId: string, secret: string) => Promise<Checked>;
  readonly findPublicClient: (clientId: string) => Promise<Client | undefined>;
}

/**
 * Takes back the grant that a refresh or access token came from (RFC 7009), with all its tokens. What is no token of
 * this client is passed over in silence, as section 2.2 has it; so is a client's own token, which has no grant and
 * ends by itself. Rejects where the store fails.
 */
export async function revoke(parts: RevokeParts, read: ReadTokenRequest): Promise<Revoked> {
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

async function ofPublic({ findPublicClient }: RevokeParts, clientId: string): Promise<Checked> {
  const client = await findPublicClient(clientId);
  return client === undefined ? { kind: 'wrong' } : { kind: 'right', client };
}

function error(name: TokenError['error'], description: string): Revoked {
  return { kind: 'error', error: { error: name, description } };
}

async function grantOf(parts: RevokeParts, client: Client, token: string): Promise<string | undefined> {
  const { seal, time } = parts.world;
  const found = await parts.grants.findSecret(grantDigest(seal, token));
  if (found !== undefined) return found.grant.clientId === client.id ? found.grant.id : undefined;
  const verdict = await seal.verifyToken(token, { issuer: parts.issuer, nowMs: time.nowMs() });
  return verdict.ok && verdict.claims.client_id === client.id ? verdict.claims.grant_id : undefined;
}
