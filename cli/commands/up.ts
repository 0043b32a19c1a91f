import { availableParallelism } from 'node:os';
import type { RadioSetting } from '../../simulator/radio/radio-setting.ts';
import type { WeatherPresetName } from '../../simulator/weather/presets.ts';
import type { LogLevel } from '../../world/log/real-log.ts';
import { readMapGround } from '../console/map-ground.ts';
import { type LiveSetting, type LiveWish, liveHere } from '../live/live-output.ts';
import { loadModels } from '../models/model-directory.ts';
import { runPart, type StartedPart } from '../parts/run-part.ts';
import { startSeveralProcesses, wantsProcesses } from '../parts/several-processes.ts';
import { type ReadyFacts, readyBanner, readyLine } from '../server/banner.ts';
import type { LocalDeploymentOptions } from '../server/deployment-options.ts';
import { startLocalDeployment } from '../server/local-deployment.ts';
import { removeReadyFile, writeReadyFile } from '../shared/ready-file.ts';

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
  readonly redirectUri?: string;
  readonly corsOrigin?: readonly string[];
  readonly drivers: 'on' | 'off';
  readonly alertUrl?: string;
  readonly json: boolean;
  readonly live: LiveWish;
  readonly logLevel: LogLevel;
}

/**
 * Starts everything, shows the banner, and runs until SIGINT or SIGTERM, or until the reader of its output has left.
 */
export function up(options: UpOptions): Promise<void> {
  const live = liveHere(options);
  return runPart(() => start(options, live), {
    ...{ json: options.json, live },
    line: readyLine,
    banner: readyBanner,
    begun: (facts) => writeReadyFile(facts.dataPath, readyLine(facts)),
    ended: (facts) => removeReadyFile(facts.dataPath, readyLine(facts)),
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
    ...{ radio: options.radio, weather: options.weather, models: options.models },
    data: options.data,
    ...{ store: options.store, storeCa: options.storeCa },
    isFresh: options.fresh,
    ...{ mqtt: options.mqtt, mqttCa: options.mqttCa },
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
  };
}
