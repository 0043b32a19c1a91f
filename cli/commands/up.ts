import { availableParallelism } from 'node:os';
import { readMapGround } from '../../deployment/console/map-ground.ts';
import { READY_FILE, removeAddressFile, writeAddressFile } from '../../deployment/directory/address-files.ts';
import { startLocalDeployment } from '../../deployment/local-deployment.ts';
import { loadModels } from '../../deployment/models/model-directory.ts';
import { startSeveralProcesses, wantsProcesses } from '../../deployment/several-processes.ts';
import type { LocalDeploymentOptions } from '../../deployment/shared/deployment-options.ts';
import { readFixedClient } from '../../deployment/shared/fixed-client.ts';
import type { ReadyFacts } from '../../deployment/shared/ready-facts.ts';
import type { StartedPart } from '../../deployment/shared/started-part.ts';
import type { RadioSetting } from '../../simulator/box-plan.ts';
import type { WeatherPresetName } from '../../simulator/weather/presets.ts';
import type { LogFormat, LogLevel } from '../../world/log/real-log.ts';
import { bannerStyle, readyBanner, readyLine } from '../live/banner.ts';
import { type LiveSetting, type LiveWish, liveHere } from '../live/live-output.ts';
import { runPart } from '../live/run-part.ts';

/** As commander hands them over. */
export interface UpOptions {
  readonly vehicles: number;
  readonly seed?: number;
  readonly port?: number;
  readonly simulatorPort?: number;
  readonly console: 'on' | 'off';
  readonly consolePort?: number;
  readonly map?: string;
  readonly host: string;
  readonly processes: 'auto' | 'one' | 'several';
  readonly ramp?: number;
  readonly publicUrl?: string;
  readonly trustedProxy?: readonly string[];
  readonly mqttPort?: number;
  readonly amqpPort?: number;
  readonly amqpsPort?: number;
  readonly amqpAdminPort?: number;
  readonly route?: string;
  readonly drive?: readonly string[];
  readonly driveColumns?: string;
  readonly models?: string;
  readonly radio: RadioSetting;
  readonly weather: WeatherPresetName;
  readonly data: string;
  readonly store?: string;
  readonly storeCa?: string;
  readonly fresh: boolean;
  readonly mqtt: string;
  readonly mqttCa?: string;
  readonly amqp: string;
  readonly amqpCa?: string;
  readonly amqpAdmin?: string;
  readonly amqpConsumer?: string;
  readonly amqpOwner?: string;
  readonly amqpQueueType?: 'classic' | 'quorum';
  readonly rateLimit?: number;
  readonly answerTimeout?: number;
  readonly client?: string;
  readonly redirectUri?: string;
  readonly corsOrigin?: readonly string[];
  readonly drivers: 'on' | 'off';
  readonly alertUrl?: string;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly live: LiveWish;
  readonly quiet: boolean;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

/**
 * Starts everything, shows the banner, and runs until SIGINT or SIGTERM, or until the reader of its output has left.
 */
export function up(options: UpOptions): Promise<void> {
  const live = liveHere(options);
  return runPart(() => start(options, live), {
    json: options.json,
    live,
    logFormat: options.logFormat,
    line: readyLine,
    banner: (facts) => readyBanner(facts, bannerStyle(options)),
    notices: (facts) => facts.notices,
    begun: (facts) => writeAddressFile(facts.dataPath, READY_FILE, readyLine(facts)),
    ended: (facts) => removeAddressFile(facts.dataPath, READY_FILE, readyLine(facts)),
  });
}

function start(options: UpOptions, live: LiveSetting): StartedPart<ReadyFacts> {
  if (options.models !== undefined) loadModels(options.models);
  const wanted = deploymentOptions(options);
  const isSeveral = wantsProcesses(options.processes, options.vehicles, availableParallelism());
  return isSeveral ? startSeveralProcesses({ ...wanted, live: live.mode }) : startLocalDeployment(wanted);
}

function deploymentOptions(options: UpOptions): LocalDeploymentOptions {
  return {
    rampPerSecond: options.ramp,
    amqpAdminPort: options.amqpAdminPort,
    vehicles: options.vehicles,
    seed: options.seed,
    port: options.port,
    simulatorPort: options.simulatorPort,
    ...(options.console === 'on'
      ? { console: { port: options.consolePort, map: readMapGround(options.map) } }
      : {}),
    host: options.host,
    publicUrl: options.publicUrl,
    trustedProxies: options.trustedProxy,
    mqttPort: options.mqttPort,
    amqpPort: options.amqpPort,
    amqpsPort: options.amqpsPort,
    ...(options.route === undefined ? {} : { routeFile: options.route }),
    drives: { files: options.drive ?? [], columnsFile: options.driveColumns },
    radio: options.radio,
    weather: options.weather,
    models: options.models,
    data: options.data,
    store: options.store,
    storeCa: options.storeCa,
    isFresh: options.fresh,
    mqtt: options.mqtt,
    mqttCa: options.mqttCa,
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
    client: options.client === undefined ? undefined : readFixedClient(options.client),
    ...(options.redirectUri === undefined ? {} : { redirectUri: options.redirectUri }),
    ...(options.corsOrigin === undefined ? {} : { corsOrigins: options.corsOrigin }),
    alertUrl: options.alertUrl,
    drivers: options.drivers === 'on',
    logLevel: options.logLevel,
  };
}
