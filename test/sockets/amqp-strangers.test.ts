import { connect as connectSocket, type Socket } from 'node:net';
import { connect } from 'amqplib';
import { afterEach, expect, test } from 'vitest';
import { limits } from '../../brokers/amqp/limits.ts';
import { until } from '../services.ts';
import { type EmbeddedAmqp, startEmbeddedAmqp } from './amqp-broker-kit.ts';
import { certificate } from './certificate.ts';

const STRANGERS = 600;

let broker: EmbeddedAmqp | undefined;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await broker?.close();
});

/** Connections that say nothing; resolves once the broker has all of them, and has severed those without a place. */
async function fill(port: number): Promise<void> {
  sockets = Array.from({ length: STRANGERS }, () => connectSocket({ host: '127.0.0.1', port }));
  for (const socket of sockets) socket.on('error', () => undefined);
  await until(() => left() <= limits.waitingOfAddress);
}
const left = () => sockets.filter(({ closed, destroyed }) => !closed && !destroyed).length;

test.each([
  ['in clear', {}],
  ['by TLS, without a handshake', { tls: certificate }],
])('600 strangers %s take no place from who signs in', async (_, options) => {
  broker = await startEmbeddedAmqp(options);
  const early = await connect(broker.urlOf('owner'), { ca: [certificate.cert] });
  await fill(broker.port);
  const late = await connect(broker.urlOf('owner'), { ca: [certificate.cert] });
  // They are still there: nobody waited for their time to be over.
  expect(left()).toBeGreaterThan(limits.waitingOfAddress / 2);
  for (const each of [early, late]) await (await each.createChannel()).close();
  for (const each of [early, late]) await each.close();
});
