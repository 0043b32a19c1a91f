import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { commandsOf } from '../support/docs/page-commands.ts';
import { FAILING, GOOD } from '../support/scenarios/short-scenarios.ts';

const checkout = join(import.meta.dirname, '..', '..');

/**
 * A package that npm installs in a moment, and that runs this checkout. That the packed one installs and runs is for
 * test/all/containers.test.ts and .ci/smoke. Of the swarm it makes one run in place of minutes; with `SWARM_FINDS` it writes
 * that scenario as what was found. Returns its folder.
 */
function standInPackage(place: string): string {
  const folder = join(place, 'stand-in');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'boxtwin', version: '0.0.0', bin: { boxtwin: 'boxtwin.sh' } }),
  );
  const script = join(folder, 'boxtwin.sh');
  const command = `"${process.execPath}" "${join(checkout, 'bin', 'boxtwin.js')}"`;
  writeFileSync(
    script,
    `#!/usr/bin/env bash
if [ "$1" != swarm ]; then exec ${command} "$@"; fi
echo "asked: $*"
options=("$@")
for index in "\${!options[@]}"; do
  case "\${options[index]}" in
    --minutes) options[index]=--runs; options[index+1]=1 ;;
    --out) found="\${options[index+1]}" ;;
  esac
done
if [ -n "$SWARM_FINDS" ]; then cp "$SWARM_FINDS" "$found"; exit 1; fi
exec ${command} "\${options[@]}"
`,
  );
  chmodSync(script, 0o755);
  return folder;
}

/** As much of a composite action as is run here. */
const action = z.looseObject({
  inputs: z.record(z.string(), z.looseObject({ default: z.string() })),
  outputs: z.record(z.string(), z.looseObject({ value: z.string() })),
  runs: z.looseObject({
    steps: z.array(
      z.strictObject({
        name: z.string(),
        id: z.string().optional(),
        if: z.string().optional(),
        uses: z.string().optional(),
        with: z.record(z.string(), z.string()).optional(),
        shell: z.literal('bash').optional(),
        env: z.record(z.string(), z.string()).optional(),
        run: z.string().optional(),
      }),
    ),
  }),
});

interface ActionRun {
  readonly isSuccess: boolean;
  /** What the steps printed, on both streams. */
  readonly log: string;
  /** The names of the steps that were run, in their order. */
  readonly ran: readonly string[];
  /** Actions of others, by their name without the version, with what they were given; they are not carried out. */
  readonly used: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly outputs: Readonly<Record<string, string>>;
}

interface ActionPlace {
  /** The checked out repository, where the steps run. */
  readonly workspace: string;
  /** A folder of the runner's own. */
  readonly runner: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs the steps of a composite action as a runner does: each `run` by `bash --noprofile --norc -eo pipefail`, with its own
 * variables and what steps before it have put on the path. Throws where the action has an expression that is not known here.
 */
function runAction(
  text: string,
  given: Readonly<Record<string, string>>,
  { workspace, runner, env = {} }: ActionPlace,
): ActionRun {
  const { inputs, outputs, runs } = action.parse(parse(text));
  for (const name of Object.keys(given)) if (inputs[name] === undefined) throw new Error(`no input ${name}`);
  const values = new Map(Object.entries(inputs).map(([name, one]) => [`inputs.${name}`, one.default]));
  for (const [name, value] of Object.entries(given)) values.set(`inputs.${name}`, value);
  mkdirSync(runner, { recursive: true });
  const files = { path: join(runner, 'path'), output: join(runner, 'output') };
  const used = new Map<string, Readonly<Record<string, string>>>();
  const ran: string[] = [];
  let log = '';
  let isSuccess = true;
  for (const step of runs.steps) {
    if (!isDue(step.if, isSuccess, values)) continue;
    ran.push(step.name);
    const filled = (all: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(Object.entries(all).map(([name, value]) => [name, fill(value, values)]));
    if (step.uses !== undefined) used.set(step.uses.replace(/@.*/, ''), filled(step.with));
    if (step.run === undefined) continue;
    const script = join(runner, 'step.sh');
    writeFileSync(script, step.run);
    writeFileSync(files.output, '');
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', script],
      {
        cwd: workspace,
        encoding: 'utf8',
        env: {
          ...plainEnvironment(),
          RUNNER_TEMP: runner,
          GITHUB_WORKSPACE: workspace,
          GITHUB_PATH: files.path,
          GITHUB_OUTPUT: files.output,
          PATH: [...linesOf(files.path).reverse(), process.env['PATH'] ?? ''].join(delimiter),
          ...env,
          ...filled(step.env),
        },
      },
    );
    log += stdout + stderr;
    isSuccess &&= status === 0;
    for (const line of linesOf(files.output)) {
      const at = line.indexOf('=');
      values.set(`steps.${step.id}.outputs.${line.slice(0, at)}`, line.slice(at + 1));
    }
  }
  const told = Object.entries(outputs).map(([name, { value }]) => [name, fill(value, values)]);
  return { isSuccess, log, ran, used, outputs: Object.fromEntries(told) };
}

/** Nothing of the test's own run: a step must not find what only this machine has. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = /^(HOME|LANG|TMPDIR|npm_config_cache|NODE_COMPILE_CACHE)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name)));
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** `${{ inputs.seed }}` as its value; of a step that has not run, empty. */
function fill(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => values.get(name) ?? '');
}

