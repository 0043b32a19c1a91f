import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { StoreInUse } from '../../backend/store/port/store.ts';
import { openSqliteStore } from '../../backend/store/sqlite/store.ts';
import { AUTHORITY_FILES } from '../../brokers/tls/local-authority.ts';
import { errorText } from '../../world/error-text.ts';
import { CommandError } from '../shared/command-error.ts';
import { writeErrorText } from '../shared/user-errors.ts';
import { addressFilesIn, READY_FILE } from './address-files.ts';

/** What `up` stores in addition to the databases: its identity, so that a restart continues as the same service. */
export interface DataDirectory {
  readonly path: string;
  readonly storePath: string;
  /** Of the boxes of the whole fleet, or of one shard of it. */
  flashPath(shard?: Shard): string;
  /** The user's own models at the first start of its fleet. */
  readonly modelsPath: string;
  /** The store of the embedded AMQP broker. */
  readonly amqpPath: string;
  /** The users of that broker, where it runs without the service. */
  readonly amqpUsersPath: string;
  /** The folder of the local certificate authority. */
  readonly tlsPath: string;
  /** What must exist while a part runs on it, with an embedded AMQP broker and the store's file or without. */
  watchedPaths(parts: { readonly hasBroker: boolean; readonly hasStore: boolean }): readonly string[];
  readonly identity: Identity;
  /** Removes what this start has created if the directory is new; never files that existed before. */
  readonly takeBack: () => void;
}

/** Of new files. Files of format 1 are opened unchanged. */
const FORMAT = 2;

const identityFields = {
  seed: z.int(),
  fleet_id: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  /** The user has chosen both; absent: they were generated. */
  client_is_fixed: z.literal(true).optional(),
  /** Of the service, at a broker whose URL has no account. */
  mqtt_password: z.string(),
  /** The private key that signs tokens, as a JWK. */
  signing_key: z.record(z.string(), z.unknown()),
};

const identity = z.discriminatedUnion('format', [
  z.strictObject({ format: z.literal(1), ...identityFields }),
  z.strictObject({
    format: z.literal(FORMAT),
    ...identityFields,
    /** All secrets between parts are derived from it (`secretsOf`). It is never sent. */
    root_secret: z.string().min(1),
  }),
]);

export type Identity = z.infer<typeof identity>;

/** The content of a new directory. */
type NewIdentity = Extract<Identity, { readonly format: typeof FORMAT }>;

/** The identity of the service of a data directory. */
export const IDENTITY_FILE = 'boxtwin.json';
/** The service's database in a data directory. */
export const STORE_FILE = 'backend.sqlite';

const NAMES = {
  identity: IDENTITY_FILE,
  store: STORE_FILE,
  flash: 'flash.sqlite',
  amqp: 'amqp.sqlite',
  amqpUsers: 'amqp-users.json',
  models: 'models.json',
};
const TLS_FOLDER = 'tls';

/** One of `count` equal parts of a fleet, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

const SHARD_FILE = /^flash-\d+-of-\d+\.sqlite/;

/** The names of the flash files in a data directory: of a whole fleet, and of shards. */
export function flashNamesIn(path: string): readonly string[] {
  const isFlash = (name: string) =>
    name === NAMES.flash || (SHARD_FILE.test(name) && name.endsWith('.sqlite'));
  return readdirSync(path).filter(isFlash).sort();
}

function flashNameOf({ index, count }: Shard): string {
  return `flash-${index}-of-${count}.sqlite`;
}

const FILES = [
  ...Object.values(NAMES).flatMap((name) =>
    ['', '-wal', '-shm', '-journal', '.new', '.lock'].map((ending) => `${name}${ending}`),
  ),
  ...AUTHORITY_FILES.map((name) => join(TLS_FOLDER, name)),
  READY_FILE,
];

/**
 * Opens the directory, or creates it with the result of `create`. `isFresh` first removes the data of an earlier run
 * (and nothing else). Throws a `CommandError` where the directory cannot be used, is of a newer version, or was created
 * with another seed.
 */
