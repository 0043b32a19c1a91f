import pc from 'picocolors';
import { readMapGround } from '../../deployment/console/map-ground.ts';
import { demoRoutes } from '../../deployment/demo/demo-plans.ts';
import {
  fleetFileOf,
  removeAddressFile,
  writeAddressFile,
} from '../../deployment/directory/address-files.ts';
import { secretsOf } from '../../deployment/directory/identity-secrets.ts';
import { openIdentity } from '../../deployment/directory/open-identity.ts';
import {
  type FleetFacts,
  type FleetPartOptions,
  planShare,
  startFleetPart,
} from '../../deployment/fleet/fleet-part.ts';
import { fleetCsv } from '../../deployment/input/credentials-file.ts';
import { loadModels } from '../../deployment/models/model-directory.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import type { BoxPlan, RadioSetting } from '../../simulator/box-plan.ts';
import type { WeatherPresetName } from '../../simulator/weather/presets.ts';
import { realCrypto } from '../../world/crypto/real-crypto.ts';
import type { LogFormat, LogLevel } from '../../world/log/real-log.ts';
import { type LiveWish, liveHere } from '../live/live-output.ts';
import { runPart } from '../live/run-part.ts';
import { writeCredentials } from '../shared/secret-file.ts';
import { tellWritten } from './scenario/scenario-output-files.ts';

