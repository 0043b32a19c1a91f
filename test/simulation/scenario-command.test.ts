import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addScenarioCommands, addSwarmCommand } from '../../cli/commands/scenario/scenario.ts';
import { openRunGate } from '../../deployment/jobs/scenario-gate.ts';
import { jsonReportSchema } from '../../scenarios/reports/json.ts';
import { FAILING, GOOD } from '../support/scenarios/short-scenarios.ts';

const TYPO = GOOD.replace('weather: cut', 'weather: cutt');

const root = fileURLToPath(new URL('../..', import.meta.url));
const home = process.cwd();
let place: string;
let output = '';

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'boxtwin-scenario-'));
  process.chdir(place);
  output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  process.chdir(home);
  rmSync(place, { recursive: true, force: true });
});

/** Runs the arguments of a `boxtwin` command line. Returns the exit code. */
async function boxtwin(...args: readonly string[]): Promise<number> {
  const program = new Command('boxtwin').exitOverride();
  addScenarioCommands(program);
  addSwarmCommand(program);
  await program.parseAsync(args, { from: 'user' });
  return Number(process.exitCode ?? 0);
}

function hashesOf(text: string): readonly string[] {
  return [...text.matchAll(/trace hash: ([0-9a-f]{64})/g)].map(([, hash = '']) => hash);
}

