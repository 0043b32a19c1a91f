import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHECKOUT, recipes } from '../support/recipes/recipe.ts';

const RECIPES = recipes();
const MINUTE_MS = 60_000;

let copy: string;

/** The files of the checkout, also those that are not committed yet. */
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  cwd: CHECKOUT,
  encoding: 'utf8',
  maxBuffer: 2 ** 24,
})
  .split('\0')
  .filter((path) => path !== '');

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'boxtwin-recipes-'));
  for (const path of FILES) await cp(join(CHECKOUT, path), join(copy, path));
  await symlink(join(CHECKOUT, 'node_modules'), join(copy, 'node_modules'));
}, 10 * MINUTE_MS);

afterAll(() => rm(copy, { recursive: true, force: true }), 10 * MINUTE_MS);

function patch(file: string, ...options: readonly string[]): void {
  execFileSync('git', ['apply', ...options, file], { cwd: copy });
}

/** What the type checker says, an error a line. What it found is kept, so that the next time is short. */
function typeErrors(): readonly string[] {
  const checked = spawnSync(
    'npx',
    ['tsc', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', '.types', '--pretty', 'false'],
    { cwd: copy, encoding: 'utf8' },
  );
  return checked.stdout.split('\n').filter((line) => /\berror TS/.test(line));
}

/** The files of the copy that are not as in the checkout; new ones are in no list, and not among them. */
function changedFiles(): readonly string[] {
  return FILES.filter((path) => !readFileSync(join(copy, path)).equals(readFileSync(join(CHECKOUT, path))));
}

test(
  'once its row is there, the type checker names the next places of each recipe, and no others',
  () => {
    for (const recipe of RECIPES) patch(recipe.patch, `--include=${recipe.row}`);
    const errors = typeErrors();
    const named = RECIPES.map(({ name, word }) => {
      const own = errors.filter((line) => line.includes(word));
      return [name, [...new Set(own.map((line) => line.replace(/\(.*/, '')))].sort()];
    });
    expect(named).toEqual(RECIPES.map(({ name, types }) => [name, [...types].sort()]));
    expect(errors.filter((line) => !RECIPES.some(({ word }) => line.includes(word)))).toEqual([]);
    for (const recipe of RECIPES) patch(recipe.patch, '--reverse', `--include=${recipe.row}`);
    expect(changedFiles()).toEqual([]);
  },
  10 * MINUTE_MS,
);
