import type { Store } from '../../backend/store/port/store.ts';
import type { DatabasePlace } from '../../backend/store/postgres/one-connection.ts';
import type { IdGenerator } from '../../world/ids/ids.ts';
import type { Random } from '../../world/random/random.ts';
import type { Time } from '../../world/time/time.ts';
import { readAuthorityFile } from '../input/authority-file.ts';
import { CommandError } from '../shared/command-error.ts';
import type { DataDirectory } from './data-directory.ts';
import { serviceClientId } from './identity-secrets.ts';

/** The store of the service, as the options name it. */
export interface StoreOptions {
  /** The URL of a database of PostgreSQL; absent: a file in the data directory. */
  readonly store?: string | undefined;
  /** A file with the authority of its certificate, in PEM form. */
  readonly storeCa?: string | undefined;
}

/** A store that was opened. */
export interface OpenedStore {
  readonly store: Store;
  /** Other backends may use it too, and this is the name of this one, while it runs. Undefined: it is its only user. */
  readonly shared: { readonly backend: string } | undefined;
  close(): Promise<void>;
}

/** Random letters of a backend's name: the name is its client id at the MQTT broker, of at most 23 bytes. */
const NAME_LETTERS = 6;

/** Throws a `CommandError` where the options contradict each other. */
export function refuseStoreOptions({
  store,
  storeCa,
  isFresh,
}: StoreOptions & { readonly isFresh?: boolean }): void {
  if (store === undefined && storeCa !== undefined)
    throw new CommandError(
      '--store-ca is for a database of PostgreSQL, and there is no --store. Give its URL with --store, or omit --store-ca.',
    );
  if (store !== undefined && isFresh === true)
    throw new CommandError(
      '--fresh does not empty your own database, and the old fleet would stay in that of --store. ' +
        'Drop the database and create it again (dropdb, createdb), or use another one; and another directory with --data.',
    );
}

/** The database that the options name. Throws a `CommandError` where its authority cannot be read. */
export function databasePlace({ store, storeCa }: StoreOptions & { readonly store: string }): DatabasePlace {
  return storeCa === undefined
    ? { url: store }
    : { url: store, authority: readAuthorityFile(storeCa, '--store-ca') };
}

/**
 * Opens the store that the options name: a database of PostgreSQL, or the file of the data directory. Rejects with a
 * `CommandError`, or with an error of opening (backend/store/port/store.ts). `isWithBoxes`: the boxes and their broker are
 * in this process, and end with it.
 */
export async function openStore(
  options: StoreOptions,
  directory: Pick<DataDirectory, 'storePath' | 'identity'>,
  world: { readonly time: Time; readonly ids: IdGenerator; readonly random: Random },
  isWithBoxes = false,
): Promise<OpenedStore> {
  refuseStoreOptions(options);
  const { store: url, storeCa } = options;
  if (url === undefined) {
    const { openThreadedStore } = await import('../../backend/store/sqlite/threaded-store.ts');
    const store = await openThreadedStore(directory.storePath, { opensEarly: isWithBoxes });
    return { store, shared: undefined, close: () => store.close() };
  }
  const backend = `${serviceClientId(directory.identity)}-${world.ids.code(NAME_LETTERS)}`;
  // A store in a file does not need this driver.
  const { openPostgresStore } = await import('../../backend/store/postgres/store.ts');
  const store = await openPostgresStore({
    ...databasePlace({ store: url, storeCa }),
    time: world.time,
    // Backends of one seed that conflicted must not wait equally long.
    chance: world.random.stream(`store/${backend}`),
  });
  return { store, shared: { backend }, close: () => store.close() };
}
