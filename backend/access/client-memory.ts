import type { Time } from '../../world/time.ts';
import type { AccessStore, Client } from '../store/store.ts';
import { accessLimits } from './limits.ts';

/** Finds a client's record; the answer may be as old as `clientMemoryMs`. Rejects where the store fails. */
export type FindClient = (clientId: string) => Promise<Client | undefined>;

/**
 * The memory of client records behind the check of tokens. Only clients that exist are remembered: a client that
 * was just made is never told to be missing.
 */
export function rememberClients(
  store: Pick<AccessStore, 'findClient'>,
  time: Pick<Time, 'nowMs'>,
): FindClient {
  const remembered = new Map<string, { readonly client: Client; readonly untilMs: number }>();
  return async (clientId) => {
    const known = remembered.get(clientId);
    if (known !== undefined && time.nowMs() < known.untilMs) return known.client;
    remembered.delete(clientId);
    const readMs = time.nowMs();
    const client = await store.findClient(clientId);
    if (client === undefined) return undefined;
    const oldest = remembered.size >= accessLimits.rememberedClients ? remembered.keys().next() : undefined;
    if (oldest?.done === false) remembered.delete(oldest.value);
    remembered.set(clientId, { client, untilMs: readMs + accessLimits.clientMemoryMs });
    return client;
  };
}
