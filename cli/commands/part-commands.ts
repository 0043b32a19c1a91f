import { Argument, type Command } from 'commander';
import { argument, FORCE_HELP, quietOption } from '../settings/option-values.ts';
import { PARTS, type Part } from '../settings/setting.ts';
import { addSettings, configOption } from '../settings/setting-options.ts';
import { path } from '../settings/values.ts';
import type { BackendOptions } from './backend.ts';
import type { BrokersOptions } from './brokers.ts';
import type { ConfigOptions } from './config.ts';
import type { DoctorOptions } from './doctor.ts';
import type { FleetOptions } from './fleet.ts';
import type { UpOptions } from './up.ts';

/** Adds the commands that start something, and those that look at what would start. */
export function addPartCommands(program: Command): void {
  addSettings(
    program
      .command('up')
      .description('Start everything in one process: broker, service, and a driving fleet.')
      .option('--fresh', 'delete the contents of the data directory and start over', false)
      .option('-v, --verbose', 'a banner with all addresses and credentials, and lines to paste', false)
      .addOption(quietOption())
      .option('--json', 'the ready banner as one JSON line on stdout', false),
    'up',
  ).action(async (options: UpOptions) => (await import('./up.ts')).up(options));

  addSettings(
    program
      .command('fleet')
      .description('Start boxes alone, against the brokers and the service of your choice.')
      .option('--list', 'list the boxes as CSV, without passwords, and end', false)
      .option(
        '--write-credentials <file>',
        'write all boxes with their passwords as CSV, which --credentials and your broker read, and end; - is stdout',
        argument(path),
      )
      .option('--force', FORCE_HELP, false)
      .addOption(quietOption())
      .option('--json', 'the ready banner as one JSON line on stdout', false),
    'fleet',
  ).action(async (options: FleetOptions) => (await import('./fleet.ts')).fleet(options));

  addSettings(
    program
      .command('backend')
      .description('Start the service alone, against the brokers of your choice.')
      .option('--force', FORCE_HELP, false)
      .option('-v, --verbose', 'a banner with all addresses and credentials, and lines to paste', false)
      .addOption(quietOption())
      .option('--json', 'the ready banner as one JSON line on stdout', false),
    'backend',
  ).action(async (options: BackendOptions) => (await import('./backend.ts')).backend(options));

  addSettings(
    program
      .command('brokers')
      .description('Start the embedded MQTT and AMQP brokers alone.')
      .addOption(quietOption())
      .option('--json', 'the ready banner as one JSON line on stdout', false),
    'brokers',
  ).action(async (options: BrokersOptions) => (await import('./brokers.ts')).brokers(options));

  program
    .command('config')
    .description('Show the settings that a command would start with, and where each of them comes from.')
    .addArgument(new Argument('[command]', 'the command').choices(PARTS).default('up'))
    .addOption(configOption())
    .option('--json', 'one JSON object', false)
    .option('--schema', 'the JSON schema of settings files instead, for editors', false)
    .action(async (part: Part, options: ConfigOptions) =>
      (await import('./config.ts')).config(part, options),
    );

  addSettings(
    program
      .command('doctor')
      .description('Look at all that "up" needs with the same settings, and say what to do.')
      .option('--json', 'one JSON object', false)
      .addHelpText(
        'after',
        '\nExit codes:\n  0  it can be started, with or without warnings\n  1  something cannot work\n  2  wrong option',
      ),
    'doctor',
  ).action(async (options: DoctorOptions) => (await import('./doctor.ts')).doctor(options));
}
