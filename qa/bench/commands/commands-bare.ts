import { mkdtempSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Aedes } from 'aedes';
import Database from 'better-sqlite3';
import { Hono } from 'hono';
import { connectAsync, type MqttClient } from 'mqtt';
import { topics } from '../../../protocol/topics.ts';

/** The bare chain that qa/bench/commands/commands.ts compares with. Prints its address as one JSON line. */
const broker = await Aedes.createBroker();
const mqttServer = createServer({ noDelay: true }, broker.handle);
await new Promise<void>((resolve) => mqttServer.listen(0, '127.0.0.1', resolve));
const address = mqttServer.address();
const mqttPort = typeof address === 'object' && address !== null ? address.port : 0;

const box = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, { clientId: 'box' });
withoutNagle(box);
await box.subscribeAsync('boxes/+/+/down', { qos: 1 });
box.on('message', (topic, payload) => {
  box.publish(topic.replace('/down', '/up'), payload, { qos: 1 });
});

const backend = await connectAsync(`mqtt://127.0.0.1:${mqttPort}`, { clientId: 'backend' });
withoutNagle(backend);
await backend.subscribeAsync('boxes/+/+/up', { qos: 1 });
const waiting = new Map<string, () => void>();
backend.on('message', (_topic, payload) => {
  const request = payload.toString('utf8', 0, payload.indexOf(32));
  waiting.get(request)?.();
  waiting.delete(request);
});

const database = new Database(join(mkdtempSync(join(tmpdir(), 'boxtwin-bare-')), 'bare.sqlite'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE state (vehicle TEXT PRIMARY KEY, body TEXT)');
const upsert = database.prepare(
  'INSERT INTO state VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body',
);

let requests = 0;
const filling = 'x'.repeat(1_500);
const app = new Hono();
app.post('/vehicles/:id', async (c) => {
  const request = `${++requests}`;
  const id = c.req.param('id');
  const reply = new Promise<void>((resolve) => waiting.set(request, resolve));
  backend.publish(topics.down(id), `${request} ${filling}`, { qos: 1 });
  await reply;
  upsert.run(id, filling);
  return c.json({ vehicle: id, state: filling });
});
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, mqttPort })}\n`);
});
process.on('SIGINT', () => process.exit(0));

/** As the service's own client: else a small packet waits some 40 ms for the acknowledgement of the one before. */
function withoutNagle({ stream }: MqttClient): void {
  if (stream instanceof Socket) stream.setNoDelay(true);
}
