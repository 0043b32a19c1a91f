import { posix } from 'node:path';
import { type Finding, ROOMS } from './rules.ts';

/** So many TypeScript files may stand in one folder: more of them are a list, and have parts with names. */
export const FOLDER_FILES = 25;

const COUNTED = [...ROOMS, 'test/support'];

/**
 * Each folder of a room or of test/support with more than `FOLDER_FILES` TypeScript files, those of the folders in it
 * not counted. `paths`: of files, from the project's root.
 */
export function inspectFolders(paths: readonly string[]): readonly Finding[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = posix.dirname(path);
    if (!/\.tsx?$/.test(path) || !COUNTED.some((root) => path.startsWith(`${root}/`))) continue;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > FOLDER_FILES)
    .map(([folder, count]) => findingAt(`${folder}/`, `holds ${count} files, more than ${FOLDER_FILES}`));
}

/** Beside the tests: helpers, suites that several tests run, rules, and what has a configuration of its own. */
const NOT_TESTS = /^test\/(support|contracts|tidy|all|vectors|clients)\//;

/** Each test that stands among the helpers, and each helper that stands among the tests. */
export function inspectTestHelpers(paths: readonly string[]): readonly Finding[] {
  return paths.flatMap((path) => {
    const isTest = path.endsWith('.test.ts');
    if (isTest && path.startsWith('test/support/'))
      return [findingAt(path, 'is a test among the helpers: test/support/ holds helpers alone')];
    if (!isTest && /^test\/.*\.[jt]s$/.test(path) && !NOT_TESTS.test(path))
      return [findingAt(path, 'is a helper among the tests: the home of helpers is test/support/')];
    return [];
  });
}

function findingAt(path: string, rule: string): Finding {
  return { path, line: 1, rule, isWarning: false };
}
