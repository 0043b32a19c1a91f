import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { connect } from 'amqplib';

/**
 * Do not copy this: it counts the reports of each vehicle, looks right, passes every test in which nothing fails, and makes
 * the three mistakes that consumers make most. The right ones are the other examples.
 *
 *     API, CLIENT_ID, CLIENT_SECRET, AMQP_CA   as for the other examples
 *     DATABASE                                 wrong.sqlite
 */
const { env } = process;
const { API = '', CLIENT_ID = '', CLIENT_SECRET = '', AMQP_CA = '', DATABASE = 'wrong.sqlite' } = env;
const WRITE_EVERY_MS = 3_000;

const db = new DatabaseSync(DATABASE);
db.exec('pragma journal_mode = wal');
db.exec('create table if not exists reports (vehicle_id text primary key, count integer not null)');
const add = db.prepare(
  'insert into reports values (?, ?) on conflict do update set count = count + excluded.count',
);

const basic = `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}`;
const { access_token } = await call<{ access_token: string }>(
  'POST',
  '/auth/oauth/token?grant_type=client_credentials',
  basic,
);
const bearer = `Bearer ${access_token}`;
// WRONG: the password is told once and not kept, so that each start ends the old subscription. What waited in its queue
// while this program was down goes with it.
const { items } = await call<{ items: readonly Subscription[] }>('GET', '/message-subscriptions', bearer);
for (const one of items)
  if (one.queue_discriminator === 'wrong') await call('DELETE', `/message-subscriptions/${one.id}`, bearer);
const made = await call<Subscription>('POST', '/message-subscriptions', bearer, {
  queue_discriminator: 'wrong',
  topics: ['VehicleState_v1'],
});

const { host: hostname, port, virtual_host: vhost, username, password, queues } = made;
const connection = await connect(
  { protocol: 'amqps', hostname, port, vhost, username, password },
  { ca: [readFileSync(AMQP_CA)] },
);
const channel = await connection.createChannel();
const counted = new Map<string, number>();
await channel.consume(
  queues[0]?.name ?? '',
  (delivery) => {
    if (delivery === null) return;
    const { data } = JSON.parse(delivery.content.toString('utf8')) as { data: { vehicle_id: string } };
    // WRONG: a message is delivered at least once. Without a look at its message_id each repetition counts again.
    counted.set(data.vehicle_id, (counted.get(data.vehicle_id) ?? 0) + 1);
  },
  // WRONG: the broker forgets a message as it sends it. What is not written yet is lost with this process.
  { noAck: true },
);
setInterval(() => {
  for (const [vehicleId, count] of counted) add.run(vehicleId, count);
  counted.clear();
}, WRITE_EVERY_MS);
console.log('connected');

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

async function call<Said>(
  method: string,
  path: string,
  authorization: string,
  body?: unknown,
): Promise<Said> {
  const headers = { authorization, 'content-type': 'application/json' };
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${API}${path}`, { method, headers, ...json });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Said;
}
