import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Aedes } from 'aedes';
import { connect } from 'amqplib';
import Database from 'better-sqlite3';
import { connectAsync } from 'mqtt';
import { messageFromParent } from '../measure/children.ts';
import { QUEUE, vehicleIdOf } from './frames-fleet.ts';

/**
 * The bare chain of qa/bench/frames/frame-to-message.ts: aedes, one subscriber, one durable commit for all that came meanwhile,
 * and a publication with confirm for each frame. Tells its port.
 */
const { amqpUrl } = await messageFromParent<{ readonly amqpUrl: string }>();
const BODY_CHARACTERS = 1_000;
const folder = mkdtempSync(join(tmpdir(), 'boxtwin-bare-'));
const database = new Database(join(folder, 'bare.sqlite'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE frame (number INTEGER PRIMARY KEY, vehicle TEXT, bytes BLOB)');
const insert = database.prepare('INSERT INTO frame (vehicle, bytes) VALUES (?, ?)');

const amqp = await connect(amqpUrl, { noDelay: true });
const channel = await amqp.createConfirmChannel();
await channel.assertQueue(QUEUE, { durable: true });

const broker = await Aedes.createBroker();
const server = createServer({ noDelay: true }, broker.handle).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
const subscriber = await connectAsync(`mqtt://127.0.0.1:${port}`, { clientId: 'backend' });
await subscriber.subscribeAsync('boxes/+/+/up', { qos: 1 });

const filling = 'x'.repeat(BODY_CHARACTERS);
let waiting: { readonly vehicleId: string; readonly bytes: Buffer }[] = [];
const commit = database.transaction((batch: typeof waiting) => {
  for (const { vehicleId, bytes } of batch) insert.run(vehicleId, bytes);
});
subscriber.on('message', (topic, bytes) => {
  waiting.push({ vehicleId: vehicleIdOf(topic.split('/')[1] ?? ''), bytes });
  if (waiting.length === 1) setImmediate(flush);
});
process.send?.({ port });
process.on('message', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});

function flush(): void {
  const batch = waiting;
  waiting = [];
  commit(batch);
  for (const { vehicleId } of batch) {
    const body = JSON.stringify({ data: { vehicle_id: vehicleId, filling } });
    channel.sendToQueue(QUEUE, Buffer.from(body), { persistent: true });
  }
}
