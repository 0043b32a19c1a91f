import { registerClient } from '../../backend/access/clients.ts';
import type { Store } from '../../backend/store/port/store.ts';
import { PERMISSIONS } from '../../contract/permissions.ts';
import type { World } from '../../world/world.ts';
import type { Identity } from '../directory/data-directory.ts';
import type { IdentitySecrets } from '../directory/identity-secrets.ts';

/** The credentials of the console at the API. */
export interface ConsoleClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * A separate client, so that the user's own keeps its whole quota. It is derived from the data directory, so that a
 * console in another process than the service knows it too.
 */
export function consoleClientOf(
  { client_id: id }: Pick<Identity, 'client_id'>,
  { consoleSecret }: Pick<IdentitySecrets, 'consoleSecret'>,
): ConsoleClient {
  return { clientId: `${id}-console`, clientSecret: consoleSecret };
}

/** Adds the console's client to the store, with every permission; one with another secret is replaced. */
export async function registerConsole(
  store: Pick<Store, 'access'>,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
  { fleet_id: fleetId }: Pick<Identity, 'fleet_id'>,
  { clientId: id, clientSecret: secret }: ConsoleClient,
): Promise<void> {
  const permissions = PERMISSIONS.map(({ name }) => name);
  await registerClient(store.access, world, { id, secret, fleetId, permissions });
}
