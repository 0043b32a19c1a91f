import { describe, expect, test } from 'vitest';
import { Coverage } from '../../scenarios/coverage/coverage.ts';
import { BREAKS } from '../../scenarios/language/steps/breaks.ts';
import { type ActName, VEHICLE_ACTS } from '../../scenarios/language/steps/vehicle-acts.ts';
import { WEATHER } from '../../scenarios/language/steps/weather.ts';
import type { RunObserver } from '../../scenarios/run/options.ts';
import {
  BREAK_EFFECTS,
  type EffectRow,
  WEATHER_EFFECTS,
} from '../../scenarios/testbed/common/faults/effect-rows.ts';
import { NO_CHANGE } from '../../scenarios/testbed/common/vehicles/act-changes.ts';
import { ACT_CASES, BREAK_CASES, WEATHER_CASES } from '../support/simulation/effect-cases.ts';
import { playScenario } from '../support/simulation/play-scenario.ts';

const ROWS: Readonly<Record<string, EffectRow>> = {
  ...WEATHER_EFFECTS,
  ...Object.fromEntries(
    Object.entries(BREAK_EFFECTS).flatMap(([part, rows]) =>
      Object.entries(rows).map(([name, row]): [string, EffectRow] => [`${part} ${name}`, row]),
    ),
  ),
};
const CASES = { ...WEATHER_CASES, ...BREAK_CASES };
const QUIET = '{ model: petrol-compact, firmware: "2.31", sim: meridian, driving: false }';

interface Given {
  readonly fleet?: string;
  readonly backends?: number;
  readonly steps: readonly string[];
}

/** The warnings of the step with the label `it`. */
async function warningsOf(given: Given, observer?: RunObserver): Promise<readonly string[]> {
  const { fleet = QUIET, backends, steps } = given;
  const { verdict, warnings } = await playScenario(
    [
      'name: effect\nabout: Whether it has an effect.\nseed: 4',
      ...(backends === undefined ? [] : [`backends: ${backends}`]),
      `fleet: [${fleet}]`,
      'steps:',
      ...steps.map((step) => `  - ${step}`),
    ].join('\n'),
    observer === undefined ? {} : { observer },
  );
  expect(verdict).toBe('passed');
  return warnings.flatMap(({ label, text }) => (label === 'it' ? [text] : []));
}

/** How often that fault was applied, how often a warning said that it had no effect, and how often coverage counted it. */
async function timesOf(word: string, given: Given) {
  const name = word in WEATHER ? `weather ${word}` : word;
  const coverage = new Coverage();
  const { observer } = coverage.watch();
  let applied = 0;
  const warned = await warningsOf(given, {
    ...observer,
    onFact: (fact) => {
      if (fact.kind === 'fault' && fact.name === name && fact.phase !== 'ends') applied += 1;
      observer.onFact(fact);
    },
  });
  const met = Object.values(coverage.counts().phase[name] ?? {}).reduce((sum, count) => sum + count, 0);
  return { applied, warned, met };
}

test('each word has a row that says when it has an effect, and scenarios that show it', () => {
  const words = [
    ...Object.keys(WEATHER),
    ...Object.entries(BREAKS).flatMap(([part, rows]) => Object.keys(rows).map((name) => `${part} ${name}`)),
  ];
  expect(new Set(Object.keys(ROWS))).toEqual(new Set(words));
  expect(new Set(Object.keys(CASES))).toEqual(new Set(words));
});

describe.each(Object.entries(CASES))('%s', (word, { effect, misses }) => {
  test('gets no warning where it has an effect, and coverage counts it', async () => {
    const { applied, warned, met } = await timesOf(word, effect);
    expect(warned).toEqual([]);
    expect(met).toBe(applied);
  });

  test('gets a warning where it has no effect, unless it always has one', async () => {
    if (misses === undefined) expect(ROWS[word]?.missed).toBeUndefined();
    else {
      const { applied, warned, met } = await timesOf(word, misses);
      expect(warned).toHaveLength(1);
      // Where the store would have to be asked, it counts from when it is applied.
      expect(met).toBe(word === 'exchange blocked' ? applied : applied - 1);
    }
  });
});

test.each(Object.entries(VEHICLE_ACTS).filter(([, { change }]) => change.shownBy !== undefined))(
  'the act %s is told where it changes nothing',
  async (name) => {
    const { model = 'petrol-compact', steps = [] } = ACT_CASES[name as ActName] ?? {};
    const again = steps.at(-1) ?? '';
    const fleet = model === 'maker' ? '{ maker: northwind }' : `{ model: ${model}, driving: false }`;
    const all = [
      ...steps.map((step, index) => `{ at: ${20 + index}s, ${step} }`),
      `{ at: 30s, label: it, ${again} }`,
    ];
    expect(await warningsOf({ fleet, steps: all })).toEqual([NO_CHANGE]);
  },
);

test.each([
  ['close: windows', 'convertible', ['open: windows']],
  ['drive: {}', 'petrol-compact', ['drive: {}']],
  ['park: {}', 'petrol-compact', ['ignition: { on: true }']],
  ['workshop: {}', 'petrol-compact', ['wear: { what: oil, to: 40 }']],
  ['firmware: { version: "2.31" }', 'petrol-compact', ['firmware: { version: "2.23" }']],
  // Nobody sits there, and the lever stands in PARK: it shows once somebody drives.
  ['belts: { seat: front_left, fastened: false }', 'convertible', ['park: {}']],
  ['gear: { position: NEUTRAL }', 'convertible', ['park: {}']],
])('the act %s is not told where it changes something, or is no change', async (act, model, before) => {
  const steps = [...before.map((one) => `{ at: 20s, ${one} }`), `{ at: 30s, label: it, ${act} }`];
  const fleet = `{ model: ${model}, driving: ${act.startsWith('drive')} }`;
  expect(await warningsOf({ fleet, steps })).toEqual([]);
});

test("a door of a maker's car is opened, and its windows cannot be", async () => {
  const fleet = '{ maker: northwind }';
  expect(await warningsOf({ fleet, steps: ['{ at: 30s, label: it, open: door }'] })).toEqual([]);
  expect(await warningsOf({ fleet, steps: ['{ at: 30s, label: it, open: windows }'] })).toEqual([
    expect.stringMatching(/^refused: A vehicle of the model .* cannot open\.$/),
  ]);
});

describe('a call that the service refuses', () => {
  const call = 'call: { unsubscribe: night }';

  test('is told', async () => {
    expect(await warningsOf({ steps: [`{ at: 20s, label: it, ${call} }`] })).toEqual([
      'refused: 404 /problems/resource-not-found',
    ]);
  });

  test('is not told where its answer is expected, by the step or by another one', async () => {
    expect(await warningsOf({ steps: [`{ at: 20s, label: it, ${call}, expect: { status: 404 } }`] })).toEqual(
      [],
    );
    const another = '{ after: it, expect: { status: 404, of: it } }';
    expect(await warningsOf({ steps: [`{ at: 20s, label: it, ${call} }`, another] })).toEqual([]);
  });
});
