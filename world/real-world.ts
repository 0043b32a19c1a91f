import { realAmqpPublisher } from './amqp/real-amqp-publisher.ts';
import { realCrypto, type SigningKey } from './crypto/real-crypto.ts';
import type { Flash } from './flash/flash.ts';
import { openRealFlash } from './flash/real-flash.ts';
import { realHttp } from './http/real-http.ts';
import { realIds } from './ids/real-ids.ts';
import type { Log } from './log/log.ts';
import { type LogLevel, realLog } from './log/real-log.ts';
import { realMqttClient } from './mqtt/real-mqtt-client.ts';
import type { SubscribeQos } from './mqtt/real-mqtt-session.ts';
import { realRandom } from './random/real-random.ts';
import { realClocks } from './time/real-time.ts';
import { type RealTrace, realTrace } from './trace/real-trace.ts';
import type { World } from './world.ts';

export interface RealWorldOptions {
  /**
   * The seed of the fleet's chance, including the fleet's ids. Ids and secrets made by `ids` do not depend on
   * it.
   */
  readonly seed: number;
  readonly mqttUrl: string;
  /** For mqtts: a certificate authority in PEM form. */
  readonly mqttCa?: string;
  /** Addresses of this machine that MQTT sessions connect from, in turn; absent or empty: the system chooses. */
  readonly localAddresses?: readonly string[];
  /** At which quality of service MQTT sessions subscribe; absent: 1. */
  readonly subscribeQos?: SubscribeQos | undefined;
  /** Several URLs are the nodes of one cluster. Undefined: no AMQP broker, messages are not published. */
  readonly amqpUrl: string | readonly string[] | undefined;
  readonly amqpCa?: string;
  /** The path of its file, or a flash that is open. `close` closes it. */
  readonly flash: string | Flash;
  readonly signingKey: SigningKey;
  /** An existing log, or the level of a new one on stderr. */
  readonly log: Log | LogLevel;
}

export interface RealWorld extends World {
  readonly trace: RealTrace;
  /** Releases what the world itself has opened. Sessions are closed by the code that opened them. */
  close(): Promise<void>;
}

/**
 * The world with sockets, a wall clock and a disk. Rejects with a TypeError for an invalid address or key,
 * and with an error of `openRealFlash` if the flash file cannot be used.
 */
export async function openRealWorld(options: RealWorldOptions): Promise<RealWorld> {
  const world = await flashlessWorld(options);
  // Last, since it alone has to be closed again.
  const flash = typeof options.flash === 'string' ? await openRealFlash(options.flash) : options.flash;
  return { ...world, flash, close: () => flash.close() };
}

/** The same without boxes, so without their flash. Rejects with a TypeError for an invalid address or key. */
export async function flashlessWorld(
  options: Omit<RealWorldOptions, 'flash'>,
): Promise<Omit<RealWorld, 'flash' | 'close'>> {
  const { mqttUrl, mqttCa, amqpUrl, amqpCa, localAddresses = [], subscribeQos } = options;
  const { time, steadyTime } = realClocks();
  const log = typeof options.log === 'string' ? realLog(options.log) : options.log;
  const mqtt = realMqttClient({
    url: mqttUrl,
    localAddresses,
    subscribeQos,
    ...(mqttCa === undefined ? {} : { ca: mqttCa }),
  });
  const amqp =
    amqpUrl === undefined
      ? undefined
      : realAmqpPublisher({ url: amqpUrl, ...(amqpCa === undefined ? {} : { ca: amqpCa }) });
  const crypto = await realCrypto(options.signingKey);
  return {
    time,
    steadyTime,
    random: realRandom(options.seed),
    ids: realIds(time),
    crypto,
    mqtt,
    amqp,
    http: realHttp(),
    trace: realTrace(log),
    log,
  };
}
