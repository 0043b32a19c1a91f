import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Aedes, type AedesOptions } from 'aedes';
import type { Log } from '../../world/log.ts';
import { refusalLog, type Warn } from '../refusal-log.ts';
import { limits } from './limits.ts';
import { type ListenerOptions, listen } from './listener.ts';
import { packetGate } from './packet-gate.ts';
import { levelGate, WRONG_LEVEL } from './protocol-level.ts';
import { boundQueues } from './queue-bound.ts';
import { markRedelivered } from './redelivered.ts';
import { mayPublish, maySubscribe } from './rules.ts';
import { SignIn, type SignInOptions } from './sign-in.ts';
import { handOverWithoutWaiting, overflowOf } from './slow-subscribers.ts';

export interface MqttBrokerOptions extends ListenerOptions, Omit<SignInOptions, 'refused'> {
  readonly log: Log;
}

export interface MqttBroker {
  readonly port: number;
  /** `mqtt://127.0.0.1:1883`, or `mqtts://...` with TLS. */
  readonly url: string;
  /** Ends all connections and frees the port. Sessions, queues and retained messages are gone with it. */
  close(): Promise<void>;
}

/**
 * Starts the embedded MQTT broker (3.1 and 3.1.1; everything is kept in memory). Rejects with `PortTaken` where
 * the port is in use.
 */
export async function startMqttBroker(options: MqttBrokerOptions): Promise<MqttBroker> {
  const warn = refusalLog(options.log, Date.now);
  const signIn = new SignIn({
    backend: options.backend,
    authenticate: (boxId, secret) => options.authenticate(boxId, secret),
    refused: (id, reason) => warn(id, reason, 'A sign-in at the MQTT broker was refused.'),
  });
  const aedes = await Aedes.createBroker(aedesOptions(signIn, warn));
  boundQueues(aedes, (clientId) =>
    warn(clientId, 'the queue is full', 'A message is not kept for a session.'),
  );
  handOverWithoutWaiting(aedes);
  markRedelivered(aedes);
  // aedes emits it, its types do not know it; unheard it would end the process.
  const emitter: EventEmitter = aedes;
  emitter.on('error', (error: Error) => {
    options.log.error({ reason: error.message }, 'The MQTT broker has a fault.');
  });

  const listener = await listen(options, (socket) => {
    guard(socket, (reason) => warn(addressOf(socket), reason, 'An MQTT connection was severed.'));
    aedes.handle(socket);
  }).catch(async (error: unknown) => {
    await closed(aedes);
    throw error;
  });
  return {
    port: listener.port,
    url: urlOf(options, listener.port),
    close: async () => {
      await closed(aedes);
      await listener.close();
    },
  };
}

function aedesOptions(signIn: SignIn, warn: Warn): AedesOptions {
  return {
    // No bound on what the emitter works on: past one it queues, and drains its queue by recursion. Some thousand wills
    // at once, as when a cell goes down, would end the process with a full stack.
    concurrency: 0,
    connectTimeout: limits.connectMs,
    drainTimeout: limits.stalledMs,
    queueLimit: limits.packetsBeforeSignIn,
    maxInflightInbound: limits.halfReceived,
    maxClientsIdLength: limits.clientIdLength,
    maxTopicLevels: limits.topicLevels,
    preConnect(client, packet, done) {
      const { clientId, keepalive, will } = packet;
      signIn.greet(client, {
        clientId,
        keepAliveS: keepalive ?? 0,
        will: will === undefined ? undefined : { topic: will.topic, retain: will.retain === true },
      });
      done(null, true);
    },
    authenticate(client, username, password, done) {
      void signIn
        .admit(client, username, password)
        .then((error) => (error === undefined ? done(null, true) : done(error, false)));
    },
    // An error here ends the connection: MQTT 3.1.1 has no other way to refuse a publication (section 3.3.5).
    authorizePublish(client, packet, done) {
      // Of its sender's delivery, and not of ours: it is not handed on (section 3.3.1.1, MQTT-3.3.1-3).
      packet.dup = false;
      const account = client === null ? undefined : signIn.accountOf(client);
      if (account !== undefined && mayPublish(account, packet.topic, packet.retain === true))
        return done(null);
      warn(client?.id ?? '', 'it may not publish on this topic', 'A publication was refused.');
      done(new Error('not authorized'));
    },
    // Null: it is not sent to this client, and not kept for it either.
    authorizeForward(client, packet) {
      switch (overflowOf(client.conn.writableLength, packet.qos)) {
        case 'drop':
          warn(client.id, 'it does not take what it has subscribed', 'A publication was dropped.');
          return null;
        case 'end':
          warn(client.id, 'it does not take what it has subscribed', 'An MQTT connection was severed.');
          client.conn.destroy();
          return packet;
        default:
          return packet;
      }
    },
    // Null is answered with 0x80 in the SUBACK (section 3.9.3).
    authorizeSubscribe(client, subscription, done) {
      const account = signIn.accountOf(client);
      if (account !== undefined && maySubscribe(account, subscription.topic)) return done(null, subscription);
      warn(client.id, 'it may not subscribe this filter', 'A subscription was refused.');
      done(null, null);
    },
  };
}

/**
 * Looks at the bytes of a connection before aedes reads them: its parser would gather a packet of 256 MB. aedes
 * takes bytes with `read` only, so that a gate there costs no copy and no further stream.
 */
function guard(socket: Socket, severed: (reason: string) => void): void {
  const gate = packetGate(limits.firstPacketBytes, limits.packetBytes);
  const level = levelGate();
  let isRefused = false;
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (!(chunk instanceof Uint8Array)) return chunk;
    if (isRefused) return null;
    if (level.isRefused(chunk)) {
      isRefused = true;
      severed('its protocol level is unknown');
      socket.end(WRONG_LEVEL, () => socket.destroy());
      return null;
    }
    const verdict = gate.admit(chunk);
    if (verdict === 'admitted') return chunk;
    severed(`a packet is ${verdict}`);
    socket.destroy();
    return null;
  };
}

function addressOf(socket: Socket): string {
  return socket.remoteAddress ?? '';
}

function closed(aedes: Aedes): Promise<void> {
  return new Promise((resolve) => aedes.close(() => resolve()));
}

function urlOf({ host, tls }: ListenerOptions, port: number): string {
  const isEverywhere = host === '0.0.0.0' || host === '::' || host === '';
  const name = isEverywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'mqtt' : 'mqtts'}://${name}:${port}`;
}
