import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MessageFeed } from '../../console/server/message-watch.ts';
import { readMessages } from '../commands/tail-reader.ts';
import { endSubscription, type ServiceAddress, subscribedSource } from '../commands/tail-source.ts';

/** In the data directory, while the console has a subscription: its id. */
const OPEN_SUBSCRIPTION = 'console-subscription';

/**
 * The messages of a subscription of its own at that service; it is there only while somebody reads. One that a console left
 * behind, because it was killed, is taken away before the next one is made.
 */
export function consoleMessageFeed(service: ServiceAddress): MessageFeed {
  const file = join(service.data, OPEN_SUBSCRIPTION);
  // One after the other: a reading that ends takes its subscription away before the next one begins.
  let last = endLeftBehind(service, file);
  return {
    open(take, tell) {
      const ending = new AbortController();
      const read = async () => {
        await endLeftBehind(service, file);
        const source = await subscribedSource(service, [], 'console');
        const print = (delivery: Parameters<typeof take>[0]) => {
          take(delivery);
          return Promise.resolve(true);
        };
        try {
          await writeFile(file, source.subscriptionId ?? '');
          tell('reading');
          await readMessages(source, { print, end: ending.signal, notice: tell });
        } finally {
          if ((await source.close()) === undefined) await rm(file, { force: true });
        }
      };
      last = last
        .then(read)
        .catch((error: unknown) => tell(error instanceof Error ? error.message : String(error)));
      const reading = last;
      return async () => {
        ending.abort();
        await reading;
      };
    },
  };
}

/** Never rejects: where the service does not answer, the next reading tries again. */
async function endLeftBehind(service: ServiceAddress, file: string): Promise<void> {
  const id = await readFile(file, 'utf8').catch(() => undefined);
  if (id === undefined) return;
  try {
    await endSubscription(service, id);
    await rm(file, { force: true });
  } catch {
    // It may be gone with an earlier store: then its id is unknown, and the next one is written over it.
  }
}
