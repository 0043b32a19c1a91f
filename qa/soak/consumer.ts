import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { jsonLine } from '../../cli/commands/tail-rows.ts';
import { queueName, TOPICS } from '../../contract/messages.ts';
import { readMessages } from '../../deployment/messages/tail-reader.ts';

const DISCRIMINATOR = 'demo';

/** Reads and acknowledges every message of the demo fleet, as `boxtwin tail` does. */
export interface Consumer {
  /** Messages that stand in the file. */
  count(): number;
  /** Rejects where it can read no longer. */
  readonly failed: Promise<never>;
  /** Ends it; all that was acknowledged stands in the file then. */
  close(): Promise<void>;
}

/** Writes to the file `path` as `boxtwin ledger --messages` reads it. All topics are read: what nobody reads piles up. */
export function startConsumer(url: string, path: string, say: (text: string) => void): Consumer {
  const file = createWriteStream(path);
  const ending = new AbortController();
  let count = 0;
  const reading = readMessages(
    {
      url,
      ca: undefined,
      queues: TOPICS.map(({ topic }) => queueName(topic, DISCRIMINATOR)),
      isShared: false,
      name: 'the AMQP broker',
    },
    {
      end: ending.signal,
      notice: say,
      print: async (delivery) => {
        await new Promise<void>((resolve, reject) => {
          file.write(`${jsonLine(delivery, Date.now())}\n`, (error) => (error ? reject(error) : resolve()));
        });
        count += 1;
        return true;
      },
    },
  );
  const failed = reading.then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined);
  return {
    count: () => count,
    failed,
    async close() {
      ending.abort();
      await reading.catch(() => undefined);
      file.end();
      if (!file.closed) await once(file, 'close');
    },
  };
}
