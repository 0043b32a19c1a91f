import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printProblem, type ReadResult } from '../../../../../scenarios/language/document/problem.ts';
import { readScenario } from '../../../../../scenarios/language/document/read.ts';
import { languageLimits } from '../../../../../scenarios/limits.ts';
import { TUNNEL } from '../../../../support/scenarios/tunnel-example.ts';

const read = (text: string): ReadResult => readScenario(text, 'tunnel.yaml');

/** What is said about the tunnel with that text in another's place: `line:column message | hint`. */
function saidAbout(from: string, to: string): readonly string[] {
  expect(TUNNEL).toContain(from);
  const reading = read(TUNNEL.replace(from, to));
  if (reading.ok) return [];
  return reading.problems.map(
    ({ line, column, message, hint }) =>
      `${line}:${column} ${message}${hint === undefined ? '' : ` | ${hint}`}`,
  );
}

describe('reading a scenario', () => {
  it('reads the tunnel example, with durations in milliseconds and every default', () => {
    const reading = read(TUNNEL);
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const { scenario } = reading;
    expect(scenario.steps[1]).toEqual({
      when: { atMs: 120_000 },
      forMs: 90_000,
      on: { pick: 'all' },
      does: { kind: 'weather', weather: { name: 'coverage', settings: 'none' } },
      expect: [],
      never: [],
      withinMs: 30_000,
    });
    expect(scenario.steps[3]).toMatchObject({
      when: { afterAll: true, delayMs: 0 },
      expect: [{ kind: 'message', message: 'VehicleStateReceived', with: { occurred_during: 'weather' } }],
      withinMs: 60_000,
    });
    expect(scenario.fleet[0]).toMatchObject({ as: 'fleet-0', count: 3, firmware: '2.31', features: 'demo' });
    expect(scenario.vary[0]?.values).toEqual({ kind: 'span', fromMs: 60_000, toMs: 600_000, grainMs: 1_000 });
    expect(scenario.limits).toEqual({ healMs: languageLimits.usualHealMs });
  });

  it.each([
    [
      'coverage: none',
      'coverge: none',
      '8:26 There is no "coverge" in step 2 (line 8) weather. | Did you mean coverage?',
    ],
    [
      'weather: { coverage: none }',
      'weather: half-open',
      '8:24 There is no "half-open" in step 2 (line 8) weather. | Did you mean half_open?',
    ],
    ['for: 90s', 'fro: 90s', '8:44 There is no "fro" in step 2 (line 8). | Did you mean for?'],
    ['seed: 7', 'sed: 7', '3:1 There is no "sed" in a scenario. | Did you mean seed?'],
    [
      'city-loop',
      'city-lop',
      '7:31 step 1 (line 7) drive.route cannot be "city-lop". | Did you mean city-loop?',
    ],
    [
      'VehicleStateReceived',
      'VehicleStateRecieved',
      '12:39 step 4 (line 12) expect.message cannot be "VehicleStateRecieved". | Did you mean VehicleStateReceived?',
    ],
    [
      'at: 0s',
      'at: 0',
      '7:11 step 1 (line 7) at should be a span of time such as 90s, 2m30s, 12h or 1d; found 0. | Write its unit, as in 0s.',
    ],
    [
      '"2.31"',
      '2.31',
      '5:50 fleet[0].firmware should be a firmware in quotes, "2.10" to "2.40"; found 2.31. | Write it in quotes.',
    ],
    [
      'call: { command: unlock-central-lock }',
      'call: { command: draw-attention, as: prtner }',
      '10:42 There is no client "prtner". | Did you mean partner?',
    ],
    [
      'steps[1].for',
      'steps[9].for',
      '15:3 steps has no [9]: there are [0] to [3]. | Only what the file says can be varied: write it there first.',
    ],
    [
      'steps[1].for',
      'steps[1].fro',
      '15:3 steps[1] has no fro: there are at, weather, for. | Only what the file says can be varied: write it there first.',
    ],
    [
      '1m..10m',
      '10m..1s',
      '15:17 "10m..1s" is not a range. | A range goes from its least to its greatest value, such as 1s..10m, 1..5 or 0.1..0.9; choices are a list.',
    ],
    [
      '"2.40"]',
      '"9.9"]',
      '16:47 With "9.9": fleet[0].firmware should be a firmware in quotes, "2.10" to "2.40"; found the text "9.9".',
    ],
    [
      'at: 0s, drive',
      'at: 0s, park: , drive',
      '7:23 A step does one thing, and this one has park already. Make a separate step for drive.',
    ],
    [
      'at: 0s, drive',
      'at: 0s, for: 3s, drive',
      '7:20 What this step does is over at once, so that nothing can end. | Leave `for` out.',
    ],
    [
      'weather: { coverage: none }',
      'after: darkness, weather: cut',
      '8:15 A step begins at a time, or after another one: not both.',
    ],
    ['{ status: 504,', '{ count: 3, status: 504,', '11:15 `count` goes with `message`, which is not there.'],
    ['seed: 7', 'seed: *there', '3:7 The alias *there has no anchor: there is no &there before it.'],
  ])('says of %s as %s where and what', (from, to, said) => {
    expect(saidAbout(from, to)[0]).toBe(said);
  });

  it('reports all errors at once, in the order of the file', () => {
    const text = TUNNEL.replace('seed: 7', 'sed: 7')
      .replace('coverage:', 'coverge:')
      .replace('-lock }', '-lok }');
    const reading = read(text);
    expect(reading.ok ? [] : reading.problems.map(({ line }) => line)).toEqual([3, 8, 10]);
  });

  it('prints a problem with its line and a caret below it', () => {
    const text = TUNNEL.replace('coverage:', 'coverge:');
    const reading = read(text);
    const [problem] = reading.ok ? [] : reading.problems;
    expect(problem && printProblem(problem, text)).toBe(
      [
        'tunnel.yaml:8:26: There is no "coverge" in step 2 (line 8) weather.',
        '    - { at: 2m, weather: { coverge: none }, for: 90s }',
        '                           ^',
        '  Did you mean coverage?',
      ].join('\n'),
    );
  });

  it('limits aliases, nesting and size, and answers at once', () => {
    const bomb = [
      'a: &a0 [x]',
      ...Array.from({ length: 9 }, (_, n) => `b${n}: &a${n + 1} [${`*a${n},`.repeat(9)}]`),
    ];
    const texts = [
      bomb.join('\n'),
      'a: &a [*a]',
      '['.repeat(100_000),
      '- '.repeat(50_000),
      'x'.repeat(languageLimits.characters + 1),
    ];
    for (const text of texts) expect(read(text).ok).toBe(false);
  });

  it('reads or refuses any text, and never throws', () => {
    const spoiled = fc
      .tuple(fc.nat(TUNNEL.length), fc.nat(12), fc.string({ maxLength: 8 }))
      .map(([at, cut, put]) => TUNNEL.slice(0, at) + put + TUNNEL.slice(at + cut));
    fc.assert(
      fc.property(fc.oneof(fc.string(), spoiled, fc.json()), (text) => {
        const reading = read(text);
        if (reading.ok) return;
        expect(reading.problems.length).toBeGreaterThan(0);
        for (const problem of reading.problems) {
          expect(problem.line).toBeGreaterThan(0);
          expect(problem.column).toBeGreaterThan(0);
          expect(printProblem(problem, text)).toContain('tunnel.yaml:');
        }
      }),
      { numRuns: 60 },
    );
  });
});
