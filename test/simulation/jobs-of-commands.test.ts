import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addScenarioCommands, addSwarmCommand } from '../../cli/commands/scenario/scenario.ts';
import { FAILING, GOOD } from '../support/scenarios/short-scenarios.ts';

/** What the threads run in place of the product's own program. */
const planted = vi.hoisted((): { program: string | undefined } => ({ program: undefined }));
vi.mock('../../deployment/jobs/threaded-runs.ts', async (original) => {
  const { openThreadedRuns, ...rest } =
    await original<typeof import('../../deployment/jobs/threaded-runs.ts')>();
  return {
    ...rest,
    openThreadedRuns: (options: Parameters<typeof openThreadedRuns>[0]) =>
      openThreadedRuns({
        ...options,
        ...(planted.program === undefined ? {} : { program: planted.program }),
      }),
  };
});
const ENDING = '../../test/support/jobs/ending-run-program';

/** Takes longer than the files behind it. */
const LONG = GOOD.replace('short-cut', 'long')
  .replace('count: 1', 'count: 2')
  .replace('always', 'limits: { duration: 4m }\nalways');
/** Passes as it stands, and fails where the loss of coverage ends before the last step. */
const VARIED = `name: dark
about: A car has no coverage for a while.
seed: 7
fleet:
  - { count: 1, model: petrol-compact, features: none }
steps:
  - { at: 0s, weather: { coverage: none }, for: 2m }
  - { at: 1m, within: 0s, expect: { connected: false } }
vary: { "steps[0].for": [2m, 1s, 110s] }
`;
/** Plays a file beside it. */
const LINKED = GOOD.replace('weather: cut', 'weather: { trace: { file: link.txt } }');

const home = process.cwd();
let place: string;
let output = '';

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'boxtwin-jobs-'));
  process.chdir(place);
  planted.program = undefined;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  process.chdir(home);
  rmSync(place, { recursive: true, force: true });
});

/** As it would stand behind `boxtwin`. */
async function boxtwin(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  output = '';
  process.exitCode = undefined;
  const program = new Command('boxtwin').exitOverride();
  addScenarioCommands(program);
  addSwarmCommand(program);
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands }) => commands),
  ])
    command.exitOverride();
  await program.parseAsync(args, { from: 'user' });
  return { code: Number(process.exitCode ?? 0), output };
}

/** Without what the wall clock says. */
function timeless(report: string): string {
  return report.replaceAll(/"wall_ms": ?[\d.]+|time="[\d.]+"|, \d+(?:\.\d+)? (?:ms|s) on the wall/g, '');
}

describe('--jobs', () => {
  test('runs several files with the same texts, reports, hashes and exit code, in their order', async () => {
    mkdirSync('roads');
    writeFileSync('roads/a.yaml', LONG);
    writeFileSync('roads/b.yaml', FAILING);
    writeFileSync('roads/c.yaml', GOOD);
    writeFileSync('roads/d.yaml', LINKED);
    writeFileSync('roads/link.txt', Array.from({ length: 50 }, (_, index) => `${index * 20}\n`).join(''));
    const ran = async (jobs: number) => {
      const { code, output: text } = await boxtwin(
        'scenario',
        'run',
        'roads',
        '--jobs',
        `${jobs}`,
        '--report',
        'json=report.json',
      );
      return {
        code,
        hashes: text.match(/trace hash: [0-9a-f]{64}/g),
        verdicts: text.match(/[✓✗] \S+ (?:passed|failed|crashed)/g),
        report: timeless(readFileSync('report.json', 'utf8')),
      };
    };
    const alone = await ran(1);
    expect(alone.code).toBe(1);
    expect(alone.verdicts).toEqual([
      '✓ long passed',
      '✗ short-cut failed',
      '✓ short-cut passed',
      '✓ short-cut passed',
    ]);
    expect(new Set(alone.hashes).size).toBeGreaterThan(2);
    expect(await ran(2)).toEqual(alone);
    expect(await ran(3)).toEqual(alone);
  });

  test('explores the same draws and finds the same smallest scenario', async () => {
    writeFileSync('varied.yaml', VARIED);
    const explored = async (jobs: number) => {
      const { code, output: text } = await boxtwin(
        'scenario',
        'explore',
        'varied.yaml',
        '--runs',
        '6',
        '--seed',
        '3',
        '--jobs',
        `${jobs}`,
        '--json',
      );
      return { code, text, file: readFileSync('varied.found.yaml', 'utf8') };
    };
    const alone = await explored(1);
    expect(alone.code).toBe(1);
    expect(await explored(2)).toEqual(alone);
    expect(await explored(3)).toEqual(alone);
  });

  test('runs the same swarm', async () => {
    const ran = async (jobs: number) => {
      const { code, output: text } = await boxtwin(
        ...['swarm', '--runs', '2', '--seed', '9', '--json', '--jobs', `${jobs}`],
      );
      // How fast it was is all that may differ.
      return { code, output: text.replace(/"seeds_an_hour":\d+/, '') };
    };
    const alone = await ran(1);
    expect(alone.code).toBe(0);
    expect(await ran(3)).toEqual(alone);
  });

  test('counts a scenario whose thread ends as crashed, says why, and runs the others', async () => {
    planted.program = ENDING;
    mkdirSync('roads');
    writeFileSync('roads/a.yaml', GOOD);
    writeFileSync('roads/b.yaml', GOOD.replace('seed: 7', 'seed: 666'));
    writeFileSync('roads/c.yaml', GOOD);
    const { code, output: text } = await boxtwin('scenario', 'run', 'roads', '--jobs', '2');
    expect(code).toBe(4);
    expect(text).toContain('The thread has ended with the exit code 9.');
    expect(text).toContain('3 scenarios: 2 passed, 1 crashed');
  });

  test('ends explore with an error where a thread ends', async () => {
    planted.program = ENDING;
    writeFileSync('ending.yaml', GOOD.replace('seed: 7', 'seed: 666'));
    await expect(
      boxtwin('scenario', 'explore', 'ending.yaml', '--runs', '2', '--seed', '1', '--jobs', '2'),
    ).rejects.toMatchObject({
      exitCode: 1,
      message:
        'The run of short-cut with the seed 666 has no result: The thread has ended with the exit code 9. Try --jobs 1.',
    });
  });

  test('takes a whole number, and more than 1 only where runs can be made at once', async () => {
    writeFileSync('good.yaml', GOOD);
    for (const wrong of ['0', '65', 'many', '1.5'])
      await expect(boxtwin('swarm', '--jobs', wrong)).rejects.toThrow(
        'It takes a whole number from 1 to 64.',
      );
    const more: readonly (readonly string[])[] = [
      ['--world', 'real'],
      ['--pace', '60'],
    ];
    for (const one of more)
      await expect(boxtwin('scenario', 'run', 'good.yaml', '--jobs', '2', ...one)).rejects.toThrow(
        '--jobs 2 works only in the virtual world without --pace: other scenarios run one after the other. Leave it out.',
      );
  });
});
