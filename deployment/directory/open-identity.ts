import { claimInstallation } from '../../backend/installation.ts';
import type { InstallationStore } from '../../backend/store/port/installation-store.ts';
import { makeSigningKey } from '../../world/crypto/real-crypto.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import { realTime } from '../../world/time/real-time.ts';
import type { World } from '../../world/world.ts';
import { CommandError } from '../shared/command-error.ts';
import type { FixedClient } from '../shared/fixed-client.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';

/**
 * Opens the data directory of a deployment; a new one gets an identity: a fleet, its client, and the secrets between
 * the parts. Rejects with a `CommandError` where it cannot be used.
 */
export function openIdentity(options: {
  readonly data: string;
  readonly isFresh?: boolean;
  readonly seed: number | undefined;
  /** The client of a new one; absent: it is generated. */
  readonly fixedClient?: FixedClient | undefined;
}): Promise<DataDirectory> {
  const ids = realIds(realTime());
  return openDataDirectory({
    path: options.data,
    isFresh: options.isFresh ?? false,
    seed: options.seed,
    create: async () => ({
      fleet_id: ids.code(6),
      client_id: options.fixedClient?.id ?? `demo-${ids.code(6).toLowerCase()}`,
      client_secret: options.fixedClient?.secret ?? ids.secret(24),
      ...(options.fixedClient === undefined ? {} : { client_is_fixed: true }),
      mqtt_password: ids.secret(24),
      root_secret: ids.secret(32),
      signing_key: { ...(await makeSigningKey()) },
    }),
  });
}

/**
 * The id of the installation that a store belongs to. Rejects with a `CommandError` where the store belongs to backends
 * with another identity. `isShared`: other backends may use the store at the same time.
 */
export async function installationOf(
  store: InstallationStore,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
  isShared: boolean,
): Promise<string> {
  const claim = await claimInstallation(store, world, { isShared });
  if (claim.kind === 'refused') throw new CommandError(claim.detail);
  return claim.installationId;
}
