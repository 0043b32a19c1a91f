import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Store } from '../../backend/store/port/store.ts';
import { isDatabaseInUse } from '../../backend/store/sqlite/look-into.ts';
import { openSqliteStore } from '../../backend/store/sqlite/store.ts';
import { flashNamesIn, IDENTITY_FILE, STORE_FILE } from '../../deployment/directory/data-directory.ts';
import {
  databasePlace,
  refuseStoreOptions,
  type StoreOptions,
} from '../../deployment/directory/open-store.ts';
import { installationIn, missingFolderText } from '../../deployment/directory/running-addresses.ts';
import { openInput, STANDARD_INPUT, unreadableText } from '../../deployment/input/input-file.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { asUserError } from '../../deployment/shared/user-errors.ts';
import type { ArrivedMessage } from '../../judge/ledger/facts.ts';
import { makeLedgerReport } from '../../judge/ledger/ledger.ts';
import type { LedgerReport } from '../../judge/ledger/ledger-account.ts';
import { readMessageLine } from '../../judge/ledger/read-message.ts';
import { errorText } from '../../world/error-text.ts';
import type { Flash } from '../../world/flash/flash.ts';
import { openRealFlash } from '../../world/flash/real-flash.ts';
import { copyDatabase } from '../shared/database-copy.ts';
import { limits } from '../shared/limits.ts';
import { ledgerJson, ledgerText } from './ledger-text.ts';

export interface LedgerOptions {
  readonly data: string;
  readonly store?: string;
  readonly storeCa?: string;
  /** A file of NDJSON, or `-` for standard input. */
  readonly messages?: string;
  /** Milliseconds since 1970. */
  readonly since?: number;
  /** Seconds. */
  readonly lateAfter: number;
  readonly force: boolean;
  readonly json: boolean;
}

/** Prints the fate of every record. Sets exit code 1 where something is wrong. */
export async function ledger(options: LedgerOptions): Promise<void> {
  refuseStoreOptions(options);
  const messages = options.messages === undefined ? undefined : openMessages(options.messages);
  const report = await ledgerOf({
    data: options.data,
    store: options.store,
    storeCa: options.storeCa,
    ...(messages === undefined ? {} : { messages }),
    sinceMs: options.since ?? 0,
    lateAfterMs: options.lateAfter * 1_000,
    force: options.force,
  }).finally(() => messages?.destroy());
  process.stdout.write(options.json ? `${JSON.stringify(ledgerJson(report))}\n` : ledgerText(report));
  process.exitCode = report.isRight ? 0 : 1;
}

/**
 * The ledger of a data directory, whether or not an `up` runs on it: it reads copies, and a snapshot of a database.
 * Throws a `CommandError` where something cannot be read.
 */
