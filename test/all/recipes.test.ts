import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHECKOUT, filesOf, type Recipe, recipes } from '../support/recipes/recipe.ts';

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

const rowsOf = ({ rows }: Recipe): readonly string[] => rows.map((row) => `--include=${row}`);

/** What the type checker says, an error a line. What it found is kept, so that the next time is short. */
function typeErrors(): readonly string[] {
  const checked = spawnSync(
    'npx',
    ['tsc', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', '.types', '--pretty', 'false'],
    { cwd: copy, encoding: 'utf8' },
  );
  return checked.stdout.split('\n').filter((line) => /\berror TS/.test(line));
}

/** Runs tests of the copy and draws its documents anew. The names of what failed, and of nothing else. */
function failuresOf(tests: readonly string[]): readonly string[] {
  const outside = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const report = join(copy, '.report.json');
  const run = spawnSync(
    'npx',
    ['vitest', 'run', '--update=all', '--reporter=json', `--outputFile=${report}`, ...tests],
    { cwd: copy, env: Object.fromEntries(outside), encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  if (!existsSync(report)) throw new Error(`no report of vitest: ${run.stdout}${run.stderr}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  expect(testResults.flatMap(({ assertionResults }) => assertionResults)).not.toEqual([]);
  return testResults.flatMap(({ name, status, message, assertionResults }) => [
    ...assertionResults.flatMap((one) => (one.status === 'failed' ? [`${name}: ${one.fullName}`] : [])),
    ...(status === 'failed' && assertionResults.length === 0 ? [`${name}: ${message}`] : []),
  ]);
}

/** The report of vitest, as far as it is read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The files of the copy that are not as in the checkout; new ones are in no list, and not among them. */
function changedFiles(): readonly string[] {
  return FILES.filter((path) => !readFileSync(join(copy, path)).equals(readFileSync(join(CHECKOUT, path))));
}

test(
  'once its rows are there, the type checker names the next places of each recipe, and no others',
  () => {
    for (const recipe of RECIPES) patch(recipe.patch, ...rowsOf(recipe));
    const errors = typeErrors();
    const named = RECIPES.map(({ name, word }) => {
      const own = errors.filter((line) => line.includes(word));
      return [name, [...new Set(own.map((line) => line.replace(/\(.*/, '')))].sort()];
    });
    expect(named).toEqual(RECIPES.map(({ name, types }) => [name, [...types].sort()]));
    expect(errors.filter((line) => !RECIPES.some(({ word }) => line.includes(word)))).toEqual([]);
    for (const recipe of RECIPES) patch(recipe.patch, '--reverse', ...rowsOf(recipe));
    expect(changedFiles()).toEqual([]);
  },
  10 * MINUTE_MS,
);

test(
  'with all the places of each recipe, the types are right, its tests pass and its documents are drawn anew',
  () => {
    for (const recipe of RECIPES) patch(recipe.patch);
    expect(typeErrors()).toEqual([]);
    const tests = new Set(RECIPES.flatMap((recipe) => recipe.tests));
    // Other documents are drawn from the examples, which the first run draws and has no use for yet.
    failuresOf(['test/openapi/examples.test.ts']);
    expect(failuresOf([...tests])).toEqual([]);
    const expected = RECIPES.flatMap(({ patch: file, drawn }) => [...filesOf(file), ...drawn]);
    expect(new Set(changedFiles())).toEqual(new Set(expected.filter((path) => FILES.includes(path))));
  },
  10 * MINUTE_MS,
);
