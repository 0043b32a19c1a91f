import pc from 'picocolors';
import { type BrokersFacts, startBrokersPart } from '../../deployment/brokers/brokers-part.ts';
import {
  BROKERS_FILE,
  removeAddressFile,
  writeAddressFile,
} from '../../deployment/directory/address-files.ts';
import { withoutPassword } from '../../deployment/shared/user-errors.ts';
import type { LogFormat, LogLevel } from '../../world/log/real-log.ts';
import { type LiveWish, liveHere } from '../live/live-output.ts';
import { runPart } from '../live/run-part.ts';

/** As commander hands them over. */
export interface BrokersOptions {
  readonly host: string;
  readonly mqttPort?: number;
  readonly amqpPort?: number;
  readonly amqpsPort?: number;
  readonly amqpAdminPort?: number;
  readonly amqpOwner?: string;
  readonly credentials?: string;
  readonly seed?: number;
  readonly data: string;
  readonly json: boolean;
  readonly live: LiveWish;
  readonly quiet: boolean;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
}

/** Runs the embedded brokers alone, until a signal. */
export function brokers(options: BrokersOptions): Promise<void> {
  return runPart(
    () =>
      startBrokersPart({
        data: options.data,
        seed: options.seed,
        host: options.host,
        mqttPort: options.mqttPort,
        amqpPort: options.amqpPort,
        amqpsPort: options.amqpsPort,
        amqpAdminPort: options.amqpAdminPort,
        amqpOwner: options.amqpOwner,
        credentials: options.credentials,
        logLevel: options.logLevel,
      }),
    {
      json: options.json,
      live: liveHere(options),
      logFormat: options.logFormat,
      line: brokersLine,
      banner: brokersBanner,
      notices: (facts) => facts.notices,
      begun: (facts) => writeAddressFile(facts.dataPath, BROKERS_FILE, fileOf(facts)),
      ended: (facts) => removeAddressFile(facts.dataPath, BROKERS_FILE, fileOf(facts)),
    },
  );
}

function addressesOf(facts: BrokersFacts) {
  return {
    mqtt_url: facts.mqttUrl,
    amqp_url: facts.amqpUrl,
    amqps_url: facts.amqpsUrl,
    amqp_ca: facts.amqpCa,
    amqp_admin_url: facts.amqpAdminUrl,
  };
}

function fileOf(facts: BrokersFacts): string {
  return JSON.stringify(addressesOf(facts));
}

/** One line of JSON, without a line break at its end. */
function brokersLine(facts: BrokersFacts): string {
  return JSON.stringify({ ready: true, ...addressesOf(facts) });
}

function brokersBanner(facts: BrokersFacts): string {
  const row = (name: string, value: string, note = '') =>
    `  ${pc.dim(name.padEnd(10))} ${value}${note === '' ? '' : `  ${pc.dim(note)}`}`;
  return [
    '',
    `${pc.bold('boxtwin brokers')} are up`,
    '',
    row('MQTT', facts.mqttUrl),
    row('AMQP', withoutPassword(facts.amqpUrl)),
    row('AMQPS', withoutPassword(facts.amqpsUrl)),
    row('CA', facts.amqpCa, 'the certificate by which clients check that address'),
    row(
      'management',
      withoutPassword(facts.amqpAdminUrl),
      'makes the accounts of consumers, for the service',
    ),
    row(
      'data',
      facts.dataPath,
      '"fleet" and "backend" with the same --data find these brokers by themselves',
    ),
    ...facts.notices.map((notice) => `  ${pc.yellow('note')}       ${notice}`),
    '',
    pc.dim('Ctrl-C ends them; stored messages are kept, MQTT sessions are not.'),
    '',
  ].join('\n');
}
