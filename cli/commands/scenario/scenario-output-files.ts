import { closeSync, existsSync, mkdirSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommandError } from '../../shared/command-error.ts';

// Where a command writes. What cannot be written is told before the run, so that no hour is spent for nothing.

/** Throws a `CommandError` where something would be written over what is read, or two things into one file. */
export function refuseSameFiles(written: readonly string[], read: readonly string[]): void {
  const isRead = new Set(read.map(realPathOf));
  const seen = new Set<string>();
  for (const file of written) {
    const place = realPathOf(file);
    if (isRead.has(place))
      throw new CommandError(
        `${file} is read by this command and would be written over. Give another place.`,
      );
    if (seen.has(place))
      throw new CommandError(`Two things would be written into ${file}. Give each its own place.`);
    seen.add(place);
  }
}

/** Makes each an empty file, with the folders that it needs. Throws a `CommandError` where it cannot. */
export function createEmptyFiles(files: readonly string[]): void {
  for (const file of files) writeText(file, '');
}

/** Throws a `CommandError` where a file could not be written later; of a new one nothing is left. */
export function refuseUnwritable(file: string): void {
  writing(file, () => {
    const isNew = !existsSync(file);
    closeSync(openSync(file, 'a'));
    if (isNew) rmSync(file);
  });
}

/** Writes a file and the folders that it needs. Throws a `CommandError` where it cannot, with this exit code. */
export function writeText(file: string, text: string, exitCode: 1 | 2 = 2): void {
  writing(file, () => writeFileSync(file, text), exitCode);
}

function writing(file: string, write: () => void, exitCode: 1 | 2 = 2): void {
  try {
    makeFolder(dirname(resolve(file)));
    write();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${file} cannot be written: ${why}. Give another place.`, exitCode);
  }
}

/** Not `recursive`: with that Node never returns where no folder can be made, as below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** The one file that several names may lead to. */
function realPathOf(file: string): string {
  const path = resolve(file);
  return existsSync(path) ? realpathSync(path) : path;
}