/** As commander hands them over. */
export interface FleetOptions {
  readonly vehicles: number;
  readonly seed?: number;
  readonly shard?: string;
  readonly ramp?: number;
  readonly driving?: number;
  readonly link: 'sockets' | 'memory';
  readonly localAddress?: readonly string[];
  readonly subscribeQos?: '0' | '1';
  readonly credentials?: string;
  readonly url?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly host: string;
  readonly simulatorPort?: number;
  readonly console: 'on' | 'off';
  readonly consolePort?: number;
  readonly map?: string;
  readonly route?: string;
  readonly drive?: readonly string[];
  readonly driveColumns?: string;
  readonly models?: string;
  readonly radio: RadioSetting;
  readonly weather: WeatherPresetName;
  readonly data: string;
  readonly mqtt?: string;
  readonly mqttCa?: string;
  readonly force: boolean;
  readonly list: boolean;
  readonly writeCredentials?: string;
  readonly json: boolean;
  readonly live: LiveWish;
  readonly quiet: boolean;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

/** Runs boxes alone, until a signal; or lists them. Throws a `CommandError` where options do not fit together. */
export async function fleet(options: FleetOptions): Promise<void> {
  const part = partOptions(options);
  if (options.models !== undefined) loadModels(options.models);
  if (options.writeCredentials !== undefined) {
    writeCredentials(options.writeCredentials, await boxesOf(part));
    if (options.writeCredentials !== '-') tellWritten([options.writeCredentials], options.quiet);
    return;
  }
  if (options.list) {
    process.stdout.write(fleetCsv(await boxesOf(part)));
    process.stderr.write('boxtwin: passwords are left out; --write-credentials FILE writes them.\n');
    return;
  }
  await runPart(() => startFleetPart(part), {
    json: options.json,
    live: liveHere(options),
    logFormat: options.logFormat,
    line: fleetLine,
    banner: fleetBanner,
    notices: (facts) => facts.notices,
    begun: (facts) => writeAddressFile(facts.dataPath, fleetFileOf(facts.shard), fleetLine(facts)),
    ended: (facts) => removeAddressFile(facts.dataPath, fleetFileOf(facts.shard), fleetLine(facts)),
  });
}

function partOptions(options: FleetOptions): FleetPartOptions {
  if (options.mqtt === 'embedded')
    throw new CommandError(
      '"boxtwin fleet" has no broker in it, and --mqtt is "embedded". Start "boxtwin brokers", or give the URL of your own.',
    );
  if (options.link === 'memory' && options.mqtt !== undefined)
    throw new CommandError(
      '--link memory keeps all frames in this process, so --mqtt would do nothing. Omit one.',
    );
  if (options.link === 'memory' && options.mqttCa !== undefined)
    throw new CommandError('--link memory has no broker, so --mqtt-ca would do nothing. Omit one.');
  if (options.link === 'memory' && options.subscribeQos !== undefined)
    throw new CommandError(
      '--link memory has no broker that boxes subscribe at, so --subscribe-qos would do nothing. Omit one.',
    );
  if ((options.clientId === undefined) !== (options.clientSecret === undefined))
    throw new CommandError('--client-id and --client-secret belong together: give both or neither.');
  if (options.clientId !== undefined && options.url === undefined)
    throw new CommandError('--client-id is who asks at --url, and --url is not given. Give it, or neither.');
  const [index = 1, count = 1] = (options.shard ?? '1/1').split('/').map(Number);
  const client =
    options.clientId === undefined || options.clientSecret === undefined
      ? undefined
      : { clientId: options.clientId, clientSecret: options.clientSecret };
  return {
    vehicles: options.vehicles,
    seed: options.seed,
    shard: options.shard === undefined ? undefined : { index, count },
    rampPerSecond: options.ramp,
    drivingPercent: options.driving,
    link: options.link,
    mqtt: options.mqtt,
    mqttCa: options.mqttCa,
    localAddresses: options.localAddress ?? [],
    subscribeQos: options.subscribeQos === undefined ? undefined : options.subscribeQos === '0' ? 0 : 1,
    credentials: options.credentials,
    api:
      options.url === undefined
        ? undefined
        : { url: options.url.replace(/\/+$/, ''), ...(client === undefined ? {} : { client }) },
    routeFile: options.route,
    drives: { files: options.drive ?? [], columnsFile: options.driveColumns },
    radio: options.radio,
    weather: options.weather,
    data: options.data,
    force: options.force,
    host: options.host,
    simulatorPort: options.simulatorPort,
    ...(options.console === 'on'
      ? { console: { port: options.consolePort, map: readMapGround(options.map) } }
      : {}),
    logLevel: options.logLevel,
    isQuiet: options.quiet,
  };
}

async function boxesOf(part: FleetPartOptions): Promise<readonly BoxPlan[]> {
  const directory = await openIdentity(part);
  const crypto = await realCrypto(directory.identity.signing_key);
  const share = await planShare(
    part,
    directory,
    await demoRoutes(part.routeFile, part.drives),
    secretsOf(crypto, directory.identity),
  );
  return share.everyBox;
}

/** One line of JSON, without a line break at its end. */
function fleetLine(facts: FleetFacts): string {
  return JSON.stringify({
    ready: true,
    simulator_url: facts.simulatorUrl,
    console_url: facts.consoleUrl,
    mqtt_url: facts.mqttUrl,
    boxes: facts.boxes,
    maker_vehicles: facts.makerVehicles,
    shard: facts.shard === undefined ? null : shardText(facts.shard),
    seed: facts.seed,
  });
}

function fleetBanner(facts: FleetFacts): string {
  const row = (name: string, value: string, note = '') =>
    `  ${pc.dim(name.padEnd(10))} ${value}${note === '' ? '' : `  ${pc.dim(note)}`}`;
  const { shard, notices } = facts;
  const what = [
    `${facts.boxes} ${facts.boxes === 1 ? 'box' : 'boxes'}`,
    ...(shard === undefined ? [] : [`shard ${shardText(shard)}`]),
    ...(facts.makerVehicles === 0 ? [] : [`${facts.makerVehicles} maker-connected`]),
    `seed ${facts.seed}`,
  ];
  return [
    '',
    `${pc.bold('boxtwin fleet')} is up: ${what.join(', ')}`,
    '',
    ...(facts.consoleUrl === null
      ? []
      : [row('console', facts.consoleUrl, 'a page that shows the fleet, for your browser')]),
    row('simulator', facts.simulatorUrl, 'what the vehicles really do, and how to break them'),
    facts.mqttUrl === null
      ? row(
          'link',
          'memory',
          'broker, flash and the receiver of records are in this process; nothing is kept',
        )
      : row('MQTT', facts.mqttUrl),
    row('data', facts.dataPath),
    ...notices.map((notice) => `  ${pc.yellow('note')}       ${notice}`),
    '',
    pc.dim('Ctrl-C ends it; nothing is lost.'),
    '',
  ].join('\n');
}

function shardText({ index, count }: NonNullable<FleetFacts['shard']>): string {
  return `${index}/${count}`;
}
