import { closeSync, existsSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { writeErrorText } from '../../../deployment/shared/user-errors.ts';
import { listed } from '../../../judge/wording.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { printable } from '../../shared/output.ts';

// The output files of a command. A file that cannot be written is reported before the run, so that no hour is wasted.

/** Throws a `CommandError` where an output would overwrite an input, or two outputs have the same file. */
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

/** Creates each as an empty file, with its folders. Throws a `CommandError` where it cannot. */
export function createEmptyFiles(files: readonly string[]): void {
  for (const file of files) writeText(file, '');
}

/** Throws a `CommandError` where a file could not be written later; a new one is removed again. */
export function refuseUnwritable(file: string): void {
  writing(file, () => {
    const isNew = !existsSync(file);
    closeSync(openSync(file, 'a'));
    if (isNew) rmSync(file);
  });
}

/** Writes a file and creates its folders. Throws a `CommandError` with this exit code where it cannot. */
export function writeText(file: string, text: string, exitCode: 1 | 2 = 2): void {
  writing(file, () => writeFileSync(file, text), exitCode);
}

/** Tells on stderr, in one line, which files a command has written. `isQuiet`: or what it writes is for a script. */
export function tellWritten(files: readonly string[], isQuiet: boolean): void {
  if (isQuiet || files.length === 0) return;
  process.stderr.write(`boxtwin: written to ${printable(listed(files, 'and'))}\n`);
}

function writing(file: string, write: () => void, exitCode: 1 | 2 = 2): void {
  try {
    makeFolder(dirname(resolve(file)));
    write();
  } catch (error) {
    const why = writeErrorText(error);
    throw new CommandError(`${file} cannot be written: ${why}. Give another place.`, exitCode);
  }
}

/** The one file that several names may resolve to. */
function realPathOf(file: string): string {
  const path = resolve(file);
  return existsSync(path) ? realpathSync(path) : path;
}
