import { LIMITS } from '../../contract/limits.ts';
import { isPermission } from '../../contract/permissions.ts';
import type { World } from '../../world/world.ts';
import { accessLimits } from '../base/limits.ts';
import type { AccessStore } from '../store/port/access-store.ts';
import { redirectUriFault } from './oauth/redirect-uri.ts';

/** A client to register. Id and secret are generated if absent. */
export interface NewClient {
  readonly fleetId: string;
  /** Kebab-case names of contract/permissions.ts. */
  readonly permissions: readonly string[];
  /** 1 to 64 characters of `A-Za-z0-9._~-`; so is the secret, up to 256. */
  readonly id?: string;
  readonly secret?: string;
  /** Has no secret: a program on its users' devices (RFC 6749 section 2.1). Needs redirect URIs. */
  readonly isPublic?: boolean;
  /** The allowed targets of the authorization code flow; absent: the client has no such flow. */
  readonly redirectUris?: readonly string[];
}

/**
 * RFC 3986's unreserved characters. RFC 6749 section 2.3.1 form-encodes id and secret before base64, curl and
 * the first call in docs/api.md do not: with these characters both produce the same header.
 */
const UNRESERVED = /^[A-Za-z0-9._~-]+$/;

/**
 * Stores a client, or replaces the one of that id, and returns its secret, of which the store has only the
 * hash. Rejects with a RangeError for an invalid id, secret, permission or redirect URI: then nothing was
 * written. The secret of a public client is empty.
 */
export async function registerClient(
  store: Pick<AccessStore, 'saveClient'>,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
  client: NewClient,
): Promise<{ readonly clientId: string; readonly clientSecret: string }> {
  const clientId = client.id ?? world.ids.ulid();
  const isPublic = client.isPublic === true;
  const clientSecret = isPublic ? '' : (client.secret ?? world.ids.secret(accessLimits.mintedSecretBytes));
  if (!isWithin(clientId, LIMITS.access.clientIdCharacters))
    throw new RangeError(`a client id is 1 to ${LIMITS.access.clientIdCharacters} of A-Za-z0-9._~-`);
  if (!isPublic && !isWithin(clientSecret, LIMITS.access.secretCharacters))
    throw new RangeError(`a client secret is 1 to ${LIMITS.access.secretCharacters} of A-Za-z0-9._~-`);
  const unknown = client.permissions.find((name) => !isPermission(name));
  if (unknown !== undefined) throw new RangeError(`there is no permission ${unknown}`);
  const redirectUris = client.redirectUris ?? [];
  if (redirectUris.length > LIMITS.access.redirectUris)
    throw new RangeError(`a client has at most ${LIMITS.access.redirectUris} redirect URIs`);
  for (const uri of redirectUris) {
    const fault = redirectUriFault(uri);
    if (fault !== undefined) throw new RangeError(`the redirect URI ${uri} ${fault}`);
  }
  await store.saveClient({
    id: clientId,
    fleetId: client.fleetId,
    secretHash: isPublic ? '' : await world.crypto.hashSecret(clientSecret),
    permissions: client.permissions,
    redirectUris,
    createdMs: world.time.nowMs(),
  });
  return { clientId, clientSecret };
}

function isWithin(text: string, maximum: number): boolean {
  return text.length <= maximum && UNRESERVED.test(text);
}
