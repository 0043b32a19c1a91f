import { registerClient } from '../../backend/access/clients.ts';
import { redirectUriFault } from '../../backend/access/oauth/redirect-uri.ts';
import { PERMISSIONS } from '../../backend/access/permissions.ts';
import { REFERENCE_PATH, REFERENCE_REDIRECT_PATH } from '../../backend/http/openapi/reference.ts';
import type { Store } from '../../backend/store/port/store.ts';
import type { World } from '../../world/world.ts';

/** For whom people sign in at the reference page: public, since what a page holds is no secret. */
const REFERENCE_CLIENT = 'reference-page';

/**
 * Makes the store know the client of the reference page, with every permission, and resolves with its id. It leads back to
 * that page alone, at the port that the service has now: what is registered follows it. Where a sign-in must not lead back
 * there, since that is plain http and not loopback (RFC 8252, 7.3), the page has no client: resolves with undefined, and a
 * notice says why. Rejects with `StoreFailed`.
 */
export async function registerReferencePage(
  store: Pick<Store, 'access'>,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
  { fleetId, baseUrl, notices }: { fleetId: string; baseUrl: string; notices: string[] },
): Promise<string | undefined> {
  const redirectUri = `${baseUrl}${REFERENCE_REDIRECT_PATH}`;
  const fault = redirectUriFault(redirectUri);
  if (fault !== undefined) {
    notices.push(
      `nobody can sign in at ${baseUrl}${REFERENCE_PATH}, since the address that leads back there ${fault}; all else works. For sign-ins put a proxy with TLS before the API, and give its https address with --public-url`,
    );
    return undefined;
  }
  const known = await store.access.findClient(REFERENCE_CLIENT);
  if (known?.redirectUris?.join(' ') === redirectUri) return REFERENCE_CLIENT;
  const permissions = PERMISSIONS.map((row) => row.name);
  const client = { id: REFERENCE_CLIENT, isPublic: true, redirectUris: [redirectUri] };
  await registerClient(store.access, world, { ...client, fleetId, permissions });
  return REFERENCE_CLIENT;
}
