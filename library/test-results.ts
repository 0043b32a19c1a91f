import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { limits } from './limits.ts';

/** Where failed tests leave what explains them. */
const RESULTS = 'test-results';

/** The folder of a test, below the current one: `test-results/fleet-a-parked-vehicle-is-unlocked`. */
export function resultsFolder(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, limits.nameCharacters);
  return join(RESULTS, plain === '' ? 'test' : plain);
}

/** Writes the files of a failed test in place of those of an earlier run, and returns what to say of them. */
export function keepResults(folder: string, files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** The line in the message of a failed test. */
export function keptLine(folder: string, files: readonly string[]): string {
  const last = files.at(-1) ?? '';
  return `boxtwin: ${files.slice(0, -1).join(', ')} and ${last} are in ${folder}/`;
}

/** Removes what an earlier run of the test has left; the whole folder where nothing else is in it. */
export function removeResults(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  try {
    if (readdirSync(RESULTS).length === 0) rmdirSync(RESULTS);
  } catch {
    // There is none.
  }
}

/** A path as a user would type it. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === '' || short.startsWith('..') ? path : short;
}
