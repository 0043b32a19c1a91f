import type { Socket } from 'node:net';
import { type IClientOptions, MqttClient as MqttJsClient } from 'mqtt';
import {
  type MqttClient,
  type MqttConnectOptions,
  type MqttMessage,
  MqttRefused,
  type MqttSessionEvents,
} from './mqtt-client.ts';
import { type BrokerAddress, parseBrokerUrl, socketTo } from './real-broker-address.ts';
import { RealMqttSession, type SubscribeQos } from './real-mqtt-session.ts';

export interface RealMqttClientOptions {
  /** `mqtt://host:1883` or `mqtts://host:8883`; of the nodes of a cluster, several with commas between them. */
  readonly url: string;
  /** For mqtts: the certificate authority in PEM form; without it, those that Node trusts. */
  readonly ca?: string;
  /** Addresses of this machine to connect from, in turn; absent or empty: the system chooses. */
  readonly localAddresses?: readonly string[];
  /** Absent: 1. */
  readonly subscribeQos?: SubscribeQos | undefined;
}

/**
 * MQTT 3.1.1 over TCP or TLS by mqtt.js, with its automatic reconnect switched off. Clients begin at the nodes in turn; one
 * whose connection fails or ends opens the next one to the next node. Throws a TypeError where the URL is not the address
 * of an MQTT broker.
 */
export function realMqttClient(options: RealMqttClientOptions): MqttClient {
  const nodes = options.url.split(',').map((url) => parseBrokerUrl(url.trim(), options.ca));
  /** By client id: its current or next node. One entry per client. */
  const places = new Map<string, number>();
  const { localAddresses = [], subscribeQos = 1 } = options;
  let opened = 0;
  const socket = (address: BrokerAddress) => () => {
    // A port of one address serves one connection to the broker, and an address has some 28,000 of them.
    const from = localAddresses[opened % Math.max(1, localAddresses.length)];
    opened += 1;
    return socketTo(address, from);
  };
  return {
    open(connectOptions, events) {
      const { clientId } = connectOptions;
      const place = places.get(clientId) ?? places.size;
      places.set(clientId, place);
      const address = nodes[place % nodes.length];
      if (address === undefined) throw new TypeError('There is no address of an MQTT broker.');
      const session = openMqttSession(
        address.url,
        socket(address),
        { ...connectOptions, subscribeQos },
        {
          message: (topic, payload, retained, acknowledge) =>
            events.message(topic, payload, retained, acknowledge),
          closed(reason) {
            places.set(clientId, place + 1);
            events.closed(reason);
          },
        },
      );
      session.catch(() => places.set(clientId, place + 1));
      return session;
    },
  };
}

function openMqttSession(
  url: string,
  socket: () => Socket,
  options: MqttConnectOptions & { readonly subscribeQos: SubscribeQos },
  events: MqttSessionEvents,
): Promise<RealMqttSession> {
  return new Promise((resolve, reject) => {
    const client = new MqttJsClient(socket, mqttJsOptions(options));
    let reason = 'the broker closed the connection';
    let cause: Error | undefined;
    // mqtt.js emits every problem as `error`, and would carry on after some, such as bytes that are not MQTT.
    client.on('error', (error) => {
      // For a host name with several addresses, Node's error has only a code for all failures together.
      reason = error.message || ('code' in error ? String(error.code) : error.name);
      cause = error;
      client.stream.destroy();
    });
    const session = new RealMqttSession(client, events, () => reason, options.subscribeQos);
    client.once('connect', (connack) => {
      session.present = connack.sessionPresent;
      resolve(session);
      // The caller's promise has resolved by then: promises settle before the next turn of the event loop.
      setImmediate(() => session.begin());
    });
    client.once('close', () => {
      // Does nothing if `connect` has already settled the promise.
      reject(new MqttRefused(`No MQTT session with ${url}: ${reason}.`, { cause }));
    });
  });
}

function mqttJsOptions(options: MqttConnectOptions): IClientOptions {
  return {
    protocolId: 'MQTT',
    protocolVersion: 4,
    clientId: options.clientId,
    username: options.username,
    password: options.password,
    clean: options.clean,
    keepalive: options.keepAliveS,
    connectTimeout: options.connectTimeoutMs,
    reconnectPeriod: 0,
    resubscribe: false,
    // Without one it asks at each packet whether its own log is on.
    log: () => undefined,
    ...(options.will === undefined ? {} : { will: willOf(options.will) }),
  };
}

function willOf(will: MqttMessage): NonNullable<IClientOptions['will']> {
  // Not a part of the platform's pool: it stays as long as the session, and would keep 64 kB of the pool with it.
  const payload = Buffer.from(will.payload.slice().buffer);
  return { topic: will.topic, payload, qos: 1, retain: will.retain };
}