export async function openDataDirectory(options: {
  readonly path: string;
  readonly isFresh: boolean;
  readonly seed: number | undefined;
  readonly create: (seed: number) => Promise<Omit<NewIdentity, 'format' | 'seed'>>;
}): Promise<DataDirectory> {
  const path = resolve(options.path);
  const made: string[] = [];
  try {
    makeDirectory(path, made);
    if (options.isFresh) {
      refuseInUse(join(path, NAMES.store));
      const shards = readdirSync(path).filter((name) => SHARD_FILE.test(name));
      for (const name of [...FILES, ...shards, ...addressFilesIn(path)])
        rmSync(join(path, name), { force: true });
    }
  } catch (error) {
    takeBack(path, made);
    throw new CommandError(
      `The data directory ${path} cannot be used: ${writeErrorText(error)}. Give another one with --data.`,
    );
  }
  const file = join(path, NAMES.identity);
  const found = existsSync(file)
    ? readIdentity(file)
    : await writeIdentity(file, options).catch((error: unknown) => {
        takeBack(path, made);
        throw error;
      });
  if (options.seed !== undefined && options.seed !== found.seed) {
    throw new CommandError(
      `${path} holds a fleet of seed ${found.seed}, and --seed ${options.seed} was asked for. ` +
        'Start over with --fresh, or use another directory with --data.',
    );
  }
  return {
    path,
    storePath: join(path, NAMES.store),
    flashPath: (shard) => join(path, shard === undefined ? NAMES.flash : flashNameOf(shard)),
    modelsPath: join(path, NAMES.models),
    amqpPath: join(path, NAMES.amqp),
    amqpUsersPath: join(path, NAMES.amqpUsers),
    tlsPath: join(path, TLS_FOLDER),
    watchedPaths: ({ hasBroker, hasStore }) => [
      file,
      ...[...(hasStore ? [NAMES.store] : []), NAMES.flash, ...(hasBroker ? [NAMES.amqp] : [])].flatMap(
        (name) => [join(path, name), join(path, `${name}-wal`)],
      ),
    ],
    identity: found,
    takeBack: () => takeBack(path, made),
  };
}

/**
 * The identity of the service of a data directory; undefined where none was started there yet. Throws a `CommandError`.
 */
export function findIdentity(path: string): Identity | undefined {
  const file = join(path, NAMES.identity);
  return existsSync(file) ? readIdentity(file) : undefined;
}

/**
 * Records each folder that it creates, the outermost first. Node's own recursive mkdir never returns where a parent
 * exists but accepts no entries, as in /proc.
 */
function makeDirectory(path: string, made: string[]): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(path) !== path) makeDirectory(dirname(path), made);
  mkdirSync(path, { mode: 0o700 });
  made.push(path);
}

/** Removes our files from a directory that was created, and each created folder that is then empty. */
function takeBack(path: string, made: readonly string[]): void {
  const isOurs = made.at(-1) === path;
  for (const name of isOurs ? FILES : []) rmSync(join(path, name), { force: true });
  removeEmpty(isOurs ? [...made, join(path, TLS_FOLDER)] : made);
}

/** The last first; a folder with other files stays, and so do its parents. */
function removeEmpty(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      // It is not empty, or does not exist.
    }
  }
}

/** Another process would keep writing into deleted files. */
function refuseInUse(storePath: string): void {
  if (!existsSync(storePath)) return;
  try {
    void openSqliteStore(storePath).close();
  } catch (error) {
    if (!(error instanceof StoreInUse)) return;
    throw new CommandError(
      `${error.message} Is another "boxtwin up" running on it? End that one first, or give another directory with --data.`,
    );
  }
}

function readIdentity(file: string): Identity {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // The message of a SyntaxError quotes the text, which contains secrets.
    const why = error instanceof SyntaxError ? 'it is not JSON' : errorText(error);
    throw new CommandError(`${file} cannot be read: ${why}. Start over with --fresh.`);
  }
  const format = z.looseObject({ format: z.int() }).safeParse(content).data?.format;
  if (format !== undefined && format > FORMAT) {
    throw new CommandError(
      `${file} is of format ${format}, and this boxtwin supports formats up to ${FORMAT}: it was written by a newer version. ` +
        'Use that version, or another directory with --data.',
    );
  }
  const parsed = identity.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new CommandError(
    `${file} is not what this boxtwin wrote:\n${z.prettifyError(parsed.error)}\nStart over with --fresh.`,
  );
}

/** Replaces the identity of a data directory; a crash leaves the former or the new one. Throws a `CommandError`. */
export function rewriteIdentity(path: string, identity: Identity): void {
  const file = join(path, NAMES.identity);
  try {
    const written = `${file}.${process.pid}.new`;
    writeFileSync(written, `${JSON.stringify(identity, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(written, file);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${writeErrorText(error)}.`);
  }
}

async function writeIdentity(
  file: string,
  options: Parameters<typeof openDataDirectory>[0],
): Promise<Identity> {
  const seed = options.seed ?? 1;
  const made: NewIdentity = { format: FORMAT, seed, ...(await options.create(seed)) };
  try {
    // Written to another file and linked: a crash leaves the whole file or none, and of parts that start concurrently
    // the first one wins.
    const written = `${file}.${process.pid}.new`;
    writeFileSync(written, `${JSON.stringify(made, undefined, 2)}\n`, { mode: 0o600 });
    linkOnce(written, file);
  } catch (error) {
    if (existsSync(file)) return readIdentity(file);
    throw new CommandError(
      `${file} cannot be written: ${writeErrorText(error)}. Give another directory with --data.`,
    );
  }
  return made;
}

/** Gives a file its name if the name is free, and removes the earlier one. Throws where the name is taken. */
function linkOnce(written: string, file: string): void {
  try {
    linkSync(written, file);
    rmSync(written, { force: true });
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    // Not every file system has links; there the last one to start wins.
    if (!isTaken) {
      renameSync(written, file);
      return;
    }
    rmSync(written, { force: true });
    throw error;
  }
}
