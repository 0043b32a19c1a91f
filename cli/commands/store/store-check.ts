import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { checkDatabase } from '../../../backend/store/postgres/check-database.ts';
import { checkFile } from '../../../backend/store/sqlite/check-database.ts';
import { lookIntoStore } from '../../../backend/store/sqlite/look-into.ts';
import { databasePlace } from '../../../deployment/directory/open-store.ts';
import { inputSize } from '../../../deployment/input/input-file.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { asUserError } from '../../../deployment/shared/user-errors.ts';
import { copyDatabase } from '../../shared/database-copy.ts';
import { type CheckedStore, isRight, storeCheckJson, storeCheckText } from './store-check-text.ts';
import { fileOf } from './store-place.ts';
import { storeProgress } from './store-progress.ts';

/** As commander hands them over. */
export interface StoreCheckOptions {
  readonly store: string;
  readonly storeCa?: string;
  readonly json: boolean;
}

/**
 * Prints what a store holds. Sets exit code 1 where something is wrong. Rejects with a `CommandError` where it cannot
 * be read.
 */
export async function storeCheck(options: StoreCheckOptions): Promise<void> {
  const file = fileOf(options.store);
  const progress = storeProgress(process.stderr, options.json);
  progress.show('counting');
  try {
    const checked = file === undefined ? await ofDatabase(options) : await ofFile(resolve(file));
    progress.end();
    process.stdout.write(
      options.json ? `${JSON.stringify(storeCheckJson(checked))}\n` : storeCheckText(checked),
    );
    process.exitCode = isRight(checked) ? 0 : 1;
  } finally {
    progress.end();
  }
}

async function ofDatabase(options: StoreCheckOptions): Promise<CheckedStore> {
  const { look, contents } = await checkDatabase(databasePlace(options)).catch((error: unknown) => {
    throw asUserError(error, options.store);
  });
  if (look.refusal !== undefined) throw new CommandError(`${look.shown}: ${look.refusal}`);
  return {
    name: look.shown,
    medium: `PostgreSQL ${look.server}`,
    version: look.version,
    knownVersion: look.knownVersion,
    isInUse: look.users > 0,
    contents,
  };
}

/** It reads a copy: a process that has the file open continues to write, and a closed one gets no additional files. */
async function ofFile(path: string): Promise<CheckedStore> {
  inputSize('store', path);
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-check-'));
  try {
    const { isInUse, version, knownVersion } = lookIntoStore(path);
    const copy = join(folder, 'store.sqlite');
    if (!copyDatabase(path, copy))
      throw new CommandError(`${path} is written too busily to be looked at. Try again.`, 1);
    const contents = version === knownVersion ? await checkFile(copy) : undefined;
    return { name: path, medium: 'SQLite', version, knownVersion, isInUse, contents };
  } catch (error) {
    if (error instanceof Error && error.name === 'StoreFailed') throw new CommandError(error.message);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
