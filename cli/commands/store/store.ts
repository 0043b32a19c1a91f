import { type Command, Option } from 'commander';
import { variableOf } from '../../../deployment/shared/setting-names.ts';
import { argument, quietOption } from '../../settings/option-values.ts';
import { path, storeUrl } from '../../settings/values.ts';
import type { StoreCheckOptions } from './store-check.ts';
import type { StoreCopyOptions } from './store-copy.ts';
import type { StoreMigrateOptions } from './store-migrate.ts';
import { sqlitePlace, storePlace } from './store-place.ts';

/** The commands below `boxtwin store`, one row each; the implementation is loaded only when it is called. */
const STORE_COMMANDS: readonly ((store: Command) => void)[] = [migrate, check, copy];

/** Adds `boxtwin store` with everything below it. */
export function addStoreCommands(program: Command): void {
  const store = program
    .command('store')
    .description('Look after what the service keeps: in a file, or in a database of PostgreSQL.');
  for (const add of STORE_COMMANDS) add(store);
}

function migrate(store: Command): void {
  store
    .command('migrate')
    .description('Bring the schema of a database up to date, as a backend that starts on it would.')
    .addOption(
      new Option('--store <url>', 'the postgres:// URL of the database')
        .argParser(argument(storeUrl))
        .env(variableOf('store'))
        .makeOptionMandatory(),
    )
    .addOption(authorityOption())
    .option('--json', 'one JSON object', false)
    .action(async (options: StoreMigrateOptions) =>
      (await import('./store-migrate.ts')).storeMigrate(options),
    );
}

function check(store: Command): void {
  store
    .command('check')
    .description(
      'Say what a store holds, who uses it, and whether it is consistent. Nothing in it is changed.',
    )
    .addOption(
      new Option('--store <place>', 'a postgres:// URL, or sqlite:FILE')
        .argParser(argument(storePlace))
        .env(variableOf('store'))
        .makeOptionMandatory(),
    )
    .addOption(authorityOption())
    .option('--json', 'one JSON object', false)
    .addHelpText(
      'after',
      '\nExit codes:\n  0  nothing is wrong\n  1  it has to be migrated, or is not consistent\n  2  wrong option, or it cannot be used',
    )
    .action(async (options: StoreCheckOptions) => (await import('./store-check.ts')).storeCheck(options));
}

function copy(store: Command): void {
  store
    .command('copy')
    .description('Copy a store from its file into a database without rows, all of it or nothing.')
    .requiredOption('--from <place>', 'sqlite:FILE, that of a service that has ended', argument(sqlitePlace))
    .requiredOption('--to <url>', 'the postgres:// URL of the database', argument(storeUrl))
    .addOption(authorityOption())
    .option('--json', 'one JSON object', false)
    .addOption(quietOption())
    .action(async (options: StoreCopyOptions) => (await import('./store-copy.ts')).storeCopy(options));
}

function authorityOption(): Option {
  return new Option('--store-ca <file>', 'the certificate authority of that database, in PEM form')
    .argParser(argument(path))
    .env(variableOf('storeCa'));
}
