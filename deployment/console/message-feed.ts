import type { MessageFeed } from '../../console/server/message-watch.ts';
import { errorText } from '../../world/error-text.ts';
import { endLeftSubscription, openOwnSubscription } from '../messages/own-subscription.ts';
import { readMessages } from '../messages/tail-reader.ts';
import type { ServiceAddress } from '../messages/tail-source.ts';

const PREFIX = 'console';

/**
 * The messages of a subscription of its own at that service; it exists only while a reader is connected. One left
 * behind by a killed console is deleted before the next one is created.
 */
export function consoleMessageFeed(service: ServiceAddress): MessageFeed {
  // One after the other: a reader that ends deletes its subscription before the next one begins.
  let last = endLeftSubscription(service, PREFIX);
  return {
    open(take, tell) {
      const ending = new AbortController();
      const read = async () => {
        await endLeftSubscription(service, PREFIX);
        const source = await openOwnSubscription(service, PREFIX);
        const print = (delivery: Parameters<typeof take>[0]) => {
          take(delivery);
          return Promise.resolve(true);
        };
        try {
          tell('Live');
          await readMessages(source, { print, end: ending.signal, notice: tell });
        } finally {
          await source.close();
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
