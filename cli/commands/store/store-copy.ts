import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { copyStore } from '../../../backend/store/postgres/copy/copy-store.ts';
import { lookIntoDatabase } from '../../../backend/store/postgres/look-into.ts';
import { openCopySource } from '../../../backend/store/sqlite/copy-source.ts';
import { lookIntoStore } from '../../../backend/store/sqlite/look-into.ts';
import { lockDatabase } from '../../../backend/store/sqlite/open.ts';
import { count } from '../../checks/wording.ts';
import { CommandError } from '../../shared/command-error.ts';
import { copyDatabase } from '../../shared/database-copy.ts';
import { asUserError } from '../../shared/user-errors.ts';
import { databasePlace } from '../../store/open-store.ts';
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
 * Copies the store in a file that no process has open into a database without rows. The file stays as it is. Rejects with a
 * `CommandError` where that cannot be; the database has no rows then.
 */
export async function storeCopy(options: StoreCopyOptions): Promise<void> {
  const path = resolve(fileOf(options.from) ?? '');
  if (!existsSync(path)) throw new CommandError(`There is no file ${path} (--from). Give that of a store.`);
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

/** Nobody else opens it meanwhile. */
function lockedFile(path: string): { close(): void } {
  // It reads the file's head, so that a file of another program is left alone.
  lookIntoStore(path);
  return lockDatabase(path);
}

/** Its schema may have to be brought up to date, and whoever goes back to an older program needs it as it was. */
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
