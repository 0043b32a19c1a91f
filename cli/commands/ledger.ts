import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Store } from '../../backend/store/port/store.ts';
import { openSqliteStore } from '../../backend/store/sqlite/sqlite-store.ts';
import type { ArrivedMessage } from '../../scenarios/ledger/facts.ts';
import { makeLedgerReport } from '../../scenarios/ledger/ledger.ts';
import type { LedgerReport } from '../../scenarios/ledger/ledger-account.ts';
import { readMessageLine } from '../../scenarios/ledger/read-message.ts';
import type { Flash } from '../../world/flash/flash.ts';
import { openRealFlash } from '../../world/flash/real-flash.ts';
import { flashNamesIn, IDENTITY_FILE, STORE_FILE } from '../server/data-directory.ts';
import { CommandError } from '../shared/command-error.ts';
import { copyDatabase } from '../shared/database-copy.ts';
import { asUserError } from '../shared/user-errors.ts';
import { databasePlace, refuseStoreOptions, type StoreOptions } from '../store/open-store.ts';
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
  readonly json: boolean;
}

/** Prints what became of every record. Sets exit code 1 where something is wrong. */
export async function ledger(options: LedgerOptions): Promise<void> {
  refuseStoreOptions(options);
  const report = await ledgerOf({
    data: options.data,
    ...{ store: options.store, storeCa: options.storeCa },
    ...(options.messages === undefined ? {} : { messages: openMessages(options.messages) }),
    sinceMs: options.since ?? 0,
    lateAfterMs: options.lateAfter * 1_000,
  });
  process.stdout.write(options.json ? `${JSON.stringify(ledgerJson(report))}\n` : ledgerText(report));
  process.exitCode = report.isRight ? 0 : 1;
}

/**
 * The ledger of a data directory, whether an `up` runs on it or not: it looks at copies, and at a
 * snapshot of a database. Throws a `CommandError` where
 * something cannot be read.
 */
export async function ledgerOf(
  options: StoreOptions & {
    readonly data: string;
    readonly messages?: Readable;
    readonly sinceMs: number;
    readonly lateAfterMs: number;
  },
): Promise<LedgerReport> {
  const path = resolve(options.data);
  const { store: url } = options;
  const sign = url === undefined ? STORE_FILE : IDENTITY_FILE;
  if (!existsSync(join(path, sign)))
    throw new CommandError(
      `${path} is not a boxtwin data directory. Give the one that "up" uses with --data.`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-ledger-'));
  try {
    // The journals first: what a box has let go of by then, the store has.
    const flashNames = flashNamesIn(path);
    for (const name of flashNames) copy(path, folder, name);
    if (url === undefined) copy(path, folder, STORE_FILE);
    const nowMs = Date.now();
    const flashes = await Promise.all(flashNames.map((name) => openRealFlash(join(folder, name))));
    const store = await openCopy(options, join(folder, STORE_FILE));
    try {
      return await makeLedgerReport(
        {
          flash: flashes.length === 0 ? undefined : { load: (boxId) => loadFrom(flashes, boxId) },
          store,
          messages: options.messages && arrivalsOf(options.messages),
        },
        { nowMs, sinceMs: options.sinceMs, lateAfterMs: options.lateAfterMs },
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

/** The copied file, or the database as it is at this moment. Rejects with a `CommandError` where that cannot be opened. */
async function openCopy({ store: url, storeCa }: StoreOptions, path: string): Promise<Store> {
  if (url === undefined) return openSqliteStore(path);
  const { openPostgresSnapshot } = await import('../../backend/store/postgres/snapshot.ts');
  return openPostgresSnapshot(databasePlace({ store: url, storeCa })).catch((error: unknown) => {
    throw asUserError(error, url);
  });
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
  if (place === '-') return process.stdin;
  if (!existsSync(place))
    throw new CommandError(
      `There is no file ${place}. "boxtwin tail > ${place}" writes one; "-" is standard input.`,
    );
  return createReadStream(place);
}

async function* arrivalsOf(stream: Readable): AsyncGenerator<ArrivedMessage | 'unreadable'> {
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line.trim() !== '') yield readMessageLine(line) ?? 'unreadable';
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