describe('boxtwin scenario run', () => {
  test('a passing file gives exit code 0, a failing one next to it 1, and both are reported', async () => {
    mkdirSync('roads/more', { recursive: true });
    writeFileSync('roads/b.yaml', GOOD);
    writeFileSync('roads/more/a.yaml', FAILING);
    expect(await boxtwin('scenario', 'run', 'roads/b.yaml')).toBe(0);
    const [alone] = hashesOf(output);
    output = '';
    expect(await boxtwin('scenario', 'run', 'roads')).toBe(1);
    expect(output).toContain('✓ short-cut passed');
    expect(output).toContain('✓ nothing-lost: ');
    expect(output).toContain('✗ short-cut failed');
    expect(output).toMatch(/✗ step 2 \(line \d+\) expect 1/);
    expect(output).toMatch(/repeat: npx boxtwin scenario run roads\/more\/a\.yaml --seed 7/);
    expect(output).toMatch(/2 scenarios: 1 passed, 1 failed/);
    expect(hashesOf(output)[0]).toBe(alone);
  });

  test('with annotations a failure stands at the line of its file, from the root of the repository', async () => {
    mkdirSync('roads');
    writeFileSync('roads/a.yaml', FAILING);
    vi.stubEnv('GITHUB_WORKSPACE', join(place, '..'));
    const line = FAILING.split('\n').findIndex((text) => text.includes('journal')) + 1;
    expect(await boxtwin('scenario', 'run', 'roads', '--annotations', 'github')).toBe(1);
    vi.unstubAllEnvs();
    expect(output).toContain(`\n::error file=${basename(place)}/roads/a.yaml,line=${line},col=`);
    expect(output).toMatch(/,title=short-cut%3A step 2 \(line 8\) expect 1::.*%0ARepeat: npx boxtwin/);
  });

  test('with annotations a file that cannot be read has one at each of its faults', async () => {
    writeFileSync('typo.yaml', TYPO);
    await expect(boxtwin('scenario', 'run', 'typo.yaml', '--annotations', 'github')).rejects.toMatchObject({
      exitCode: 2,
    });
    expect(output).toMatch(
      /^::error file=typo\.yaml,line=7,col=\d+,title=This scenario cannot be run::.*cutt/m,
    );
    await expect(
      boxtwin('scenario', 'run', 'typo.yaml', '--annotations', 'github', '--json'),
    ).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('--report json=FILE') });
  });

  test('a found scenario in a directory is skipped with a notice, and run if it is named', async () => {
    mkdirSync('roads/more', { recursive: true });
    const told = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const said = () => told.mock.calls.map(([text]) => String(text)).join('');
    writeFileSync('roads/a.yaml', GOOD);
    writeFileSync('roads/more/a.found.yaml', FAILING);
    expect(await boxtwin('scenario', 'run', 'roads')).toBe(0);
    expect(said()).toContain(
      'Left out, since explore or swarm found it: roads/more/a.found.yaml. Name it to run it.\n',
    );
    told.mockClear();
    expect(await boxtwin('scenario', 'run', 'roads', './roads/more/a.found.yaml')).toBe(1);
    expect(output).toMatch(/2 scenarios: 1 passed, 1 failed/);
    expect(said()).not.toContain('Left out');
    await expect(boxtwin('scenario', 'run', 'roads/more')).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(
        /no scenario .* in roads\/more, but .* name roads\/more\/a\.found\.yaml to run/,
      ),
    });
  });

  test('a typo is reported with its position and the intended word, and nothing is run', async () => {
    writeFileSync('good.yaml', GOOD);
    writeFileSync('typo.yaml', TYPO);
    const failure: unknown = await boxtwin('scenario', 'run', 'good.yaml', 'typo.yaml').catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/typo\.yaml:7:\d+: .*cutt[\s\S]*\^[\s\S]*cut/),
    });
    expect(output).toBe('');
  });

  test('if the reader of the output closes it, the remaining scenarios are not run and nothing is thrown', async () => {
    mkdirSync('roads');
    for (const name of ['a', 'b', 'c']) writeFileSync(`roads/${name}.yaml`, GOOD);
    let writes = 0;
    vi.mocked(process.stdout.write).mockImplementation(() => {
      writes += 1;
      if (writes === 1) process.stdout.emit('error', Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
      return true;
    });
    expect(await boxtwin('scenario', 'run', 'roads', '--jobs', '1', '--report', 'json=left.json')).toBe(130);
    const report = jsonReportSchema.parse(JSON.parse(readFileSync('left.json', 'utf8')));
    expect(report.scenarios).toHaveLength(1);
    expect([report.exit_code, report.not_run]).toEqual([130, 2]);
  });

  test('a directory without scenarios, an unknown world and one trace for two scenarios are refused', async () => {
    writeFileSync('one.yaml', GOOD);
    writeFileSync('two.yaml', GOOD);
    mkdirSync('empty');
    const refused = (...args: readonly string[]) => expect(boxtwin('scenario', 'run', ...args)).rejects;
    await refused('empty').toMatchObject({ exitCode: 2 });
    await refused('nowhere.yaml').toMatchObject({ exitCode: 2 });
    await refused('one.yaml', '--world', 'constructor').toMatchObject({ exitCode: 2 });
    await refused('one.yaml', 'two.yaml', '--trace', 'trace.txt').toMatchObject({ exitCode: 2 });
    await refused('no.yaml', 'one.yaml', 'nor.yaml').toMatchObject({
      message: expect.stringMatching(/no\.yaml, nor nor\.yaml/),
    });
  });

  test('a scenario is never overwritten, and if the output cannot be written nothing is run', async () => {
    writeFileSync('one.yaml', GOOD);
    for (const args of [
      ['scenario', 'run', 'one.yaml', '--report', 'html=./one.yaml'],
      ['scenario', 'run', 'one.yaml', '--trace', 'one.yaml'],
      ['scenario', 'run', 'one.yaml', '--report', 'html=r', '--report', 'json=r'],
      ['scenario', 'run', 'one.yaml', '--report', 'html=one.yaml/r'],
      ['scenario', 'explore', 'one.yaml', '--out', 'one.yaml'],
      ['scenario', 'explore', 'one.yaml', '--out', 'one.yaml/found.yaml'],
      ['scenario', 'from-trace', 'one.yaml', '--out', 'one.yaml'],
      ['scenario', 'from-trace', '.'],
      ['swarm', '--runs', '1', '--out', 'one.yaml/found.yaml'],
    ])
      await expect(boxtwin(...args), args.join(' ')).rejects.toMatchObject({ name: 'Failure', exitCode: 2 });
    expect(readFileSync('one.yaml', 'utf8')).toBe(GOOD);
    expect(output).toBe('');
  });
});

test('from-trace with an invalid trace explains what a trace is and which command writes it', async () => {
  writeFileSync('one.yaml', GOOD);
  writeFileSync('empty.ndjson', '');
  writeFileSync('report.json', '{\n}\n');
  for (const [file, command] of [
    ['one.yaml', 'run one.yaml --trace'],
    ['empty.ndjson', 'run SCENARIO --trace'],
    ['report.json', 'run SCENARIO --trace'],
  ] as const)
    await expect(boxtwin('scenario', 'from-trace', file), file).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(new RegExp(`^${file} is not a trace .*: boxtwin scenario ${command}`)),
    });
});

