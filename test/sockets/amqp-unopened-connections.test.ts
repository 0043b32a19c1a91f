import { connect as connectSocket, type Socket } from 'node:net';
import { connect } from 'amqplib';
import { afterEach, expect, test } from 'vitest';
import { limits } from '../../brokers/limits.ts';
import { type EmbeddedAmqp, startEmbeddedAmqp } from '../support/amqp/embedded-amqp-broker.ts';
import { waitUntil } from '../support/run/external-services.ts';
import { certificate } from '../support/sockets/certificate.ts';

const IDLE_CONNECTIONS = 600;

let broker: EmbeddedAmqp | undefined;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await broker?.close();
});

/** Opens idle connections; resolves once the broker has severed those over its limit. */
async function fill(port: number): Promise<void> {
  sockets = Array.from({ length: IDLE_CONNECTIONS }, () => connectSocket({ host: '127.0.0.1', port }));
  for (const socket of sockets) socket.on('error', () => undefined);
  await waitUntil(() => left() <= limits.amqp.waitingOfAddress);
}
const left = () => sockets.filter(({ closed, destroyed }) => !closed && !destroyed).length;

test.each([
  ['in plain text', {}],
  ['to the TLS port, without a handshake', { tls: certificate }],
])('600 idle connections %s do not prevent a client from signing in', async (_, options) => {
  broker = await startEmbeddedAmqp(options);
  const early = await connect(broker.urlOf('owner'), { ca: [certificate.cert] });
  await fill(broker.port);
  const late = await connect(broker.urlOf('owner'), { ca: [certificate.cert] });
  // Idle connections are still open: the sign-in did not wait for their time-out.
  expect(left()).toBeGreaterThan(limits.amqp.waitingOfAddress / 2);
  for (const each of [early, late]) await (await each.createChannel()).close();
  for (const each of [early, late]) await each.close();
});
