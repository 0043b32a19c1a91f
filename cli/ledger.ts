import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { openSqliteStore } from '../backend/store/sqlite.ts';
import type { LedgerReport } from '../scenarios/ledger/account.ts';
import type { Arrival } from '../scenarios/ledger/facts.ts';
import { keepLedger } from '../scenarios/ledger/ledger.ts';
import { readMessageLine } from '../scenarios/ledger/read-message.ts';
import { realFlash } from '../world/real-flash.ts';
import { Failure } from './failure.ts';
import { ledgerJson, ledgerText } from './ledger-text.ts';
import { copyDatabase } from './snapshot.ts';

export interface LedgerOptions {
  readonly data: string;
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
  const report = await ledgerOf({
    data: options.data,
    ...(options.messages === undefined ? {} : { messages: openMessages(options.messages) }),
    sinceMs: options.since ?? 0,
    lateAfterMs: options.lateAfter * 1_000,
  });
  process.stdout.write(options.json ? `${JSON.stringify(ledgerJson(report))}\n` : ledgerText(report));
  process.exitCode = report.isRight ? 0 : 1;
}

/**
 * The ledger of a data directory, whether an `up` runs on it or not: it looks at copies. Throws a `Failure` where
 * something cannot be read.
 */
export async function ledgerOf(options: {
  readonly data: string;
  readonly messages?: Readable;
  readonly sinceMs: number;
  readonly lateAfterMs: number;
}): Promise<LedgerReport> {
  const path = resolve(options.data);
  if (!existsSync(join(path, 'backend.sqlite')))
    throw new Failure(`${path} is no data directory of boxtwin. Give the one that "up" uses with --data.`);
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-ledger-'));
  try {
    // The journals first: what a box has let go of by then, the store has.
    const hasFlash = existsSync(join(path, 'flash.sqlite'));
    if (hasFlash) copy(path, folder, 'flash.sqlite');
    copy(path, folder, 'backend.sqlite');
    const nowMs = Date.now();
    const flash = hasFlash ? realFlash(join(folder, 'flash.sqlite')) : undefined;
    const store = openSqliteStore(join(folder, 'backend.sqlite'));
    try {
      return await keepLedger(
        { flash, store, messages: options.messages && arrivalsOf(options.messages) },
        { nowMs, sinceMs: options.sinceMs, lateAfterMs: options.lateAfterMs },
      );
    } finally {
      await store.close();
      await flash?.close();
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`The ledger of ${path} cannot be kept: ${reason(error)}`, 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copy(from: string, to: string, name: string): void {
  if (copyDatabase(join(from, name), join(to, name))) return;
  throw new Failure(`${join(from, name)} is written too busily to be looked at. Try again.`, 1);
}

function openMessages(place: string): Readable {
  if (place === '-') return process.stdin;
  if (!existsSync(place))
    throw new Failure(
      `There is no file ${place}. "boxtwin tail > ${place}" writes one; "-" is standard input.`,
    );
  return createReadStream(place);
}

async function* arrivalsOf(stream: Readable): AsyncGenerator<Arrival | 'unreadable'> {
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line.trim() !== '') yield readMessageLine(line) ?? 'unreadable';
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
