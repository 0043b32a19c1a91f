import { TOPICS } from '../../contract/messages.ts';
import { SUBSCRIPTIONS_PATH } from '../../contract/operation.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import type { Disposables } from '../../deployment/shared/disposables.ts';
import type { ReadMessage } from '../../judge/certify/message-points.ts';
import type { AmqpConsumer, AmqpConsumerSession } from '../../world/amqp/amqp-consumer.ts';
import { realAmqpConsumer } from '../../world/amqp/real-amqp-consumer.ts';
import { errorText } from '../../world/error-text.ts';
import { jsonOf, valueAt } from '../../world/json.ts';
import type { Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { CertifyOptions } from './certify-options.ts';
import type { ServiceApi } from './service-api.ts';

/** A queue of the subscription of a certification. */
export interface SubscribedQueue {
  readonly topic: string;
  readonly name: string;
}

/** Reads the messages of a subscription that is created for a certification. */
export interface MessageReader {
  /** Since when the queues exist. */
  readonly sinceMs: number;
  readonly queues: readonly SubscribedQueue[];
  /** The messages so far, oldest first, repeats included; at most `limits.messages`. */
  readonly messages: readonly ReadMessage[];
}

/**
 * Subscribes to all topics and reads the queues until the end, when the subscription is cancelled. Rejects with a
 * `CommandError` where the service creates no subscription or the broker does not let its queues be read.
 */
export async function openMessageReader(
  options: CertifyOptions,
  api: ServiceApi,
  time: Time,
  disposables: Disposables,
): Promise<MessageReader | undefined> {
  const { amqp: url, amqpCa: ca, network } = options;
  if (url === undefined) return undefined;
  const discriminator = `certify-${time.nowMs()}`;
  const answer = await api.ask('POST', SUBSCRIPTIONS_PATH, {
    queue_discriminator: discriminator,
    topics: TOPICS.map(({ topic }) => topic),
  });
  const body = jsonOf(answer.text);
  const queues = (valueAt(body, 'queues') as readonly SubscribedQueue[] | undefined) ?? [];
  if (answer.status !== 201 || queues.length === 0)
    throw new CommandError(
      `POST ${SUBSCRIPTIONS_PATH} answered ${answer.status}: ${answer.text.slice(0, limits.findingCharacters)} Without a subscription no message can be looked at; omit --amqp to certify the rest.`,
      1,
    );
  await disposables.add(async () => {
    await api.ask('DELETE', `${SUBSCRIPTIONS_PATH}/${String(valueAt(body, 'id'))}`);
  });
  const account = { username: valueAt(body, 'username'), password: valueAt(body, 'password') };
  const consumer =
    network?.amqp?.(withAccount(url, account), ca) ?? ownConsumer(withAccount(url, account), ca);
  const messages: ReadMessage[] = [];
  const session = await openSession(consumer);
  await disposables.add(() => session.close());
  for (const { topic, name } of queues)
    await session.consume(name, { prefetch: limits.prefetch }, (delivery) => {
      const text = new TextDecoder().decode(delivery.body);
      if (messages.length < limits.messages)
        messages.push({ atMs: time.nowMs(), topic, delivery, body: jsonOf(text) });
      session.ack(delivery);
    });
  return { sinceMs: time.nowMs(), queues, messages };
}

function ownConsumer(url: string, ca: string | undefined): AmqpConsumer {
  return realAmqpConsumer({ url, ...(ca === undefined ? {} : { ca }) });
}

/** The account of the address, or without one that of the subscription. */
function withAccount(
  url: string,
  { username, password }: { readonly username: unknown; readonly password: unknown },
): string {
  const parsed = new URL(url);
  if (parsed.username !== '' || typeof username !== 'string' || typeof password !== 'string') return url;
  parsed.username = encodeURIComponent(username);
  parsed.password = encodeURIComponent(password);
  return parsed.href;
}

async function openSession(consumer: AmqpConsumer): Promise<AmqpConsumerSession> {
  try {
    return await consumer.open({ connectTimeoutMs: limits.amqpConnectMs }, { closed: () => undefined });
  } catch (error) {
    const why = errorText(error);
    throw new CommandError(`The AMQP broker (--amqp) cannot be read: ${why}`);
  }
}
