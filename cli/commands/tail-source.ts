import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { queueName, TOPICS } from '../../backend/events/topics.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import { realTime } from '../../world/time/real-time.ts';
import { limits } from '../limits.ts';
import { CommandError } from '../shared/command-error.ts';
import { readReadyFile } from '../shared/ready-file.ts';

/** Where messages are read, and what has to be cleared away afterwards. */
export interface TailSource {
  readonly url: string;
  /** Of amqps, in PEM form; undefined: the authorities that Node knows. */
  readonly ca: string | undefined;
  readonly queues: readonly string[];
  /** Somebody else may be waiting for what is read there. */
  readonly isShared: boolean;
  /** For people, without a password. */
  readonly name: string;
  /** The subscription that was made for this; undefined: the queue was there. */
  readonly subscriptionId?: string;
  /** Takes away what was made for this. Resolves with what stands in the way, if anything does. */
  close(): Promise<string | undefined>;
}

export interface TailSourceOptions {
  readonly amqp?: string;
  readonly queue?: string;
  readonly ca?: string;
  readonly data: string;
  readonly types: readonly string[];
}

const token = z.looseObject({ access_token: z.string() });
const subscription = z.looseObject({
  id: z.string(),
  host: z.string(),
  port: z.int(),
  virtual_host: z.string(),
  username: z.string(),
  password: z.string(),
});
const refusal = z.looseObject({ detail: z.string() });

/**
 * With --amqp and --queue: that queue. Without both: a subscription of its own at the running `up` whose data directory
 * it is, so that nobody else misses a message. Throws a `CommandError` where neither can be had.
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
  const ca = options.ca === undefined ? undefined : readAuthority(options.ca);
  return { url: amqp, ca, queues: [queue], isShared: true, name, close: () => Promise.resolve(undefined) };
}

async function ownSubscription(options: TailSourceOptions): Promise<TailSource> {
  const ready = readReadyFile(options.data);
  if (ready === undefined)
    throw new CommandError(
      `No "boxtwin up" is running on ${options.data}. Start one, name its data directory with --data, or give --amqp and --queue.`,
    );
  return subscribedSource({ ...ready, data: options.data, ca: options.ca }, options.types, 'tail');
}

/** A service, as one of its clients; `amqp_url` is where its messages are read in clear, if they are. */
export interface ServiceAddress {
  readonly base_url: string;
  readonly client_id: string;
  readonly client_secret: string;
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
    await call(ready.base_url, 'POST', '/message-subscriptions', await signedIn(ready), {
      queue_discriminator: discriminator,
      topics,
    }),
  );
  const { id, host, port } = made;
  // The answer says where, not how: in clear where that is the address which the banner shows so.
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
    ca: isPlain || caFile === undefined ? undefined : readAuthority(caFile),
    queues: topics.map((topic) => queueName(topic, discriminator)),
    isShared: false,
    name: `${url.protocol}//${url.host}`,
    subscriptionId: id,
    close: async () => {
      try {
        await endSubscription(ready, id);
        return undefined;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return `The subscription ${discriminator} is left behind, with its queues: ${reason} DELETE /message-subscriptions/${id} takes it away.`;
      }
    },
  };
}

/** Takes a subscription of that client's fleet away. Rejects with a `CommandError`. */
export async function endSubscription(service: ServiceAddress, id: string): Promise<void> {
  await call(service.base_url, 'DELETE', `/message-subscriptions/${id}`, await signedIn(service));
}

/** Resolves with the header `authorization`. */
async function signedIn(service: ServiceAddress): Promise<string> {
  const basic = btoa(`${service.client_id}:${service.client_secret}`);
  const path = '/auth/oauth/token?grant_type=client_credentials';
  const answer = await call(service.base_url, 'POST', path, `Basic ${basic}`);
  return `Bearer ${token.parse(answer).access_token}`;
}

async function call(
  baseUrl: string,
  method: string,
  path: string,
  authorization: string,
  body?: unknown,
): Promise<unknown> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const signal = AbortSignal.timeout(limits.tailConnectMs);
  const answer = await fetch(`${baseUrl}${path}`, { method, headers, ...json, signal }).catch(
    (error: unknown) => {
      const cause =
        error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new CommandError(
        `The service does not answer at ${baseUrl} (${cause}). Is "boxtwin up" still running?`,
      );
    },
  );
  const text = await answer.text();
  if (answer.ok) return text === '' ? undefined : (JSON.parse(text) as unknown);
  const problem = refusal.safeParse(text.startsWith('{') ? JSON.parse(text) : undefined);
  throw new CommandError(
    `${method} ${path} was answered with ${answer.status}: ${problem.success ? problem.data.detail : 'no reason is given.'}`,
    1,
  );
}

function readAuthority(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      `The certificate authority ${path} cannot be read: ${reason}. Give another file with --ca.`,
    );
  }
}
