import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument, readScenario } from '../../../../../scenarios/language/document/read.ts';
import { applyDraw, type RandomSource } from '../../../../../scenarios/language/vary/draw.ts';
import {
  countOf,
  type DrawnValues,
  printVaried,
  type Variation,
  variedValue,
  variedValues,
} from '../../../../../scenarios/language/vary/vary.ts';
import { seededRandom } from '../../../../../world/random/seeded-random.ts';
import { TUNNEL } from '../../../../support/scenarios/tunnel-example.ts';

function tunnel() {
  const reading = readScenario(TUNNEL, 'tunnel.yaml');
  if (!reading.ok) throw new Error('The tunnel cannot be read.');
  return reading;
}

describe('drawing what a scenario varies', () => {
  it('inserts the drawn values and leaves nothing to vary', () => {
    const { document } = tunnel();
    const drawn = applyDraw(document, { 'steps[1].for': '5m', 'fleet[0].firmware': '2.10' });
    const checked = drawn.ok ? readDocument(drawn.document) : undefined;
    expect(checked?.ok === true && checked.scenario).toMatchObject({
      vary: [],
      fleet: [{ firmware: '2.10' }],
      steps: [{}, { forMs: 300_000 }, {}, {}],
    });
    expect(document['vary']).toBeDefined();
  });

  it('draws only scenarios that can be read, equal for equal seeds', () => {
    const { document, scenario } = tunnel();
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const draw = () => drawVariations(scenario.vary, seededRandom(seed).stream('vary'));
        expect(draw()).toEqual(draw());
        const drawn = applyDraw(document, draw());
        expect(drawn.ok && readDocument(drawn.document).ok).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  it.each([
    ['1s..3s', 3],
    ['1s0ms..3s', 2_001],
    ['1.5s..3s', 1_501],
    ['0s..1m', 61],
  ])('draws %s in the grain that its ends are written in: %i values', (text, count) => {
    const values = variedValues(text);
    expect(values && countOf(values)).toBe(count);
    expect(values && variedValues(printVaried(values))).toEqual(values);
  });

  it('names the alternatives for an invalid path', () => {
    const { document } = tunnel();
    const drawn = applyDraw(document, { 'steps[1].weather.covrage': 'poor', 'steps[none].for': '1s' });
    expect(drawn).toEqual({
      ok: false,
      problems: [
        'steps[1].weather has no covrage: there are coverage.',
        'steps has no [none]: there are [0] to [3].',
      ],
    });
  });

  it('finds a step by its label and a group by its name', () => {
    const document = { fleet: [{ as: 'cars', count: 1 }], steps: [{ label: 'dark', for: '1s' }] };
    const drawn = applyDraw(document, { 'steps[dark].for': '2s', 'fleet[cars].count': 5 });
    expect(drawn.ok && drawn.document).toEqual({
      fleet: [{ as: 'cars', count: 5 }],
      steps: [{ label: 'dark', for: '2s' }],
    });
  });

  it.each([
    ['1s..10s', 10, '1s', '10s'],
    ['0s..5ms', 6, '0s', '5ms'],
    ['1..5', 5, 1, 5],
    ['0.1..0.9', 1_001, 0.1, 0.9],
    [['a', { b: 1 }], 2, 'a', { b: 1 }],
  ])('knows the values of %j from the first to the last', (given, count, first, last) => {
    const values = variedValues(given);
    if (values === undefined) throw new Error('no values');
    expect(countOf(values)).toBe(count);
    expect([variedValue(values, 0), variedValue(values, count - 1)]).toEqual([first, last]);
  });
});

/** Draws a value for each variation, in their order. */
function drawVariations(vary: readonly Variation[], source: RandomSource): DrawnValues {
  return Object.fromEntries(
    vary.map(({ path, values }) => [path, variedValue(values, source.whole(0, countOf(values) - 1))]),
  );
}
