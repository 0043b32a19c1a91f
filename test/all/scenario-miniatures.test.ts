import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { runReal } from '../../deployment/testbed/run-real.ts';
import { readScenario } from '../../scenarios/language/document/read.ts';
import type { Scenario, StepAction } from '../../scenarios/language/document/scenario.ts';
import { CRASH_POINTS } from '../../scenarios/language/steps/backend-breaks.ts';
import { BREAKS } from '../../scenarios/language/steps/breaks.ts';
import { CALLS } from '../../scenarios/language/steps/calls.ts';
import { WEATHER } from '../../scenarios/language/steps/weather.ts';
import { exitCodeOf } from '../../scenarios/reports/played-scenario.ts';
import type { RunOutcome } from '../../scenarios/run/outcome.ts';
import { runCommand } from '../support/sockets/up-process.ts';

// Generous: what is waited for comes in seconds, and later on a machine that is busy.
const MOST_MS = 150_000;

const place = fileURLToPath(new URL('../sockets/miniatures/', import.meta.url));
const MINIATURES = readdirSync(place).map((file) => read(readFileSync(join(place, file), 'utf8'), file));
const deeds = MINIATURES.flatMap(({ steps }) =>
  steps.flatMap(({ does }) => (does === undefined ? [] : [does])),
);

/** The database takes ten minutes for a call, so that an answer takes longer than the limit of a run. */
const STUCK = `
name: stuck
about: A call is not answered before the run has to be over.
seed: 7
fleet: [{ model: petrol-compact, firmware: "2.31", driving: false, features: none }]
steps:
  - { at: 0s, within: 0s, break: { store: { slow: { by: 10m } } }, expect: { connected: true } }
  - { at: 500ms, within: 0s, call: { get: "/vehicles/{vehicle}" }, never: { status: 200 } }
limits: { heal: 1s }
`;

/** All at once: they wait for clocks, and hardly for one another. */
const played = new Map(MINIATURES.map((scenario) => [scenario.name, runReal(scenario)] as const));
const stuck = runReal(read(STUCK, 'stuck.yaml'), {}, { slackMs: 15_000 });
for (const outcome of [...played.values(), stuck]) outcome.catch(() => undefined);
afterAll(() => Promise.allSettled([...played.values(), stuck]), MOST_MS);

describe('over sockets', () => {
  test.each([...played.keys()])(
    '%s runs as written, and no checker finds anything',
    {
      timeout: MOST_MS,
    },
    async (name) => {
      expect(told(await played.get(name))).toEqual({ verdict: 'passed', wrong: [] });
    },
  );

  test('the service crashes at each crash point', { timeout: MOST_MS }, async () => {
    const { facts } = (await played.get('miniature-crashes')) ?? { facts: [] };
    const deaths = facts.flatMap((fact) =>
      fact.kind === 'service' && fact.state === 'down' ? [fact.reason] : [],
    );
    for (const point of Object.keys(CRASH_POINTS)) expect(deaths).toContain(`it crashed: ${point}`);
  });

  test('every word supported in the real world is in some miniature', () => {
    const used = new Set(deeds.map(wordOf));
    const unused = [...words()].flatMap(([word, isReal]) => (isReal && !used.has(word) ? [word] : []));
    expect(unused).toEqual([]);
  });

  test('a word that is not supported in the real world is refused before anything starts, with its position and the reason', async () => {
    const absent = [...words()].flatMap(([word, isReal]) => (isReal ? [] : [word]));
    expect(absent).toEqual([
      'box torn-write',
      'broker no-majority',
      'exchange queue-deleted',
      'backend pause',
      'backend cut_off',
      'backend wake_ups_lost',
      'backend wake_ups_late',
    ]);
    const text = STUCK.replace('{ store: { slow: { by: 10m } } }', '{ box: torn-write }');
    await expect(runReal(read(text, 'torn.yaml'))).rejects.toThrow(
      /step 1 \(line 7\): break: box torn-write is not in the real world\. Over sockets/,
    );
  });

  test('the command runs no file and ends with 2 if one of them has such a word', {
    timeout: MOST_MS,
  }, async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'boxtwin-refused-'));
    try {
      const file = join(scratch, 'refused.yaml');
      writeFileSync(
        file,
        STUCK.replace('{ store: { slow: { by: 10m } } }', '{ box: watchdog }').replace(
          'steps:',
          'steps:\n  - { at: 0s, break: { box: torn-write } }',
        ),
      );
      const ended = await runCommand(['scenario', 'run', join(place, 'store.yaml'), file, '--world', 'real']);
      expect([ended.code, ended.output]).toEqual([2, '']);
      expect(ended.errors).toMatch(
        /refused\.yaml: step 1 \(line 7\): break: box torn-write is not in the real world\. Over sockets/,
      );
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });

  test('a run that does not end is reported as stuck, with what it waits for, and is closed anyway', {
    timeout: MOST_MS,
  }, async () => {
    const outcome = await stuck;
    expect(outcome.verdict).toBe('stuck');
    expect(outcome.reason).toMatch(
      /^It has taken \d+ s and is not over\. .*a call: GET \/vehicles\/\w+ is not answered/,
    );
    expect(exitCodeOf([{ file: 'stuck.yaml', outcome, wallMs: 0, repeat: '' }])).toBe(3);
  });
});

function read(text: string, file: string): Scenario {
  const reading = readScenario(text, file);
  if (!reading.ok) throw new Error(`${file}: ${JSON.stringify(reading.problems)}`);
  return reading.scenario;
}

/** Words of weather, breaks and calls, and whether they are in the real world. */
function* words(): Generator<readonly [word: string, isReal: boolean]> {
  for (const [name, row] of Object.entries(WEATHER)) yield [`weather ${name}`, row.worlds.real];
  for (const [part, rows] of Object.entries(BREAKS))
    for (const [name, row] of Object.entries(rows)) yield [`${part} ${name}`, row.worlds.real];
  for (const [name, row] of Object.entries(CALLS)) yield [`call ${name}`, row.worlds.real];
}

function wordOf(does: StepAction): string {
  switch (does.kind) {
    case 'weather':
      return `weather ${does.weather.name}`;
    case 'break':
      return `${does.break.part} ${does.break.name}`;
    case 'call':
      return `call ${does.call.name}`;
    case 'vehicle':
      return `act ${does.act.name}`;
    default:
      return does satisfies never;
  }
}

/** The verdict and all findings of the run. */
function told(outcome: RunOutcome | undefined) {
  const { verdict, reason, expectations = [], checkers = [], warnings = [] } = outcome ?? {};
  return {
    verdict,
    wrong: [
      ...(reason === undefined ? [] : [reason]),
      ...expectations.flatMap(({ result, step, text }) =>
        result === 'passed' ? [] : [`step ${step}: ${text}`],
      ),
      // A strict scenario fails by a fault without effect.
      ...warnings.map(({ step, text }) => `step ${step}: ${text}`),
      ...checkers.flatMap(({ checker, findings }) => findings.map(({ text }) => `${checker}: ${text}`)),
    ],
  };
}