/** Whether a step is run. Without a function of its own it is, as long as every step before it has succeeded. */
function isDue(
  condition: string | undefined,
  isSuccess: boolean,
  values: ReadonlyMap<string, string>,
): boolean {
  if (condition === undefined) return isSuccess;
  const [, expression = ''] = /^\$\{\{ (.*) \}\}$/.exec(condition) ?? [];
  const parts = expression.split(' && ');
  const isAlways = parts.includes('!cancelled()');
  return (isAlways || isSuccess) && parts.filter((part) => part !== '!cancelled()').every(holds);

  function holds(part: string): boolean {
    const [, name, other] = /^(inputs\.[\w-]+) != '([^']*)'$/.exec(part) ?? [];
    if (name === undefined) throw new Error(`not known here: ${condition}`);
    return values.get(name) !== other;
  }
}

const ACTION = join(checkout, 'ci', 'github', 'action.yml');
const TEMPLATE = join(checkout, 'ci', 'gitlab', 'boxtwin.gitlab-ci.yml');

const place = mkdtempSync(join(tmpdir(), 'boxtwin-pipelines-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const standIn = standInPackage(place);
const failing = join(place, 'failing.yaml');
writeFileSync(failing, FAILING);
let repository: string;
beforeEach(() => {
  repository = mkdtempSync(join(place, 'repository-'));
  mkdirSync(join(repository, 'roads'));
  writeFileSync(join(repository, 'roads', 'good.yaml'), GOOD);
});

const inRepository = (name: string) => join(repository, name);
const read = (name: string) => readFileSync(inRepository(name), 'utf8');
const failures = (name: string) =>
  Number(new XMLParser({ ignoreAttributes: false }).parse(read(name)).testsuites['@_failures']);

describe('the action for GitHub', () => {
  function run(
    inputs: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>> = {},
  ): ActionRun {
    return runAction(
      readFileSync(ACTION, 'utf8'),
      { package: standIn, ...inputs },
      { workspace: repository, runner: mkdtempSync(join(place, 'runner-')), env },
    );
  }

  test('is one by its schema, and a wrong word in it is found', () => {
    const wrong = join(repository, 'action.yml');
    writeFileSync(wrong, readFileSync(ACTION, 'utf8').replace('shell: bash', 'shel: bash'));
    const [good, bad] = [ACTION, wrong].map((file) => tool('action-validator', [file], repository));
    expect(good).toEqual({ status: 0, output: '' });
    expect(bad?.status).toBe(1);
    expect(bad?.output).toContain('shel');
  });

  test('runs scenarios, and keeps their reports', () => {
    const { isSuccess, log, ran, used, outputs } = run({ scenarios: 'roads\n' });
    expect(isSuccess, log).toBe(true);
    expect(log).toContain('✓ short-cut passed');
    expect(ran).not.toContain('Look for failures with the swarm');
    expect(failures('boxtwin-reports/scenarios.xml')).toBe(0);
    for (const name of ['scenarios.html', 'scenarios.json'])
      expect(existsSync(inRepository(`boxtwin-reports/${name}`))).toBe(true);
    expect(used.get('actions/setup-node')).toEqual({ 'node-version': '24' });
    expect(used.get('actions/upload-artifact')).toMatchObject({ path: 'boxtwin-reports' });
    expect(outputs).toEqual({ reports: 'boxtwin-reports', found: '' });
  });

  test('fails with an annotation at the line that failed, and draws scenarios all the same', () => {
    writeFileSync(inRepository('roads/bad road.yaml'), FAILING);
    const inputs = {
      scenarios: 'roads/good.yaml\nroads/bad road.yaml',
      strict: 'true',
      'swarm-minutes': '1',
    };
    const { isSuccess, log, ran, used, outputs } = run({ ...inputs, seed: '6', reports: 'out/reports' });
    expect(isSuccess).toBe(false);
    const line = FAILING.split('\n').findIndex((text) => text.includes('journal')) + 1;
    expect(log).toContain(`\n::error file=roads/bad road.yaml,line=${line},`);
    expect(log).toContain('--seed 6 --strict');
    expect(failures('out/reports/scenarios.xml')).toBe(1);
    expect(log).toContain('asked: swarm --minutes 1 --out out/reports/swarm.found.yaml --seed 6');
    expect(log).toMatch(/PASSED.* 1 scenario/);
    expect(ran.at(-1)).toBe('Keep the reports');
    expect(used.get('actions/upload-artifact')?.['path']).toBe('out/reports');
    expect(outputs['found']).toBe('');
  });

  test('keeps what the swarm found, with its reports and an annotation', () => {
    const { isSuccess, log, outputs } = run(
      { scenarios: '', 'swarm-minutes': '2' },
      { SWARM_FINDS: failing },
    );
    expect(isSuccess).toBe(false);
    expect(outputs['found']).toBe('boxtwin-reports/swarm.found.yaml');
    expect(read('boxtwin-reports/swarm.found.yaml')).toBe(FAILING);
    expect(failures('boxtwin-reports/swarm.xml')).toBe(1);
    expect(log).toContain('\n::error file=boxtwin-reports/swarm.found.yaml,line=');
  });

  test('says where a scenario cannot be read, and runs no input as a command', () => {
    writeFileSync(inRepository('roads/typo.yaml'), GOOD.replace('weather: cut', 'weather: cutt'));
    const faulty = run({ scenarios: 'roads' });
    expect(faulty.isSuccess).toBe(false);
    expect(faulty.log).toContain('::error file=roads/typo.yaml,line=7,');
    const words = '$(touch injected)`touch injected`"; touch injected #';
    expect(run({ scenarios: words, seed: words, strict: words }).isSuccess).toBe(false);
    expect(existsSync(inRepository('injected'))).toBe(false);
  });
});

describe('the template for GitLab', () => {
  function run(inputs: string, job: string, env: Readonly<Record<string, string>> = {}) {
    copyFileSync(TEMPLATE, inRepository('boxtwin.gitlab-ci.yml'));
    const included = `include:\n  - local: boxtwin.gitlab-ci.yml\n    inputs:\n      package: ${standIn}\n${inputs}`;
    writeFileSync(inRepository('.gitlab-ci.yml'), included);
    // It names what it runs by the repository.
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['remote', 'add', 'origin', 'git@gitlab.com:some/fleet.git'],
      ['add', '.'],
      ['-c', 'user.name=some', '-c', 'user.email=some@example.com', 'commit', '-qm', 'some'],
    ])
      spawnSync('git', args, { cwd: repository });
    const options = ['--force-shell-executor', '--no-shell-isolation', '--home', place];
    return tool('gitlab-ci-local', [...options, job], repository, env);
  }

  test('runs scenarios by its schema, and hands the reports over', () => {
    writeFileSync(inRepository('bad.yaml'), FAILING);
    const inputs = '      scenarios: roads bad.yaml\n      strict: true\n      seed: "8"\n';
    const { status, output } = run(inputs, 'boxtwin-scenarios');
    expect(output).toContain('json schema validated');
    expect(output).toContain('2 scenarios: 1 passed, 1 failed');
    expect(output).toContain('--seed 8 --strict');
    expect(status).toBe(1);
    expect(failures('boxtwin-reports/scenarios.xml')).toBe(1);
  });

  test('draws scenarios where it is told to, and keeps what was found', () => {
    const { status, output } = run('      swarm-minutes: 3\n', 'boxtwin-swarm', { SWARM_FINDS: failing });
    expect(output).toContain('asked: swarm --minutes 3 --out boxtwin-reports/swarm.found.yaml');
    expect(status).toBe(1);
    expect(failures('boxtwin-reports/swarm.xml')).toBe(1);
    expect(run('', '--list').output).not.toContain('boxtwin-swarm');
  });
});

describe('the commands of docs/continuous-integration.md', () => {
  test('do what it says, one after the other', () => {
    mkdirSync(inRepository('scenarios'));
    writeFileSync(inRepository('scenarios/good.yaml'), GOOD);
    const page = readFileSync(join(checkout, 'docs', 'continuous-integration.md'), 'utf8');
    const lines = commandsOf(page).flatMap(({ command }) => command.trim().split('\n'));
    const env = { ...process.env, SWARM_FINDS: failing };
    spawnSync('npm', ['install', '--no-audit', '--no-fund', standIn], { cwd: repository, env });
    const codes = lines.map((line) => spawnSync('bash', ['-c', line], { cwd: repository, env }).status);
    expect(codes).toEqual([0, 0, 1, 1]);
    expect(failures('reports/scenarios.xml')).toBe(0);
    expect(failures('reports/swarm.xml')).toBe(1);
  });
});

/** A program of test/all's own installation. */
function tool(
  name: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): { readonly status: number | null; readonly output: string } {
  const program = join(import.meta.dirname, 'node_modules', '.bin', name);
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (error !== undefined) throw error;
  return { status, output: stdout + stderr };
}
