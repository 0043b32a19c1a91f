import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { queueName, TOPICS } from '../../contract/messages.ts';
import { SUBSCRIPTIONS_PATH } from '../../contract/operation.ts';
import { errorText } from '../../world/error-text.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import { realTime } from '../../world/time/real-time.ts';
import { readReadyFile } from '../directory/address-files.ts';
import { addressOf } from '../directory/running-addresses.ts';
import { callService, type ServiceAccount } from '../http/service-client.ts';
import { readAuthorityFile } from '../input/authority-file.ts';
import { CommandError } from '../shared/command-error.ts';

/** Where messages are read, and what has to be deleted afterwards. */
export interface TailSource {
  readonly url: string;
  /** Of amqps, in PEM form; undefined: the authorities that Node knows. */
  readonly ca: string | undefined;
  readonly queues: readonly string[];
  /** Other consumers may be waiting for the messages of this queue. */
  readonly isShared: boolean;
  /** For display, without a password. */
  readonly name: string;
  /** The subscription that was created for this; undefined: the queue existed before. */
  readonly subscriptionId?: string;
  /** Deletes what was created for this. Resolves with the reason where that fails. */
  close(): Promise<string | undefined>;
}

export interface TailSourceOptions {
  readonly amqp?: string;
  readonly queue?: string;
  readonly ca?: string;
  readonly data: string;
  readonly types: readonly string[];
}

const subscription = z.looseObject({
  id: z.string(),
  host: z.string(),
  port: z.int(),
  virtual_host: z.string(),
  username: z.string(),
  password: z.string(),
});

/**
 * With --amqp and --queue: that queue. Without both: a subscription of its own at the running `up` of the data
 * directory, so that no other consumer misses a message. Throws a `CommandError` where neither is possible.
 */
export async function openTailSource(options: TailSourceOptions): Promise<TailSource> {
  const { amqp, queue } = options;
  if (amqp === undefined && queue === undefined) return ownSubscription(options);
  if (amqp === undefined || queue === undefined)
    throw new CommandError(
      '--amqp and --queue belong together: the one says where, the other what is read there. Without both it subscribes at the running "boxtwin up".',
    );
  const url = new URL(amqp);
  const name = `${url.protocol}//${url.host}`;
  const ca = options.ca === undefined ? undefined : readAuthorityFile(options.ca, '--ca');
  return { url: amqp, ca, queues: [queue], isShared: true, name, close: () => Promise.resolve(undefined) };
}

async function ownSubscription(options: TailSourceOptions): Promise<TailSource> {
  const { data, ca, types } = options;
  const ready = await readReadyFile(data);
  if (ready === undefined)
    throw new CommandError(
      `No "boxtwin up" is running on ${data}. Start one, name its data directory with --data, or give --amqp and --queue.`,
    );
  const { installation } = await addressOf('api', { data });
  return subscribedSource({ ...ready, installation, data, ca }, types, 'tail');
}

/** A service, as one of its clients; `amqp_url` is where its messages are read in clear, if they are. */
export interface ServiceAddress extends ServiceAccount {
  readonly amqp_url?: string | null | undefined;
  /** Its data directory has the authority of its embedded broker. */
  readonly data: string;
  /** The file of another authority. */
  readonly ca?: string | undefined;
}

/**
 * A subscription of its own to messages of these types (none: all), whose name begins with `prefix`. Rejects with a
 * `CommandError`.
 */
export async function subscribedSource(
  ready: ServiceAddress,
  types: readonly string[],
  prefix: string,
): Promise<TailSource> {
  const wanted = TOPICS.filter(({ message }) => types.length === 0 || types.includes(message));
  const topics = wanted.map(({ topic }) => topic);
  const discriminator = `${prefix}-${realIds(realTime()).code(8).toLowerCase()}`;
  const made = subscription.parse(
    await callService(ready, 'POST', SUBSCRIPTIONS_PATH, {
      queue_discriminator: discriminator,
      topics,
    }),
  );
  const { id, host, port } = made;
  // The answer has the address, not the scheme: in clear where it is the address that the banner shows in clear.
  const isPlain =
    typeof ready.amqp_url === 'string' && ready.amqp_url.startsWith('amqp:')
      ? Number(new URL(ready.amqp_url).port || 5672) === port
      : port === 5672;
  const url = new URL(`${isPlain ? 'amqp' : 'amqps'}://${host.includes(':') ? `[${host}]` : host}:${port}`);
  url.username = encodeURIComponent(made.username);
  url.password = encodeURIComponent(made.password);
  url.pathname = `/${encodeURIComponent(made.virtual_host)}`;
  const local = join(ready.data, 'tls', 'ca.pem');
  const caFile = ready.ca ?? (existsSync(local) ? local : undefined);
  return {
    url: url.href,
    ca: isPlain || caFile === undefined ? undefined : readAuthorityFile(caFile, '--ca'),
    queues: topics.map((topic) => queueName(topic, discriminator)),
    isShared: false,
    name: `${url.protocol}//${url.host}`,
    subscriptionId: id,
    close: async () => {
      try {
        await endSubscription(ready, id);
        return undefined;
      } catch (error) {
        const reason = errorText(error);
        return `The subscription ${discriminator} is left behind, with its queues: ${reason} DELETE /message-subscriptions/${id} takes it away.`;
      }
    },
  };
}

/** Deletes a subscription of that client's fleet. Rejects with a `CommandError`. */
export async function endSubscription(service: ServiceAddress, id: string): Promise<void> {
  await callService(service, 'DELETE', `${SUBSCRIPTIONS_PATH}/${id}`);
}
