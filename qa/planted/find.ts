import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOMS } from '../../test/tidy/rules.ts';
import type { PlantedBug } from './bug.ts';
import { limits } from './limits.ts';

/** What of a checkout runs the product from its sources. */
const SOURCES = ['bin', ...ROOMS, 'package.json'];

export const FINDERS = ['stories', 'explore', 'swarm', 'tests'] as const;
export type FinderName = (typeof FINDERS)[number];

export interface FinderSettings {
  /** The root of the checkout. */
  readonly root: string;
  /** Of the swarm. */
  readonly runs: number;
  /** Of `explore`, for each story. */
  readonly draws: number;
  readonly seed: number;
  /** No run of the swarm begins after that much CPU time. */
  readonly cpuS: number;
  /** Whether the swarm makes what it found smaller. */
  readonly isShrunk: boolean;
}

/** What a finder came to. */
export type FinderResult =
  | { readonly found: false; readonly tookS: number }
  | {
      readonly found: true;
      readonly tookS: number;
      /** The run of the swarm with its CPU time until then, the story, or the file of the test. */
      readonly where: string;
      /** The checker, the test, or the first words of the reason. */
      readonly reason: string;
      /** Steps of the scenario that failed, and of the smallest one. */
      readonly steps?: readonly [first: number, smallest: number];
    };

/** A copy of the sources with one bug in it. */
export interface BuggyCopy {
  readonly folder: string;
  /** Undefined: it has none. */
  readonly bug: PlantedBug | undefined;
  /** Where a finder writes the smallest scenario that fails. */
  readonly foundFile: string;
  remove(): void;
}

const FOUND = 'found.yaml';
/** The command of the product, in a copy. */
export const COMMAND = 'bin/boxtwin.js';
/** Of the tests, those that fail for a changed line, whatever it does. */
const ABOUT_TEXTS = ['qa/**', 'test/tidy/**', 'test/tidy.test.ts'];
/** Are copied along with the sources: they play what they find there, each in one process. */
const EXPLORE = 'qa/planted/explore-stories.ts';
const SWARM = 'qa/planted/swarm-runs.ts';

/**
 * Copies the sources, for the finder `tests` with everything else that is committed, and applies the patch. Without a bug
 * it is a plain copy. Throws where the patch does not fit.
 */
