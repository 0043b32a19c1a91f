import { registerClient } from '../../backend/access/clients.ts';
import { redirectUriFault } from '../../backend/access/oauth/redirect-uri.ts';
import { REFERENCE_PATH, REFERENCE_REDIRECT_PATH } from '../../backend/http/openapi/reference.ts';
import type { Store } from '../../backend/store/port/store.ts';
import { PERMISSIONS } from '../../contract/permissions.ts';
import type { World } from '../../world/world.ts';

/** The client of the reference page: public, since a page cannot keep a secret. */
const REFERENCE_CLIENT = 'reference-page';

/**
 * Adds the client of the reference page to the store, with every permission, and resolves with its id. Its only
 * redirect URI is that page, at the current port of the service: the registration is updated. Where that redirect URI
 * is not allowed, since it is plain http and not loopback (RFC 8252, 7.3), the page has no client: resolves with
 * undefined, and a notice says why. Rejects with `StoreFailed`.
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
      `sign-in at ${baseUrl}${REFERENCE_PATH} does not work, because its redirect URI ${fault}; everything else works. For sign-ins put a proxy with TLS before the API, and give its https address with --public-url`,
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
