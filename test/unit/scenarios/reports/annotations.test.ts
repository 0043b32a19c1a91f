import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failed } from '../../../../judge/verdict.ts';
import { readScenario } from '../../../../scenarios/language/document/read.ts';
import { reportLimits } from '../../../../scenarios/limits.ts';
import { type Annotation, annotationsOf } from '../../../../scenarios/reports/annotations.ts';
import { githubCommand } from '../../../../scenarios/reports/github-command.ts';
import type { ExpectationOutcome, RunOutcome } from '../../../../scenarios/run/outcome.ts';
import { anyPlayedScenario } from '../../../support/scenarios/any-outcome.ts';

const TEXT = `name: tunnel
about: Two cars lose coverage.
fleet:
  - { count: 2, model: petrol-compact }
steps:
  - at: 5s
    weather: cut
  - label: asked
    call: { command: unlock-central-lock }
    expect:
      - status: 504
      - problem: /problems/vehicle/no-connection
    never: { connected: true }
always:
  - nothing-lost
  - order-per-box
`;
const START_MS = 1_000_000;

function played(changes: Partial<RunOutcome>, text = TEXT) {
  const read = readScenario(text, 'roads/tunnel.yaml');
  if (!read.ok) throw new Error(read.problems[0]?.message);
  const outcome: RunOutcome = {
    scenario: read.scenario,
    world: 'virtual',
    seed: 7,
    verdict: 'failed',
    startMs: START_MS,
    endMs: START_MS + 60_000,
    expectations: [],
    checkers: [],
    warnings: [],
    warningsDropped: 0,
    facts: [],
    factsDropped: 0,
    vehicles: [],
    ...changes,
  };
  return { file: 'roads/tunnel.yaml', outcome, wallMs: 1, repeat: 'npx boxtwin scenario run tunnel.yaml' };
}

const unmet = (expectation: number, more: Partial<ExpectationOutcome> = {}): ExpectationOutcome => ({
  step: 1,
  label: 'asked',
  expectation,
  isNever: false,
  atMs: START_MS + 30_000,
  ...failed('status is 200, expected 504'),
  ...more,
});

const linesOf = (changes: Partial<RunOutcome>, text = TEXT) =>
  annotationsOf(played(changes, text), text).map(
    ({ level, place }) => `${level} ${place?.line}:${place?.column}`,
  );

describe('annotations', () => {
  test('an expectation that was not met stands at its line, once for all vehicles', () => {
    const expectations = [unmet(1, { vehicle: 1 }), unmet(1, { vehicle: 2 })];
    const all = annotationsOf(played({ expectations }), TEXT);
    expect(all).toEqual([
      {
        level: 'error',
        place: { file: 'roads/tunnel.yaml', line: 12, column: 9 },
        title: 'tunnel: step 2 "asked" (line 8) expect 2',
        message:
          '0:00:30.000 vehicle 1: status is 200, expected 504\n0:00:30.000 vehicle 2: status is 200, expected 504\nRepeat: npx boxtwin scenario run tunnel.yaml',
      },
    ]);
  });

  test('what came and never should have stands at its line, also where it is no list', () => {
    expect(linesOf({ expectations: [unmet(2, { isNever: true })] })).toEqual(['error 13:12']);
  });

  test('a checker that found something stands at its name, or at the word that stands for all of them', () => {
    const verdict = failed('2 records', 'record 7 came after record 9');
    const checkers = [{ checker: 'order-per-box', ...verdict }] as const;
    expect(linesOf({ checkers })).toEqual(['error 16:5']);
    const every = TEXT.replace(/always:[\s\S]*/, 'always: all\n');
    expect(linesOf({ checkers }, every)).toEqual(['error 14:9']);
  });

  test('a step that did not do what it says is a warning, and an error where the scenario is strict', () => {
    const warnings = [{ step: 0, atMs: START_MS, text: 'there was no connection to cut' }];
    expect(linesOf({ verdict: 'passed', warnings })).toEqual(['warning 6:5']);
    expect(linesOf({ warnings }, TEXT.replace('about:', 'strict: true\nabout:'))).toEqual(['error 7:5']);
  });

  test('a run that got stuck stands at the name of the scenario', () => {
    expect(linesOf({ verdict: 'stuck', reason: 'nothing was left to happen' })).toEqual(['error 1:1']);
  });

  test('a run that passed has none', () => {
    expect(
      annotationsOf(played({ verdict: 'passed', expectations: [unmet(0, { result: 'passed' })] }), TEXT),
    ).toEqual([]);
  });

  test('a scenario from standard input has no place, since nobody can open it', () => {
    const [one] = annotationsOf({ ...played({ expectations: [unmet(0)] }), file: '-' }, TEXT);
    expect(one).not.toHaveProperty('place');
  });

  test('are no more than are shown, and the last one counts the rest', () => {
    const expectations = Array.from({ length: reportLimits.annotations + 3 }, (_, index) => unmet(index));
    const all = annotationsOf(played({ expectations }), TEXT);
    expect(all).toHaveLength(reportLimits.annotations);
    expect(all.at(-1)?.message).toMatch(/\n3 more went wrong/);
  });

  test('exist for any outcome, within the file', () => {
    fc.assert(
      fc.property(anyPlayedScenario, (one) => {
        for (const { place } of annotationsOf(one, TEXT)) {
          expect(place?.line).toBeGreaterThanOrEqual(1);
          expect(place?.line).toBeLessThanOrEqual(TEXT.split('\n').length);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('a line for GitHub Actions', () => {
  test('has its place and what is told', () => {
    const place = { file: 'a.yaml', line: 3, column: 5 };
    expect(githubCommand({ level: 'error', place, title: 'a: b', message: '100 %\nis: much, much' })).toBe(
      '::error file=a.yaml,line=3,col=5,title=a%3A b::100 %25%0Ais: much, much',
    );
  });

  test('is one line that reads back as what was told, whatever that is', () => {
    const word = fc.string({ unit: fc.constantFrom('a', ':', ',', '%', '\n', '\r', '=', '::', '%0A', 'é') });
    fc.assert(
      fc.property(word, word, word, fc.nat(), (file, title, message, line) => {
        const given: Annotation = { level: 'warning', place: { file, line, column: 1 }, title, message };
        const text = githubCommand(given);
        expect(text).not.toMatch(/[\r\n]/);
        expect(readBack(text)).toEqual({ file, line: `${line}`, col: '1', title, message });
      }),
    );
  });
});

/** As a runner reads it: properties end at commas, the message begins behind the second pair of colons. */
function readBack(line: string): unknown {
  const [, properties = '', message = ''] = /^::warning (.*?)::(.*)$/.exec(line) ?? [];
  const plain = (text: string) =>
    text.replaceAll(/%(0D|0A|3A|2C|25)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const pairs = properties.split(',').map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), plain(pair.slice(at + 1))];
  });
  return { ...Object.fromEntries(pairs), message: plain(message) };
}
