import { readFileSync } from 'node:fs';
import { type ChannelModel, type ConsumeMessage, connect } from 'amqplib';
import type { Bookings } from './bookings.ts';
import { pause, problemOf, type ServiceApi } from './service-api.ts';
import type { VehicleState } from './vehicle.ts';

export interface MessageOptions {
  /** By which this program's queue is known: another installation takes another one. */
  readonly discriminator: string;
  /** The authority of the broker's certificate, a PEM file; undefined: one that Node knows. */
  readonly caFile: string | undefined;
}

/** What a subscription says; the password is in the answer that made it, and nowhere else. */
interface Subscription {
  readonly id: string;
  readonly queue_discriminator: string;
  readonly host: string;
  readonly port: number;
  readonly virtual_host: string;
  readonly username: string;
  readonly password: string;
  readonly queues: readonly { readonly name: string }[];
}

interface StateMessage {
  readonly metadata: { readonly message_id: string };
  readonly data: {
    readonly vehicle_id: string;
    readonly vehicle_state: VehicleState;
    readonly triggered_by?: { readonly channel: string; readonly correlation_id: string };
  };
}

const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 15_000;
/** So many are delivered ahead; what is not acknowledged comes again. */
const PREFETCH = 50;

/** Takes the states of the vehicles into the database until `end`; a connection that is lost is opened anew, ever slower. */
export async function readMessages(
  bookings: Bookings,
  api: ServiceApi,
  options: MessageOptions,
  end: AbortSignal,
): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!end.aborted) {
    try {
      const subscription = await subscribed(bookings, api, options.discriminator);
      await readOnce(bookings, subscription, options.caFile, end, () => {
        pauseMs = FIRST_PAUSE_MS;
      });
    } catch (error) {
      if (end.aborted) return;
      console.error(`messages: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (!end.aborted) await forgetDeleted(bookings, api).catch(() => undefined);
    await pause(pauseMs * (0.5 + Math.random() / 2), end).catch(() => undefined);
    pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS);
  }
}

/** The subscription that was made before, or a new one, which is on disk before it is used. */
async function subscribed(bookings: Bookings, api: ServiceApi, discriminator: string): Promise<Subscription> {
  const kept = bookings.subscription;
  if (kept !== undefined) return JSON.parse(kept) as Subscription;
  const body = { queue_discriminator: discriminator, topics: ['VehicleState_v1'] };
  let answer = await api.call('POST', '/message-subscriptions', { body });
  if (answer.status === 409) {
    // It was made and its password never kept, as where this program died in between. Nothing was read there yet.
    const list = await api.ask('GET', '/message-subscriptions');
    const { items } = list.body as { readonly items: readonly Subscription[] };
    for (const { id, queue_discriminator } of items)
      if (queue_discriminator === discriminator) await api.ask('DELETE', `/message-subscriptions/${id}`);
    answer = await api.call('POST', '/message-subscriptions', { body });
  }
  if (answer.status !== 201) throw new Error(`There is no subscription: ${problemOf(answer)}.`);
  bookings.subscription = JSON.stringify(answer.body);
  return answer.body as Subscription;
}

/**
 * Whoever deletes a subscription deletes its account and its queue, and what was in it: a new one begins with what comes
 * from then on. Rejects where the service does not answer, so that nobody knows.
 */
async function forgetDeleted(bookings: Bookings, api: ServiceApi): Promise<void> {
  const kept = bookings.subscription;
  if (kept === undefined) return;
  const { id } = JSON.parse(kept) as Subscription;
  const list = await api.call('GET', '/message-subscriptions');
  if (list.status !== 200) return;
  const { items } = list.body as { readonly items: readonly Subscription[] };
  if (items.every((one) => one.id !== id)) bookings.subscription = undefined;
}

/** One connection, to its end. Rejects where it cannot be had. */
async function readOnce(
  bookings: Bookings,
  subscription: Subscription,
  caFile: string | undefined,
  end: AbortSignal,
  connected: () => void,
): Promise<void> {
  const { host: hostname, port, virtual_host: vhost, username, password, queues } = subscription;
  const tls = caFile === undefined ? {} : { ca: [readFileSync(caFile)] };
  const connection: ChannelModel = await connect(
    { protocol: 'amqps', hostname, port, vhost, username, password, heartbeat: 10 },
    { timeout: 10_000, ...tls },
  );
  const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
  // Every error of a connection is followed by its close.
  connection.on('error', () => undefined);
  const stop = () => void connection.close().catch(() => undefined);
  try {
    if (end.aborted) return;
    end.addEventListener('abort', stop, { once: true });
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    await channel.prefetch(PREFETCH);
    const take = (delivery: ConsumeMessage | null) => {
      // Null: the queue was deleted. A new connection finds out what is left.
      if (delivery === null) return stop();
      try {
        store(bookings, delivery);
        channel.ack(delivery);
      } catch (error) {
        // The disk is full, or the like: nothing is acknowledged, and all of it comes again over the next connection.
        console.error(`messages: ${String(error)}`);
        stop();
      }
    };
    for (const { name } of queues) await channel.consume(name, take);
    connected();
    await closed;
  } finally {
    end.removeEventListener('abort', stop);
    stop();
  }
}

/** On disk when it returns: only then is the message acknowledged. */
function store(bookings: Bookings, { content }: ConsumeMessage): void {
  const { metadata, data } = JSON.parse(content.toString('utf8')) as StateMessage;
  // More than we know may be in it: only what is needed is read.
  const { vehicle_id, vehicle_state, triggered_by } = data;
  const flowId = triggered_by?.channel === 'API_COMMAND' ? triggered_by.correlation_id : undefined;
  bookings.message(metadata.message_id, vehicle_id, vehicle_state, flowId);
}