export function copyWith(
  bug: PlantedBug | undefined,
  root: string,
  finders: readonly FinderName[] = [],
): BuggyCopy {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-planted-'));
  const committed = () => execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const copied = finders.includes('tests')
    ? committed()
        .split('\0')
        .filter((one) => one !== '' && !one.endsWith('.patch'))
    : [...SOURCES, EXPLORE, SWARM];
  for (const one of copied) cpSync(join(root, one), join(folder, one), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  if (bug !== undefined)
    execFileSync('git', ['apply', '--whitespace=nowarn', bug.file], { cwd: folder, stdio: 'pipe' });
  return {
    folder,
    bug,
    foundFile: join(folder, FOUND),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes a file into a copy. */
export function written({ folder }: BuggyCopy, name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

/** Plays one finder in a copy. */
export async function find(
  finder: FinderName,
  copy: BuggyCopy,
  settings: FinderSettings,
): Promise<FinderResult> {
  const beganMs = performance.now();
  const found = await FIND[finder](copy.folder, settings, copy.bug);
  const tookS = Math.round((performance.now() - beganMs) / 1_000);
  return found === undefined ? { found: false, tookS } : { found: true, tookS, ...found };
}

type Found = Omit<Extract<FinderResult, { readonly found: true }>, 'found' | 'tookS'>;

const FIND: Readonly<
  Record<
    FinderName,
    (folder: string, settings: FinderSettings, bug: PlantedBug | undefined) => Promise<Found | undefined>
  >
> = {
  async stories(folder) {
    const files = storiesOf(folder).map((name) => join('scenarios/stories', name));
    const { scenarios = [] } = await json(folder, [
      COMMAND,
      'scenario',
      'run',
      ...files,
      '--jobs',
      '1',
      '--json',
    ]);
    const failed = scenarios.find(({ verdict }) => verdict !== 'passed');
    if (failed === undefined) return undefined;
    const checker = failed.checkers?.find(({ findings = [] }) => findings.length > 0)?.checker;
    return { where: failed.name ?? '', reason: checker ?? failed.verdict ?? '' };
  },
  async explore(folder, { draws, seed }) {
    const files = storiesOf(folder).map((name) => join('scenarios/stories', name));
    const args = [EXPLORE, String(draws), String(seed), join(folder, FOUND), ...files];
    const { story = '', found } = await json(folder, args);
    return found === undefined ? undefined : foundIn(story, found);
  },
  async swarm(folder, { runs, seed, cpuS, isShrunk }) {
    const given = [runs, seed, cpuS, isShrunk ? limits.shrinkRuns : 0].map(String);
    const printed = await json(folder, [SWARM, ...given, join(folder, FOUND)]);
    const { found, runs: ended, cpuS: usedS } = printed;
    // Without a number of runs the bug ended the program.
    const where = ended === undefined ? 'a run' : `run ${ended} (${usedS} s)`;
    return found === undefined ? undefined : foundIn(where, found);
  },
  async tests(folder, _settings, bug) {
    const changed = bug === undefined ? [] : changedBy(bug);
    return (
      (await failingTest(folder, ['shared', 'alone'], changed)) ??
      (await failingTest(folder, ['sockets'], changed))
    );
  },
};

/** The first test of these projects that fails, of those that import what has changed. */
async function failingTest(
  folder: string,
  projects: readonly string[],
  changed: readonly string[],
): Promise<Found | undefined> {
  const report = join(folder, 'tests.json');
  const args = [
    ...[VITEST, 'related', '--run', '--bail', '1', '--reporter', 'json', '--outputFile', report],
    ...projects.flatMap((one) => ['--project', one]),
    ...ABOUT_TEXTS.flatMap((one) => ['--exclude', one]),
    ...changed,
  ];
  const [, errors] = await outputOf(
    spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  if (!existsSync(report)) throw new Error(`The tests in ${folder} do not run: ${errors.trim()}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as TestReport;
  rmSync(report);
  // Files that were under way when the first test failed are reported as failed, without a test.
  const failed = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => ({ where: relative(folder, name), reason: fullName })),
  );
  if (failed.length > 0) return failed[0];
  const unloaded = testResults.find(({ status }) => status === 'failed');
  return unloaded && { where: relative(folder, unloaded.name), reason: 'it does not load' };
}

const VITEST = 'node_modules/vitest/vitest.mjs';

/** What vitest reports as JSON, as far as it is read here. */
interface TestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** The files that a patch changes. */
function changedBy({ file }: PlantedBug): readonly string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('+++ b/') ? [line.slice('+++ b/'.length)] : []));
}

/** All but those that take minutes. */
function storiesOf(folder: string): readonly string[] {
  return readdirSync(join(folder, 'scenarios/stories')).filter(
    (name) => name.endsWith('.yaml') && !limits.leftOut.some((one) => name.startsWith(one)),
  );
}

/** What `--json` prints, as far as it is read here. */
export interface Printed {
  readonly scenarios?: readonly {
    readonly name?: string;
    readonly verdict?: string;
    readonly reason?: string;
    readonly expectations?: readonly { readonly met: boolean }[];
    readonly checkers?: readonly { readonly checker: string; readonly findings?: readonly unknown[] }[];
  }[];
  readonly runs?: number;
  readonly cpuS?: number;
  readonly story?: string;
  readonly found?: PrintedFound;
}

interface PrintedFound {
  readonly reason: string;
  readonly checker?: string;
  readonly size: {
    readonly first: { readonly steps: number };
    readonly smallest: { readonly steps: number };
  };
}

function foundIn(where: string, { reason, checker, size }: PrintedFound): Found {
  return {
    where,
    reason: checker ?? reason.slice(0, limits.reasonCharacters),
    steps: [size.first.steps, size.smallest.steps],
  };
}

/** What a copy says that cannot be loaded: a patch or a copy is wrong, and nothing is found. */
const NOT_LOADED = /ERR_MODULE_NOT_FOUND|at ModuleJob|compileSourceTextModule|unknown option/;

/**
 * Runs this file of the copy, with its arguments; a bug by which it ends without a word is found, one that makes it too slow
 * is not. Throws where the copy cannot be loaded.
 */
export async function json(folder: string, args: readonly string[]): Promise<Printed> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, wasEnded] = await outputOf(child);
  if (wasEnded) return {};
  try {
    return JSON.parse(output) as Printed;
  } catch {
    if (NOT_LOADED.test(errors)) throw new Error(`The copy in ${folder} does not start: ${errors.trim()}`);
    const reason = errors.trim().split('\n').at(-1) ?? 'no output';
    const size = { first: { steps: 0 }, smallest: { steps: 0 } };
    return {
      found: { reason, size },
      scenarios: [{ name: args[0] ?? '', verdict: reason.slice(0, limits.reasonCharacters) }],
    };
  }
}

async function outputOf(
  child: ChildProcess,
): Promise<readonly [output: string, errors: string, wasEnded: boolean]> {
  const texts = ['', ''] as [string, string];
  child.stdout?.on('data', (bytes: Buffer) => {
    texts[0] += bytes.toString();
  });
  child.stderr?.on('data', (bytes: Buffer) => {
    texts[1] = (texts[1] + bytes.toString()).slice(-limits.errorCharacters);
  });
  let wasEnded = false;
  const late = setTimeout(() => {
    wasEnded = child.kill('SIGKILL');
  }, limits.finderMs);
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(late);
  return [...texts, wasEnded];
}
