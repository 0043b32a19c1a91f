import { setFlagsFromString } from 'node:v8';
import { READY_FILE, removeAddressFile, writeAddressFile } from '../../deployment/directory/address-files.ts';
import { loadModels } from '../../deployment/models/model-directory.ts';
import { startBackendPart } from '../../deployment/service/backend-part.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { readFixedClient } from '../../deployment/shared/fixed-client.ts';
import type { LogFormat, LogLevel } from '../../world/log/real-log.ts';
import { bannerStyle, readyBanner, readyLine } from '../live/banner.ts';
import { type LiveWish, liveHere } from '../live/live-output.ts';
import { runPart } from '../live/run-part.ts';

/**
 * How much the heap may grow, in percent, before all of it is collected. V8 lets that of a process with little to do grow by
 * a tenth: each of several backends would collect all its garbage every few seconds, which takes a fifth of its
 * processor time.
 */
const HEAP_GROWTH_PERCENT = 100;

/** As commander hands them over. */
export interface BackendOptions {
  readonly vehicles: number;
  readonly stock: number;
  readonly seed?: number;
  readonly host: string;
  readonly publicUrl?: string;
  readonly trustedProxy?: readonly string[];
  readonly port?: number;
  readonly simulator?: string;
  readonly force: boolean;
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
  readonly client?: string;
  readonly redirectUri?: string;
  readonly corsOrigin?: readonly string[];
  readonly json: boolean;
  readonly verbose: boolean;
  readonly live: LiveWish;
  readonly quiet: boolean;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

/**
 * Runs the service alone, until a signal. Throws a `CommandError` where the options ask for brokers in this process.
 */
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
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
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
        force: options.force,
        controlPort: options.controlPort,
        data: options.data,
        store: options.store,
        storeCa: options.storeCa,
        mqtt: options.mqtt,
        mqttCa: options.mqttCa,
        amqp: options.amqp,
        givenAmqp: {
          caFile: options.amqpCa,
          adminUrl: options.amqpAdmin,
          consumer: options.amqpConsumer,
          queueType: options.amqpQueueType,
        },
        alertUrl: options.alertUrl,
        ...(options.rateLimit === undefined ? {} : { rateLimit: options.rateLimit }),
        ...(options.answerTimeout === undefined ? {} : { answerTimeoutS: options.answerTimeout }),
        client: options.client === undefined ? undefined : readFixedClient(options.client),
        ...(options.redirectUri === undefined ? {} : { redirectUri: options.redirectUri }),
        ...(options.corsOrigin === undefined ? {} : { corsOrigins: options.corsOrigin }),
        logLevel: options.logLevel,
      }),
    {
      json: options.json,
      live: liveHere(options),
      logFormat: options.logFormat,
      line: readyLine,
      banner: (facts) => readyBanner(facts, bannerStyle(options)),
      notices: (facts) => facts.notices,
      begun: (facts) => writeAddressFile(facts.dataPath, READY_FILE, readyLine(facts)),
      ended: (facts) => removeAddressFile(facts.dataPath, READY_FILE, readyLine(facts)),
    },
  );
}
