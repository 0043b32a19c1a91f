import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MessageFeed } from '../../console/server/message-watch.ts';
import { errorText } from '../../world/error-text.ts';
import { readMessages } from '../messages/tail-reader.ts';
import { endSubscription, type ServiceAddress, subscribedSource } from '../messages/tail-source.ts';

/** In the data directory, while the console has a subscription: its id. */
const OPEN_SUBSCRIPTION = 'console-subscription';

/**
 * The messages of a subscription of its own at that service; it exists only while a reader is connected. One left
 * behind by a killed console is deleted before the next one is created.
 */
export function consoleMessageFeed(service: ServiceAddress): MessageFeed {
  const file = join(service.data, OPEN_SUBSCRIPTION);
  // One after the other: a reader that ends deletes its subscription before the next one begins.
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
          tell('Live');
          await readMessages(source, { print, end: ending.signal, notice: tell });
        } finally {
          if ((await source.close()) === undefined) await rm(file, { force: true });
        }
      };
      last = last.then(read).catch((error: unknown) => tell(errorText(error)));
      const reading = last;
      return async () => {
        ending.abort();
        await reading;
      };
    },
  };
}

/** Never rejects: where the service does not answer, the next reader tries again. */
async function endLeftBehind(service: ServiceAddress, file: string): Promise<void> {
  const id = await readFile(file, 'utf8').catch(() => undefined);
  if (id === undefined) return;
  try {
    await endSubscription(service, id);
    await rm(file, { force: true });
  } catch {
    // It may have been in an earlier store: then its id is unknown, and the next one replaces it.
  }
}
