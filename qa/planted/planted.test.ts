import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plantedBugs } from './bug.ts';

const ROOT = join(import.meta.dirname, '../..');
const SETS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].filter((set) =>
  existsSync(join(ROOT, 'qa/planted', set)),
);

/** Where a change of the sources moves what a patch is about, the patch is made anew for the same bug. */
describe('planted bugs', () => {
  test.each(plantedBugs(join(ROOT, 'qa/planted'), SETS))('$name fits the sources: $bug', ({ file }) => {
    expect(() => execFileSync('git', ['apply', '--check', file], { cwd: ROOT, stdio: 'pipe' })).not.toThrow();
  });
});
