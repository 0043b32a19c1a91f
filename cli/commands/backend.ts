import type { LogLevel } from '../../world/log/real-log.ts';
import { type LiveWish, liveHere } from '../live/live-output.ts';
import { loadModels } from '../models/model-directory.ts';
import { startBackendPart } from '../parts/backend-part.ts';
import { brokersOf } from '../parts/brokers-file.ts';
import { runPart } from '../parts/run-part.ts';
import { readyBanner, readyLine } from '../server/banner.ts';
import { CommandError } from '../shared/command-error.ts';
import { removeReadyFile, writeReadyFile } from '../shared/ready-file.ts';

/** As commander hands them over. */
export interface BackendOptions {
  readonly vehicles: number;
  readonly stock: number;
  readonly seed?: number;
  readonly host: string;
  readonly publicUrl?: string;
  readonly trustedProxy?: readonly string[];
  readonly port?: number;
  readonly simulator: string;
  readonly models?: string;
  readonly controlPort?: number;
  readonly data: string;
  readonly store?: string;
  readonly storeCa?: string;
  readonly mqtt?: string;
  readonly mqttCa?: string;
  readonly amqp?: string;
  readonly amqpCa?: string;
  readonly amqpAdmin?: string;
  readonly amqpConsumer?: string;
  readonly amqpQueueType?: 'classic' | 'quorum';
  readonly alertUrl?: string;
  readonly rateLimit?: number;
  readonly answerTimeout?: number;
  readonly redirectUri?: string;
  readonly corsOrigin?: readonly string[];
  readonly json: boolean;
  readonly live: LiveWish;
  readonly logLevel: LogLevel;
}

/** Runs the service alone, until a signal. Throws a `CommandError` where brokers are asked for that would be in this process. */
export function backend(options: BackendOptions): Promise<void> {
  for (const [option, url] of [
    ['--mqtt', options.mqtt],
    ['--amqp', options.amqp],
  ])
    if (url === 'embedded')
      throw new CommandError(
        `"boxtwin backend" has no broker in it, and ${option} is "embedded". Start "boxtwin brokers", or give the URL of your own.`,
      );
  if (options.models !== undefined) loadModels(options.models);
  const brokers = brokersOf(options.data);
  const amqp = options.amqp ?? brokers?.amqp_url;
  const ofBrokers = options.amqp === undefined ? brokers : undefined;
  return runPart(
    () =>
      startBackendPart({
        vehicles: options.vehicles,
        stock: options.stock,
        seed: options.seed,
        host: options.host,
        publicUrl: options.publicUrl,
        trustedProxies: options.trustedProxy,
        port: options.port,
        simulatorUrl: options.simulator,
        controlPort: options.controlPort,
        data: options.data,
        ...{ store: options.store, storeCa: options.storeCa },
        ...{ mqtt: options.mqtt ?? brokers?.mqtt_url ?? USUAL_MQTT, mqttCa: options.mqttCa },
        amqp: amqp ?? 'none',
        givenAmqp: {
          caFile: options.amqpCa,
          adminUrl: options.amqpAdmin ?? ofBrokers?.amqp_admin_url,
          consumer: options.amqpConsumer,
          queueType: options.amqpQueueType,
        },
        alertUrl: options.alertUrl,
        ...(options.rateLimit === undefined ? {} : { rateLimit: options.rateLimit }),
        ...(options.answerTimeout === undefined ? {} : { answerTimeoutS: options.answerTimeout }),
        ...(options.redirectUri === undefined ? {} : { redirectUri: options.redirectUri }),
        ...(options.corsOrigin === undefined ? {} : { corsOrigins: options.corsOrigin }),
        logLevel: options.logLevel,
      }),
    {
      ...{ json: options.json, live: liveHere(options) },
      line: readyLine,
      banner: readyBanner,
      begun: (facts) => writeReadyFile(facts.dataPath, readyLine(facts)),
      ended: (facts) => removeReadyFile(facts.dataPath, readyLine(facts)),
    },
  );
}

/** Where a broker of the user's usually is. */
export const USUAL_MQTT = 'mqtt://127.0.0.1:1883';
