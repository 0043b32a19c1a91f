import type { RadioSetting } from '../simulator/radio/setting.ts';
import type { LogLevel } from '../world/real-log.ts';
import { readyBanner, readyLine } from './banner.ts';
import { limits } from './limits.ts';
import { onReaderLeft } from './reader.ts';
import { removeReadyFile, writeReadyFile } from './ready-file.ts';
import { type Station, startStation } from './station.ts';

/** As commander hands them over. */
export interface UpOptions {
  readonly vehicles: number;
  readonly seed?: number;
  readonly port?: number;
  readonly simulatorPort?: number;
  readonly mqttPort?: number;
  readonly amqpPort?: number;
  readonly amqpsPort?: number;
  readonly route?: string;
  readonly radio: RadioSetting;
  readonly data: string;
  readonly fresh: boolean;
  readonly mqtt: string;
  readonly amqp: string;
  readonly amqpCa?: string;
  readonly amqpAdmin?: string;
  readonly amqpConsumer?: string;
  readonly amqpOwner?: string;
  readonly amqpQueueType?: 'classic' | 'quorum';
  readonly rateLimit?: number;
  readonly answerTimeout?: number;
  readonly redirectUri?: string;
  readonly corsOrigin?: readonly string[];
  readonly drivers: 'on' | 'off';
  readonly alertUrl?: string;
  readonly json: boolean;
  readonly logLevel: LogLevel;
}

/** Starts everything, shows the banner, and runs until SIGINT or SIGTERM, or until the reader of its output has left. */
export async function up(options: UpOptions): Promise<void> {
  const ended = Promise.withResolvers<NodeJS.Signals | 'reader left'>();
  let isEnding = false;
  const onSignal = (signal: NodeJS.Signals) => {
    // The second signal means now; flash and store are safe at any moment.
    if (isEnding) process.exit(1);
    isEnding = true;
    ended.resolve(signal);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  onReaderLeft(() => {
    isEnding = true;
    ended.resolve('reader left');
  });

  const station = startStation({
    vehicles: options.vehicles,
    seed: options.seed,
    port: options.port,
    simulatorPort: options.simulatorPort,
    mqttPort: options.mqttPort,
    amqpPort: options.amqpPort,
    amqpsPort: options.amqpsPort,
    ...(options.route === undefined ? {} : { routeFile: options.route }),
    radio: options.radio,
    data: options.data,
    isFresh: options.fresh,
    mqtt: options.mqtt,
    amqp: options.amqp,
    ...(options.amqpOwner === undefined ? {} : { amqpOwner: options.amqpOwner }),
    givenAmqp: {
      caFile: options.amqpCa,
      adminUrl: options.amqpAdmin,
      consumer: options.amqpConsumer,
      queueType: options.amqpQueueType,
    },
    ...(options.rateLimit === undefined ? {} : { rateLimit: options.rateLimit }),
    ...(options.answerTimeout === undefined ? {} : { answerTimeoutS: options.answerTimeout }),
    ...(options.redirectUri === undefined ? {} : { redirectUri: options.redirectUri }),
    ...(options.corsOrigin === undefined ? {} : { corsOrigins: options.corsOrigin }),
    alertUrl: options.alertUrl,
    drivers: options.drivers === 'on',
    logLevel: options.logLevel,
  });
  // A signal counts from the first moment, also while a broker is being waited for.
  const facts = await Promise.race([station.ready, ended.promise]);
  if (typeof facts !== 'string') {
    writeReadyFile(facts.dataPath, readyLine(facts));
    if (options.json) process.stdout.write(`${readyLine(facts)}\n`);
    else showBanner(readyBanner(facts));
    await ended.promise;
  }
  await end(station, options, typeof facts === 'string' ? undefined : facts.dataPath);
}

/**
 * In a pipe the last line comes a moment later: only a write tells that the reader has left (`| head`), and a banner that
 * went out whole would be the last one.
 */
function showBanner(banner: string): void {
  const lastAt = banner.trimEnd().lastIndexOf('\n') + 1;
  process.stdout.write(banner.slice(0, lastAt));
  const rest = () => void process.stdout.write(`${banner.slice(lastAt)}\n`);
  if (process.stdout.isTTY) rest();
  else setTimeout(rest, limits.readerLookMs).unref();
}

async function end(station: Station, options: UpOptions, dataPath: string | undefined): Promise<void> {
  if (!options.json && process.stderr.isTTY) process.stderr.write('\nboxtwin: ending\n');
  // What hangs must not keep the user waiting: all that was acknowledged is durable already.
  const impatience = setTimeout(() => {
    process.stderr.write(
      `boxtwin: something did not end within ${limits.shutdownMs / 1000} s; it was cut off.\n`,
    );
    process.exit(1);
  }, limits.shutdownMs);
  // Ended in the middle of its start, it has nothing more to say about that.
  station.ready.catch(() => undefined);
  await station.close();
  if (dataPath !== undefined) removeReadyFile(dataPath);
  clearTimeout(impatience);
  process.exit(0);
}
