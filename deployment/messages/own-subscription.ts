import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endSubscription, type ServiceAddress, subscribedSource, type TailSource } from './tail-source.ts';

/** In the data directory, while such a subscription exists: its id. */
function fileOf({ data }: ServiceAddress, prefix: string): string {
  return join(data, `${prefix}-subscription`);
}

/**
 * A subscription of its own to all messages, which `endLeftSubscription` finds if this process is killed before it
 * closes it. Of one prefix there is one at a time. Rejects with a `CommandError`.
 */
export async function openOwnSubscription(service: ServiceAddress, prefix: string): Promise<TailSource> {
  const file = fileOf(service, prefix);
  const source = await subscribedSource(service, [], prefix);
  const close = async () => {
    const reason = await source.close();
    if (reason === undefined) await rm(file, { force: true });
    return reason;
  };
  try {
    await writeFile(file, source.subscriptionId ?? '');
  } catch (error) {
    await close();
    throw error;
  }
  return { ...source, close };
}

/**
 * Deletes the subscription that a killed process has left behind in this data directory, with its queues. Never
 * rejects: where the service does not answer, the next start tries again.
 */
export async function endLeftSubscription(service: ServiceAddress, prefix: string): Promise<void> {
  const file = fileOf(service, prefix);
  const id = await readFile(file, 'utf8').catch(() => undefined);
  if (id === undefined) return;
  try {
    await endSubscription(service, id);
    await rm(file, { force: true });
  } catch {
    // It may have been in an earlier store: then its id is unknown, and the next one replaces it.
  }
}
