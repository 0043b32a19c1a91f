import type { Store } from '../../backend/store/port/store.ts';
import { isLoopback } from '../../world/http/loopback.ts';
import { CommandError } from '../shared/command-error.ts';
import { type FixedClient, OWN_CLIENTS } from '../shared/fixed-client.ts';
import { type DataDirectory, rewriteIdentity } from './data-directory.ts';
import { openIdentity } from './open-identity.ts';

/** The data directory of a service. */
export interface ServiceDirectory extends DataDirectory {
  /** The client that `client` replaces, until `keepClient` has written that down. */
  readonly formerClientId?: string;
}

/**
 * Opens the data directory of a service, whose demo client is `client` from now on; absent: the one that it has. Rejects
 * with a `CommandError` where other machines reach the service: there only generated secrets are used.
 */
export async function openServiceIdentity(options: {
  readonly data: string;
  readonly isFresh?: boolean;
  readonly seed: number | undefined;
  readonly client?: FixedClient | undefined;
  readonly host?: string | undefined;
  readonly publicUrl?: string | undefined;
}): Promise<ServiceDirectory> {
  const { client } = options;
  const open = openPlaceOf(options);
  if (client !== undefined && open !== undefined)
    throw new CommandError(
      `--client is for a service that only this machine reaches, and ${open} lets others in: who guesses a chosen secret may do everything. Omit --client; "boxtwin env" prints the generated one.`,
    );
  const directory = await openIdentity({ ...options, fixedClient: client });
  const { client_id: id, client_secret: secret, client_is_fixed: isFixed } = directory.identity;
  if (client === undefined) {
    if (isFixed === true && open !== undefined)
      throw new CommandError(
        `The client ${id} of ${directory.path} has the secret that --client gave it, and ${open} lets other machines in. Start over with --fresh, or use another directory with --data.`,
      );
    return directory;
  }
  if (isFixed === true && id === client.id && secret === client.secret) return directory;
  return {
    ...directory,
    identity: {
      ...directory.identity,
      client_id: client.id,
      client_secret: client.secret,
      client_is_fixed: true,
    },
    formerClientId: id,
  };
}

/** The option by which other machines reach the service; undefined: they do not. */
function openPlaceOf({
  host,
  publicUrl,
}: {
  readonly host?: string | undefined;
  readonly publicUrl?: string | undefined;
}): string | undefined {
  if (host !== undefined && !isLoopback(host)) return `--host ${host}`;
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) return `--public-url ${publicUrl}`;
  return undefined;
}

/**
 * Writes down which client the service has from now on, once the store has it, and deletes the former one with the
 * clients of the program that belong to it. Rejects with a `CommandError` where the file cannot be written.
 */
export async function keepClient(
  { path, identity, formerClientId: former }: ServiceDirectory,
  store: Pick<Store, 'access'>,
): Promise<void> {
  if (former === undefined) return;
  rewriteIdentity(path, identity);
  if (former === identity.client_id) return;
  for (const ending of ['', ...OWN_CLIENTS]) await store.access.deleteClient(`${former}${ending}`);
}
