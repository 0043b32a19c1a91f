import { valueAt } from '../../scenarios/causes/steps.ts';
import type { AmqpConsumer, AmqpConsumerSession, AmqpDelivery } from '../../world/amqp/amqp-consumer.ts';
import { realAmqpConsumer } from '../../world/amqp/real-amqp-consumer.ts';
import type { Time } from '../../world/time/time.ts';
import { CommandError } from '../shared/command-error.ts';
import type { Disposables } from '../shared/disposables.ts';
import type { CertifyOptions } from './certify-options.ts';
import { limits } from './limits.ts';
import { jsonOf, type ServiceApi } from './service-api.ts';

/** A message as it was read from a queue. */
export interface ReadMessage {
  readonly atMs: number;
  readonly topic: string;
  readonly delivery: AmqpDelivery;
  /** Its body as JSON; undefined: it is none. */
  readonly body: unknown;
}

/** A queue of the subscription of a certification. */
export interface SubscribedQueue {
  readonly topic: string;
  readonly name: string;
}

/** Reads the messages of a subscription that is made for a certification. */
export interface MessageReader {
  /** Since when the queues are there. */
  readonly sinceMs: number;
  readonly queues: readonly SubscribedQueue[];
  /** What came so far, oldest first, repeats included; at most `limits.messages`. */
  readonly messages: readonly ReadMessage[];
}

const PATH = '/message-subscriptions';
const TOPICS = [
  'VehicleState_v1',
  'VehicleDataChanged_v1',
  'DamageDetected_v1',
  'SmokeDetected_v1',
  'DrivingEvent_v1',
  'ParkingEvent_v1',
];

/**
 * Subscribes to all topics and reads the queues until the end, when the subscription is cancelled. Rejects with a
 * `CommandError` where the service makes no subscription or the broker does not let its queues be read.
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
  const answer = await api.ask('POST', PATH, { queue_discriminator: discriminator, topics: TOPICS });
  const body = jsonOf(answer.text);
  const queues = (valueAt(body, 'queues') as readonly SubscribedQueue[] | undefined) ?? [];
  if (answer.status !== 201 || queues.length === 0)
    throw new CommandError(
      `POST ${PATH} answered ${answer.status}: ${answer.text.slice(0, limits.findingCharacters)} Without a subscription no message can be looked at; leave --amqp away to certify the rest.`,
      1,
    );
  await disposables.add(async () => {
    await api.ask('DELETE', `${PATH}/${String(valueAt(body, 'id'))}`);
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

/** The account of the address, or where it has none that of the subscription. */
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
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The AMQP broker (--amqp) cannot be read: ${why}`);
  }
}