test('the commands of docs/running-scenarios.md do what it says', async () => {
  const page = readFileSync(join(root, 'docs/running-scenarios.md'), 'utf8');
  const commands = [...page.matchAll(/^npx boxtwin ((?:scenario|swarm) .*)$/gm)].map(
    ([, command = '']) => command,
  );
  expect(commands.length).toBeGreaterThan(3);
  mkdirSync('roads');
  writeFileSync('tunnel.yaml', GOOD);
  writeFileSync('roads/detour.yaml', GOOD);
  for (const command of commands) {
    output = '';
    expect(await boxtwin(...command.split(' '))).toBe(0);
    if (!command.includes('--json')) continue;
    const report = jsonReportSchema.parse(JSON.parse(output));
    expect(report.scenarios[0]).toMatchObject({ verdict: 'passed', seed: 8 });
  }
  for (const file of [
    'out/junit.xml',
    'out/report.html',
    'out/report.json',
    'out/trace.ndjson',
    'scenario.schema.json',
  ])
    expect(existsSync(file) && readFileSync(file, 'utf8').length, file).toBeGreaterThan(100);
});

describe('the gate between the events', () => {
  test('at a pace the trace is the same as at full speed', async () => {
    writeFileSync('good.yaml', GOOD);
    await boxtwin('scenario', 'run', 'good.yaml');
    await boxtwin('scenario', 'run', 'good.yaml', '--pace', '5000');
    const [full, paced] = hashesOf(output);
    expect(paced).toBe(full);
  });

  test('delays an event until its time on the wall clock', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    try {
      const gate = openRunGate({ pace: 10, end: new AbortController().signal });
      await gate(1_000_000);
      let isOpen = false;
      const opened = Promise.resolve(gate(1_000_500)).then(() => {
        isOpen = true;
      });
      await vi.advanceTimersByTimeAsync(49);
      expect(isOpen).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await opened;
    } finally {
      vi.useRealTimers();
    }
  });

  test('ends the run at once, also while it waits', async () => {
    const ending = new AbortController();
    const gate = openRunGate({ pace: 0.001, end: ending.signal });
    await gate(1_000);
    const waiting = gate(2_000);
    ending.abort();
    await expect(waiting).rejects.toThrow('The run was ended.');
    expect(() => gate(3_000)).toThrow('The run was ended.');
  });
});

test('a missing or invalid recorded link is reported with its position in the scenario, and its line', async () => {
  writeFileSync('train.yaml', GOOD.replace('weather: cut', 'weather: { trace: { file: link.mahi } }'));
  const failure = () => boxtwin('scenario', 'run', 'train.yaml').catch((error: unknown) => error);
  expect(await failure()).toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/train\.yaml:7:\d+: link\.mahi does not exist/),
  });
  writeFileSync('link.mahi', '1\n2\nx\n');
  expect(await failure()).toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/train\.yaml:7:\d+: link\.mahi, line 3: this is not a whole number/),
  });
  writeFileSync('link.mahi', '1\n200\n');
  expect(await boxtwin('scenario', 'run', 'train.yaml')).toBe(0);
  expect(await boxtwin('scenario', 'explore', 'train.yaml', '--runs', '1', '--seed', '1')).toBe(0);
});

test('recorded links are varied by file: each is read before the first run, and a missing one is reported', async () => {
  const scenario = GOOD.replace('weather: cut', 'weather: { trace: { file: a.mahi } }, for: 10s');
  const vary = (files: string) => `${scenario}vary:\n  steps[0].weather.trace.file: ${files}\n`;
  writeFileSync('a.mahi', '1\n200\n');
  writeFileSync('b.mahi', '1\n2\n300\n');
  writeFileSync('links.yaml', vary('[a.mahi, b.mahi]'));
  expect(await boxtwin('scenario', 'explore', 'links.yaml', '--runs', '8', '--seed', '1')).toBe(0);
  expect(output).toMatch(/\["a\.mahi","b\.mahi"\], 2 values/);
  writeFileSync('links.yaml', vary('[a.mahi, c.mahi]'));
  for (const args of [['run'], ['explore', '--runs', '2']] as const)
    await expect(boxtwin('scenario', args[0], 'links.yaml', ...args.slice(1))).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/links\.yaml:11:\d+: c\.mahi does not exist\. Name a file [\s\S]*\^/),
    });
});
