import type { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { Aedes, type AedesOptions } from 'aedes';
import type { Log } from '../../world/log/log.ts';
import type { MqttClient } from '../../world/mqtt/mqtt-client.ts';
import { limits } from '../limits.ts';
import { refusalLog, type WarnRefusal } from '../refusal-log.ts';
import { type Authorizers, makeAuthorizers } from './authorizers.ts';
import { InProcessMqttClient } from './in-process-client.ts';
import { type ListenerOptions, listen } from './listener.ts';
import { packetSizeCheck } from './packet-size.ts';
import { protocolLevelCheck, UNACCEPTABLE_LEVEL } from './protocol-level.ts';
import { PublishBrake } from './publish-brake.ts';
import { SessionPersistence } from './session-persistence.ts';
import { MqttSignIn, type MqttSignInOptions } from './sign-in.ts';
import { deliverWithoutWaiting, overflowOf } from './slow-subscribers.ts';

export interface MqttBrokerOptions extends ListenerOptions, Omit<MqttSignInOptions, 'refused' | 'nowMs'> {
  readonly log: Log;
}

export interface MqttBroker {
  readonly port: number;
  /** `mqtt://127.0.0.1:1883`, or `mqtts://...` with TLS. */
  readonly url: string;
  /** For programs in this process: the same accounts and rules, without a socket. */
  readonly inProcess: MqttClient;
  /** Ends all connections and frees the port. Sessions, queues and retained messages are lost. */
  close(): Promise<void>;
}

/**
 * Starts the embedded MQTT broker (3.1 and 3.1.1; everything is kept in memory). Rejects with `PortTaken` if
 * the port is in use.
 */
export async function startMqttBroker(options: MqttBrokerOptions): Promise<MqttBroker> {
  const warn = refusalLog(options.log, Date.now);
  const signIn = new MqttSignIn({
    backend: options.backend,
    authenticate: (boxId, secret) => options.authenticate(boxId, secret),
    nowMs: () => performance.now(),
    refused: (id, reason) => warn(id, reason, 'A sign-in at the MQTT broker was refused.'),
  });
  const persistence = new SessionPersistence((clientId) =>
    warn(clientId, 'the queue is full', 'A message is not kept for a session.'),
  );
  const authorizers = makeAuthorizers(signIn, warn);
  const brake = new PublishBrake();
  const aedes = await Aedes.createBroker({
    ...aedesOptions({ signIn, warn, authorizers, brake }),
    persistence,
  });
  deliverWithoutWaiting(aedes);
  aedes.on('clientDisconnect', (client) => brake.forget(client));
  const inProcess = new InProcessMqttClient({ aedes, persistence, authorizers, brake }, signIn);
  // aedes emits it, its types omit it; without a listener it would end the process.
  const emitter: EventEmitter = aedes;
  emitter.on('error', (error: Error) => {
    options.log.error({ reason: error.message }, 'The MQTT broker has a fault.');
  });

  const listener = await listen(options, (socket) => {
    checkPackets(socket, {
      severed: (reason) => warn(addressOf(socket), reason, 'An MQTT connection was severed.'),
      isStopped: () => brake.isStopped(client),
    });
    const client = aedes.handle(socket);
  }).catch(async (error: unknown) => {
    await closeAedes(aedes);
    throw error;
  });
  return {
    port: listener.port,
    url: urlOf(options, listener.port),
    inProcess,
    close: async () => {
      inProcess.close();
      await closeAedes(aedes);
      await listener.close();
    },
  };
}

function aedesOptions(parts: {
  readonly signIn: MqttSignIn;
  readonly warn: WarnRefusal;
  readonly authorizers: Authorizers;
  readonly brake: PublishBrake;
}): AedesOptions {
  const { signIn, warn, authorizers, brake } = parts;
  return {
    // No limit for the emitter: with a limit it queues, and drains its queue by recursion. Some thousand
    // wills at once, as when a cell fails, would overflow the stack.
    concurrency: 0,
    connectTimeout: limits.mqtt.connectMs,
    drainTimeout: limits.mqtt.stalledMs,
    queueLimit: limits.mqtt.packetsBeforeSignIn,
    maxInflightInbound: limits.mqtt.incompleteQos2,
    maxClientsIdLength: limits.mqtt.clientIdLength,
    maxTopicLevels: limits.mqtt.topicLevels,
    preConnect(client, packet, done) {
      const { clientId, keepalive, will } = packet;
      signIn.noteConnect(client, {
        clientId,
        keepAliveS: keepalive ?? 0,
        will: will === undefined ? undefined : { topic: will.topic, retain: will.retain === true },
      });
      done(null, true);
    },
    authenticate(client, username, password, done) {
      void signIn
        .admit(client, username, password, client.conn instanceof Socket ? addressOf(client.conn) : undefined)
        .then((error) => (error === undefined ? done(null, true) : done(error, false)));
    },
    // An error here ends the connection: MQTT 3.1.1 has no other way to refuse a publication (section 3.3.5).
    authorizePublish(client, packet, done) {
      // DUP belongs to the sender's delivery and is not forwarded (section 3.3.1.1, MQTT-3.3.1-3).
      packet.dup = false;
      if (!authorizers.mayPublish(client, packet.topic, packet.retain === true))
        return done(new Error('not authorized'));
      // A client that has ended publishes its will: nobody could send it again.
      if (client === null || client.closed || !authorizers.mayWait(client)) return done(null);
      brake.pass(client, () => done(null));
    },
    // Null: it is neither sent to this client nor queued for it.
    authorizeForward(client, packet) {
      switch (overflowOf(client.conn.writableLength, packet.qos)) {
        case 'drop':
          warn(client.id, 'it reads too slowly', 'A publication was dropped.');
          return null;
        case 'end':
          warn(client.id, 'it reads too slowly', 'An MQTT connection was severed.');
          client.conn.destroy();
          return packet;
        default:
          return packet;
      }
    },
    // Null is answered with 0x80 in the SUBACK (section 3.9.3).
    authorizeSubscribe(client, subscription, done) {
      done(null, authorizers.maySubscribe(client, subscription.topic) ? subscription : null);
    },
  };
}

/**
 * Checks the bytes of a connection before aedes reads them: its parser would buffer a packet of 256 MB. aedes takes
 * bytes with `read` only, so that a check there needs neither a copy nor another stream. For the same reason a
 * connection is stopped there: at new bytes aedes continues to read, though a publication waits. It retries when the
 * publication has passed.
 */
function checkPackets(
  socket: Socket,
  { severed, isStopped }: { readonly severed: (reason: string) => void; readonly isStopped: () => boolean },
): void {
  const sizeCheck = packetSizeCheck(limits.mqtt.firstPacketBytes, limits.mqtt.packetBytes);
  const levelCheck = protocolLevelCheck();
  let isRefused = false;
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    if (isStopped()) return null;
    const chunk: unknown = read(size);
    if (!(chunk instanceof Uint8Array)) return chunk;
    if (isRefused) return null;
    if (levelCheck.isRefused(chunk)) {
      isRefused = true;
      severed('its protocol level is unknown');
      socket.end(UNACCEPTABLE_LEVEL, () => socket.destroy());
      return null;
    }
    const result = sizeCheck.admit(chunk);
    if (result === 'admitted') return chunk;
    severed(`a packet is ${result}`);
    socket.destroy();
    return null;
  };
}

function addressOf(socket: Socket): string {
  return socket.remoteAddress ?? '';
}

function closeAedes(aedes: Aedes): Promise<void> {
  return new Promise((resolve) => aedes.close(() => resolve()));
}

function urlOf({ host, tls }: ListenerOptions, port: number): string {
  const isEverywhere = host === '0.0.0.0' || host === '::' || host === '';
  const name = isEverywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'mqtt' : 'mqtts'}://${name}:${port}`;
}