export async function ledgerOf(
  options: StoreOptions & {
    readonly data: string;
    readonly messages?: Readable;
    readonly sinceMs: number;
    readonly lateAfterMs: number;
    /** A database of another installation is accepted, too. */
    readonly force?: boolean;
  },
): Promise<LedgerReport> {
  const path = resolve(options.data);
  const { store: url } = options;
  const sign = url === undefined ? STORE_FILE : IDENTITY_FILE;
  if (!existsSync(path))
    throw new CommandError(
      `${missingFolderText(path)}. Start "boxtwin up", or name its data directory with --data.`,
    );
  if (!existsSync(join(path, sign)))
    throw new CommandError(
      `${path} is not a boxtwin data directory. Give the one that "up" uses with --data.`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-ledger-'));
  try {
    // The journals first: what a box has removed by then, the store has.
    const flashNames = flashNamesIn(path);
    for (const name of flashNames) copy(path, folder, name);
    if (url === undefined) copy(path, folder, STORE_FILE);
    const nowMs = Date.now();
    const stoppedMs = url === undefined ? stopOf(path, [STORE_FILE, ...flashNames]) : undefined;
    const flashes = await Promise.all(flashNames.map((name) => openRealFlash(join(folder, name))));
    const store = await openCopy(options, join(folder, STORE_FILE));
    try {
      if (url !== undefined && options.force !== true) await refuseOtherStore(store, path);
      return await makeLedgerReport(
        {
          flash: flashes.length === 0 ? undefined : { load: (boxId) => loadFrom(flashes, boxId) },
          store,
          messages: options.messages && arrivalsOf(options.messages),
        },
        { nowMs, stoppedMs, sinceMs: options.sinceMs, lateAfterMs: options.lateAfterMs },
      );
    } finally {
      await store.close();
      await Promise.all(flashes.map((flash) => flash.close()));
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`The ledger of ${path} cannot be kept: ${reason(error)}`, 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The copied file, or the database at this moment. Rejects with a `CommandError` where that cannot be opened. */
async function openCopy({ store: url, storeCa }: StoreOptions, path: string): Promise<Store> {
  if (url === undefined) return openSqliteStore(path);
  const { openPostgresSnapshot } = await import('../../backend/store/postgres/snapshot.ts');
  return openPostgresSnapshot(databasePlace({ store: url, storeCa })).catch((error: unknown) => {
    throw asUserError(error, url);
  });
}

/**
 * Throws a `CommandError` where a database belongs to another installation than the data directory: every record in the
 * journals of the boxes would be missing there.
 */
async function refuseOtherStore(store: Pick<Store, 'installation'>, data: string): Promise<void> {
  const [found, wanted] = [await store.installation.find(), await installationIn(data)];
  if (found === undefined || wanted === undefined || found.keyId === '' || found.keyId === wanted.id) return;
  throw new CommandError(
    `The database of --store belongs to the installation ${found.keyId}, and ${data} is the installation ${wanted.id}. Give the database of that data directory, or --force to compare the two all the same.`,
  );
}

/**
 * When an installation that does not run has last written one of these databases, in milliseconds since 1970. Undefined:
 * it runs: its service has the store open. Boxes that run by themselves write their flash all the time.
 */
function stopOf(folder: string, names: readonly string[]): number | undefined {
  const paths = names.map((name) => join(folder, name));
  if (isDatabaseInUse(join(folder, STORE_FILE))) return undefined;
  const writes = paths
    .flatMap((path) => [path, `${path}-wal`])
    .flatMap((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? []);
  return writes.length === 0 ? undefined : Math.round(Math.max(...writes));
}

/** A box is in one shard, so in one of the files. */
async function loadFrom(flashes: readonly Flash[], boxId: string): ReturnType<Flash['load']> {
  const loaded = await Promise.all(flashes.map((flash) => flash.load(boxId)));
  return loaded.find((pages) => pages.size > 0) ?? new Map();
}

function copy(from: string, to: string, name: string): void {
  if (copyDatabase(join(from, name), join(to, name))) return;
  throw new CommandError(`${join(from, name)} is written too busily to be looked at. Try again.`, 1);
}

function openMessages(place: string): Readable {
  if (place === STANDARD_INPUT) return process.stdin;
  const opened = openInput('messages', place);
  if ('fault' in opened) throw new CommandError(unreadableText('messages', place, opened.fault));
  return createReadStream(place, { fd: opened.handle });
}

async function* arrivalsOf(stream: Readable): AsyncGenerator<ArrivedMessage | 'unreadable'> {
  for await (const line of linesOf(stream))
    if (line.trim() !== '') yield readMessageLine(line) ?? 'unreadable';
}

/** The lines of a stream, each buffered only up to a bound. Throws a `CommandError` at a longer one. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const piece of stream) {
    const lines = (rest + decoder.write(Buffer.from(piece))).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > limits.messageLineCharacters)
      throw new CommandError(
        `A line of the messages has more than ${limits.messageLineCharacters} characters. Give what "boxtwin tail" wrote: a JSON object a line.`,
      );
  }
  yield rest + decoder.end();
}

function reason(error: unknown): string {
  return errorText(error);
}
