import { type IClientOptions, MqttClient } from 'mqtt';
import { type Link, type LinkEvents, type LinkOptions, LinkRefused, type Publication } from './link.ts';
import { RealSession } from './real-session.ts';
import { type BrokerAddress, parseBrokerUrl, socketTo } from './real-socket.ts';

export interface RealLinkOptions {
  /** `mqtt://host:1883` or `mqtts://host:8883`. */
  readonly url: string;
  /** For mqtts: the certificate authority in PEM form; without it those that Node knows. */
  readonly ca?: string;
}

/**
 * MQTT 3.1.1 over TCP or TLS by mqtt.js, whose own reconnecting stays off. Throws a TypeError where the URL is none
 * of an MQTT broker.
 */
export function realLink(options: RealLinkOptions): Link {
  const address = parseBrokerUrl(options.url, options.ca);
  return { open: (linkOptions, events) => openSession(address, linkOptions, events) };
}

function openSession(address: BrokerAddress, options: LinkOptions, events: LinkEvents): Promise<RealSession> {
  return new Promise((resolve, reject) => {
    const client = new MqttClient(() => socketTo(address), clientOptions(options));
    let reason = 'the broker closed the connection';
    // mqtt.js emits every trouble as `error`; after some, such as bytes that are no MQTT, it would just go on.
    client.on('error', (error) => {
      reason = error.message;
      client.stream.destroy();
    });
    const session = new RealSession(client, events, () => reason);
    client.once('connect', (connack) => {
      session.present = connack.sessionPresent;
      resolve(session);
      // Whoever awaits the session has it by then: promises settle before the next turn of the loop.
      setImmediate(() => session.begin());
    });
    client.once('close', () => {
      // Does nothing where the promise has been settled by `connect`.
      reject(new LinkRefused(`No MQTT session with ${address.url}: ${reason}.`));
    });
  });
}

function clientOptions(options: LinkOptions): IClientOptions {
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
    ...(options.will === undefined ? {} : { will: willOf(options.will) }),
  };
}

function willOf(will: Publication): NonNullable<IClientOptions['will']> {
  return { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: will.retain };
}
