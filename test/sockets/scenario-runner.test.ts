import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ScenarioRun } from '../../console/stream/scenarios.ts';
import { scenarioChecks } from '../../deployment/console/scenario-checks.ts';
import { scenarioRunner } from '../../deployment/console/scenario-runner.ts';
import { Disposables } from '../../deployment/shared/disposables.ts';
import { runScenario } from '../../library/scenario.ts';
import { waitUntil } from '../support/run/external-services.ts';

let data: string;
let disposables: Disposables;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'boxtwin-runner-'));
  disposables = new Disposables();
});
afterEach(async () => {
  await disposables.close();
  rmSync(data, { recursive: true, force: true });
});

/** The run of a scenario with these lines below its name, once it has ended. */
async function ended(lines: string, runMs?: number): Promise<ScenarioRun | undefined> {
  const runner = await scenarioRunner(data, disposables, runMs);
  const run = await runner.run(`name: a\nabout: A run.\n${lines}\n`);
  let last = run;
  await waitUntil(async () => {
    last = await runner.runOf(run?.id ?? '');
    return last?.state === 'ended';
  });
  return last;
}

test('a scenario that is sent to the console plays files of its runner, and none that is elsewhere', async () => {
  mkdirSync(join(data, 'scenarios'));
  writeFileSync(join(data, 'secret'), 'secretword\n');
  symlinkSync(join(data, 'secret'), join(data, 'scenarios', 'link.mahi'));
  const play = (file: string) =>
    ended(`fleet: [{ count: 1 }]\nsteps: [{ weather: { trace: { file: ${file} } }, for: 10s }]`);
  for (const [file, reason] of [
    ['link.mahi', 'does not exist'],
    ['/etc/passwd', 'is outside the folder'],
    [join(data, 'secret'), 'is outside the folder'],
  ] as const) {
    const run = await play(file);
    expect(run).toMatchObject({ verdict: 'refused', report: expect.stringContaining(reason) });
    expect(run?.report).not.toMatch(/secretword|root:/);
  }
  expect(await play('train.mahi')).toMatchObject({ verdict: 'passed' });
});

test('a run of the console that takes too long is killed, however busy it is', async () => {
  const run = await ended('fleet: [{ count: 500 }]\nsteps: [{ at: 30d, park: }]', 2_500);
  expect(run?.report).toContain('It took too long, and was ended.');
  expect(run?.verdict).toBe('crashed');
});

test('runs that cannot begin, as with a full disk, leave room for later ones', async () => {
  vi.stubEnv('TMPDIR', data);
  try {
    const runner = await scenarioRunner(join(data, 'data'), disposables);
    const [name = ''] = readdirSync(data);
    // Nothing can be written where the runs are kept.
    renameSync(join(data, name), join(data, 'away'));
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(runner.run('name: one')).rejects.toThrow('ENOENT');
    renameSync(join(data, 'away'), join(data, name));
    expect(await runner.run('name: one')).toMatchObject({ state: 'running' });
  } finally {
    vi.unstubAllEnvs();
  }
});

/** Neither is decided when it is matched against the queues that there are: each alone takes more than half a second. */
const ENDLESS = Array.from(
  { length: 300 },
  (_, index) =>
    `  - { at: 1s, never: { message: VehicleStateReceived, with: { queue: { like: "(\\\\w|\\\\w|\\\\w|-)+${index}!" } } } }`,
);
const HEAD = 'name: a\nabout: A check.\nfleet: [{ count: 1 }]\nsteps:\n';

test('a scenario is checked beside the event loop: what else there is to do is done meanwhile', async () => {
  const runner = await scenarioRunner(data, disposables);
  let turns = 0;
  let isChecked = false;
  const turn = (): void => {
    turns += 1;
    if (!isChecked) setImmediate(turn);
  };
  setImmediate(turn);
  const steps = Array.from({ length: 499 }, () => '  - { at: 1s, covrage: none }').join('\n');
  const mistakes = await runner.check(`${HEAD}${steps}\n`);
  isChecked = true;
  expect(mistakes[0]).toMatchObject({ line: 5, text: expect.stringContaining('covrage') });
  expect(turns).toBeGreaterThan(10);
});

test('a check that takes too long is ended and says so, and the next one is answered', async () => {
  const checks = scenarioChecks(4_000);
  await disposables.add(() => checks.close());
  expect(await checks.mistakesIn(`${HEAD}${ENDLESS.join('\n')}\n`)).toEqual([
    { line: 1, column: 1, text: expect.stringMatching(/took more than 4 s and was ended/) },
  ]);
  expect(await checks.mistakesIn(`${HEAD}  - { at: 1s, park: {} }\n`)).toEqual([]);
});

test('checks behind a slow one wait for it, have their own time, and are not ended with it', async () => {
  const checks = scenarioChecks(2_000);
  await disposables.add(() => checks.close());
  const good = `${HEAD}  - { at: 1s, park: {} }\n`;
  const slow = `${HEAD}${ENDLESS.join('\n')}\n`;
  await checks.mistakesIn(good);
  const beganMs = performance.now();
  const [first, second, third] = await Promise.all([slow, slow, good].map((text) => checks.mistakesIn(text)));
  const ended = [{ line: 1, column: 1, text: expect.stringMatching(/took more than 2 s and was ended/) }];
  expect([first, second, third]).toEqual([ended, ended, []]);
  expect(performance.now() - beganMs).toBeGreaterThanOrEqual(3_900);
});

test('checks that have been closed start no thread any more', async () => {
  const checks = scenarioChecks(60_000);
  const slow = `${HEAD}${ENDLESS.join('\n')}\n`;
  const good = `${HEAD}  - { at: 1s, park: {} }\n`;
  await checks.mistakesIn(good);
  const running = checks.mistakesIn(slow);
  const waiting = checks.mistakesIn(good);
  setImmediate(() => checks.close());
  const closed = [{ line: 1, column: 1, text: expect.stringMatching(/the console ends/) }];
  expect([await running, await waiting, await checks.mistakesIn(good)]).toEqual([closed, closed, closed]);
});

test('an expression that does not come to an end crashes the run that needs it, and says which one it is', async () => {
  const story = `${HEAD}  - { at: 1m, weather: { coverage: none }, for: 20m }
  - { at: 5m, call: { command: lock-central-lock }, expect: { body: { detail: { like: "(.|.|.)+@" } } } }
`;
  const { verdict, report } = await runScenario(story);
  expect(verdict).toBe('crashed');
  expect(report).toMatch(/The expression "\(\.\|\.\|\.\)\+@" takes too long on a text of \d+ characters/);
});
