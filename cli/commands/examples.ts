import { constants, copyFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { readPackageFile } from '../../deployment/shared/package-file.ts';
import { writeErrorText } from '../../deployment/shared/user-errors.ts';
import { makeFolder } from '../shared/make-folder.ts';

const STORIES = join('scenarios', 'stories');
/** The folders that are written, with their contents: below the package, and below the target. */
const FOLDERS = [STORIES, join('scenarios', 'drives'), 'examples'];

export interface ExamplesOptions {
  readonly json: boolean;
}

/** What was written, and what already existed and was left unchanged. */
interface Written {
  readonly written: readonly string[];
  readonly kept: readonly string[];
}

/**
 * Writes the stories, the recorded drive and the examples of clients into that folder, as the README and the pages name
 * them: existing files stay unchanged. Throws a `CommandError` where the folder cannot be written to.
 */
export function examples(folder: string, { json }: ExamplesOptions): void {
  const { written, kept } = writeExamples(readPackageFile().root, folder);
  if (json) {
    process.stdout.write(`${JSON.stringify({ written, kept })}\n`);
    return;
  }
  const there = kept.length === 0 ? '' : `, ${kept.length} were there and stay as they are`;
  process.stdout.write(
    `${written.length} files are written${there}. Now, for example:\n  npx boxtwin scenario run ${join(folder, STORIES, 'tunnel.yaml')}\n`,
  );
}

function writeExamples(from: string, to: string): Written {
  const written: string[] = [];
  const kept: string[] = [];
  try {
    for (const file of FOLDERS.flatMap((folder) => filesBelow(from, folder))) {
      makeFolder(dirname(join(to, file)));
      (copied(join(from, file), join(to, file)) ? written : kept).push(join(to, file));
    }
  } catch (error) {
    throw new CommandError(
      `The examples cannot be written to ${to}: ${writeErrorText(error)}. Name another folder.`,
    );
  }
  return { written, kept };
}

/** All files below a folder of the package, by their paths from the package, in alphabetical order. */
function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** False: the file exists. */
function copied(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
