import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

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

export interface ActionRun {
  readonly isSuccess: boolean;
  /** What the steps printed, on both streams. */
  readonly log: string;
  /** The names of the steps that were run, in their order. */
  readonly ran: readonly string[];
  /** Actions of others, by their name without the version, with what they were given; they are not carried out. */
  readonly used: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly outputs: Readonly<Record<string, string>>;
}

export interface ActionPlace {
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
export function runAction(
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
