import { registerClient } from '../../backend/access/clients.ts';
import { PERMISSIONS } from '../../backend/access/permissions.ts';
import { REFERENCE_REDIRECT_PATH } from '../../backend/http/openapi/reference.ts';
import type { Store } from '../../backend/store/port/store.ts';
import type { World } from '../../world/world.ts';

/** For whom people sign in at the reference page: public, since what a page holds is no secret. */
export const REFERENCE_CLIENT = 'reference-page';

/**
 * Makes the store know the client of the reference page, with every permission. It leads back to that page alone, at
 * the port that the service has now: what is registered follows it.
 */
export async function registerReferencePage(
  store: Store,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
  fleetId: string,
  baseUrl: string,
): Promise<void> {
  const redirectUri = `${baseUrl}${REFERENCE_REDIRECT_PATH}`;
  const known = await store.access.findClient(REFERENCE_CLIENT);
  if (known?.redirectUris?.join(' ') === redirectUri) return;
  const permissions = PERMISSIONS.map((row) => row.name);
  const client = { id: REFERENCE_CLIENT, isPublic: true, redirectUris: [redirectUri] };
  await registerClient(store.access, world, { ...client, fleetId, permissions });
}
