import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Coverage } from '../../scenarios/coverage/coverage.ts';
import { BREAKS } from '../../scenarios/language/steps/breaks.ts';
import { VEHICLE_ACTS } from '../../scenarios/language/steps/vehicle-acts.ts';
import { WEATHER } from '../../scenarios/language/steps/weather.ts';
import type { RunObserver } from '../../scenarios/run/options.ts';
import {
  BREAK_STRUCK,
  type StruckRow,
  WEATHER_STRUCK,
} from '../../scenarios/testbed/common/faults/struck-rows.ts';
import { struckText } from '../../scenarios/testbed/common/faults/struck-text.ts';
import { ACT_CHANGES, SO_ALREADY } from '../../scenarios/testbed/common/vehicles/act-changes.ts';
import { playScenario } from '../support/simulation/play-scenario.ts';
import { ACT_CASES, BREAK_CASES, WEATHER_CASES } from '../support/simulation/struck-cases.ts';

const ROWS: Readonly<Record<string, StruckRow>> = {
  ...WEATHER_STRUCK,
  ...Object.fromEntries(
    Object.entries(BREAK_STRUCK).flatMap(([part, rows]) =>
      Object.entries(rows).map(([name, row]): [string, StruckRow] => [`${part} ${name}`, row]),
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
      'name: struck\nabout: Whether it strikes.\nseed: 4',
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

/** How often that fault was laid, how often it was told as not struck, and how often the coverage has met it. */
async function timesOf(word: string, given: Given) {
  const name = word in WEATHER ? `weather ${word}` : word;
  const coverage = new Coverage();
  const { observer } = coverage.watch();
  let laid = 0;
  const told = await warningsOf(given, {
    ...observer,
    onFact: (fact) => {
      if (fact.kind === 'fault' && fact.name === name && fact.phase !== 'ends') laid += 1;
      observer.onFact(fact);
    },
  });
  const met = Object.values(coverage.counts().phase[name] ?? {}).reduce((sum, count) => sum + count, 0);
  return { laid, told, met };
}

test('each word has a row that says when it has struck, and scenarios that show it', () => {
  const words = [
    ...Object.keys(WEATHER),
    ...Object.entries(BREAKS).flatMap(([part, rows]) => Object.keys(rows).map((name) => `${part} ${name}`)),
  ];
  expect(new Set(Object.keys(ROWS))).toEqual(new Set(words));
  expect(new Set(Object.keys(CASES))).toEqual(new Set(words));
  expect(new Set(Object.keys(ACT_CHANGES))).toEqual(new Set(Object.keys(VEHICLE_ACTS)));
});

test('docs/scenarios.md has the tables: put struckText() there if they have changed', () => {
  const page = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8');
  expect(page).toContain(struckText());
});

describe.each(Object.entries(CASES))('%s', (word, { strikes, misses }) => {
  test('is not told where it strikes, and the coverage has met it', async () => {
    const { laid, told, met } = await timesOf(word, strikes);
    expect(told).toEqual([]);
    expect(met).toBe(laid);
  });

  test('is told where it has struck nothing, unless it strikes whenever it is there', async () => {
    if (misses === undefined) expect(ROWS[word]?.missed).toBeUndefined();
    else {
      const { laid, told, met } = await timesOf(word, misses);
      expect(told).toHaveLength(1);
      // Where the store would have to be asked, it counts from when it is laid.
      expect(met).toBe(word === 'exchange blocked' ? laid : laid - 1);
    }
  });
});

test.each(Object.entries(ACT_CHANGES).filter(([, { toldBy }]) => toldBy !== undefined))(
  'the act %s is told where it changes nothing',
  async (name) => {
    const { model = 'petrol-compact', steps = [] } = ACT_CASES[name] ?? {};
    const again = steps.at(-1) ?? '';
    const fleet = model === 'maker' ? '{ maker: northwind }' : `{ model: ${model}, driving: false }`;
    const all = [
      ...steps.map((step, index) => `{ at: ${20 + index}s, ${step} }`),
      `{ at: 30s, label: it, ${again} }`,
    ];
    expect(await warningsOf({ fleet, steps: all })).toEqual([SO_ALREADY]);
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
