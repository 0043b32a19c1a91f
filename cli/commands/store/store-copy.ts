import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { copyStore } from '../../../backend/store/postgres/copy/copy-store.ts';
import { lookIntoDatabase } from '../../../backend/store/postgres/look-into.ts';
import { openCopySource } from '../../../backend/store/sqlite/copy-source.ts';
import { lookIntoStore } from '../../../backend/store/sqlite/look-into.ts';
import { lockDatabase } from '../../../backend/store/sqlite/open.ts';
import { count } from '../../../deployment/checks/wording.ts';
import { databasePlace } from '../../../deployment/directory/open-store.ts';
import { inputSize } from '../../../deployment/input/input-file.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { asUserError } from '../../../deployment/shared/user-errors.ts';
import { copyDatabase } from '../../shared/database-copy.ts';
import { fileOf } from './store-place.ts';
import { storeProgress } from './store-progress.ts';

/** As commander hands them over. */
export interface StoreCopyOptions {
  readonly from: string;
  readonly to: string;
  readonly storeCa?: string;
  readonly json: boolean;
  readonly quiet: boolean;
}

/**
 * Copies the store in a file that no process has open into a database without rows. The file stays unchanged. Rejects
 * with a `CommandError` where that is not possible; the database has no rows then.
 */
export async function storeCopy(options: StoreCopyOptions): Promise<void> {
  const path = resolve(fileOf(options.from) ?? '');
  inputSize('store', path);
  const place = databasePlace({ store: options.to, storeCa: options.storeCa });
  const progress = storeProgress(process.stderr, options.json || options.quiet);
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-copy-'));
  let lock: { close(): void } | undefined;
  try {
    const { shown } = await lookIntoDatabase(place).catch((error: unknown) => {
      throw asUserError(error, options.to);
    });
    lock = lockedFile(path);
    const source = openCopySource(ownCopy(path, folder));
    try {
      const copied = await copyStore(source, place, ({ table, copied: done, rows }) =>
        progress.show(`${table}  ${count(done)}/${count(rows)}`),
      ).catch((error: unknown) => {
        throw asUserError(error, options.to);
      });
      progress.end();
      const rows = copied.reduce((sum, table) => sum + table.rows, 0);
      process.stdout.write(
        options.json
          ? `${JSON.stringify({ from: path, to: shown, tables: Object.fromEntries(copied.map((table) => [table.name, table.rows])) })}\n`
          : `${shown} holds what ${path} holds: ${count(rows, 'row')} in ${count(copied.length, 'table')}.\nStart the service with --store and the same --data: boxtwin.json there says who it is.\n`,
      );
    } finally {
      source.close();
    }
  } catch (error) {
    throw fileError(error, path);
  } finally {
    progress.end();
    lock?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** No other process opens it meanwhile. */
function lockedFile(path: string): { close(): void } {
  // It reads the file's header, so that a file of another program stays unchanged.
  lookIntoStore(path);
  return lockDatabase(path);
}

/** Its schema may have to be migrated, and a user who goes back to an older program needs the old one. */
function ownCopy(path: string, folder: string): string {
  const copy = join(folder, 'store.sqlite');
  if (copyDatabase(path, copy)) return copy;
  throw new CommandError(`${path} is written to. End what writes to it.`);
}

function fileError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof CommandError) return error;
  if (error.name === 'StoreInUse')
    return new CommandError(`${path} is in use by another process. End the service that runs on it first.`);
  const isOfStore = error.name === 'StoreFailed' || error.name === 'StoreTooNew';
  return isOfStore ? new CommandError(error.message) : error;
}
