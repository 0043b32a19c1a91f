import { constants, copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../shared/command-error.ts';
import { readPackageFile } from '../shared/package-file.ts';

/** The folders that are written, below the package and below where they go. */
const FOLDERS = [join('scenarios', 'stories'), join('scenarios', 'drives')];

export interface ExamplesOptions {
  readonly json: boolean;
}

/** What was written, and what was there before and is as it was. */
interface Written {
  readonly written: readonly string[];
  readonly kept: readonly string[];
}

/**
 * Writes the stories and the recorded drive into that folder, as the README and the pages name them: what is there already stays as it is. Throws a
 * `CommandError` where the folder cannot be written to.
 */
export function examples(folder: string, { json }: ExamplesOptions): void {
  const { written, kept } = writeExamples(readPackageFile().root, folder);
  if (json) {
    process.stdout.write(`${JSON.stringify({ written, kept })}\n`);
    return;
  }
  const there = kept.length === 0 ? '' : `, ${kept.length} were there and stay as they are`;
  process.stdout.write(
    `${written.length} files are written${there}. Now, for example:\n  npx boxtwin scenario run ${join(folder, FOLDERS[0] ?? '', 'tunnel.yaml')}\n`,
  );
}

function writeExamples(from: string, to: string): Written {
  const written: string[] = [];
  const kept: string[] = [];
  try {
    for (const folder of FOLDERS) {
      mkdirSync(join(to, folder), { recursive: true });
      for (const name of readdirSync(join(from, folder)).sort()) {
        const file = join(to, folder, name);
        (copied(join(from, folder, name), file) ? written : kept).push(file);
      }
    }
  } catch (error) {
    throw new CommandError(
      `The examples cannot be written to ${to}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return { written, kept };
}

/** False: there is such a file. */
function copied(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
