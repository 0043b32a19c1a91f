import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { scenarioJsonSchema } from '../../../../../scenarios/language/document/json-schema.ts';
import { readDocument, readScenario } from '../../../../../scenarios/language/document/read.ts';
import type { WordTable } from '../../../../../scenarios/language/document/word-row.ts';
import { EXPECTATIONS } from '../../../../../scenarios/language/expectations/expectations.ts';
import { BREAKS } from '../../../../../scenarios/language/steps/breaks.ts';
import { CALLS } from '../../../../../scenarios/language/steps/calls.ts';
import { TRIGGERS } from '../../../../../scenarios/language/steps/triggers.ts';
import { VEHICLE_ACTS } from '../../../../../scenarios/language/steps/vehicle-acts.ts';
import { WEATHER } from '../../../../../scenarios/language/steps/weather.ts';
import { generateDocument } from '../../../../../scenarios/language/vary/generate.ts';
import { seededRandom } from '../../../../../world/random/seeded-random.ts';
import { TUNNEL } from '../../../../support/scenarios/tunnel-example.ts';

const validate = new Ajv({ strict: false }).compile(scenarioJsonSchema());

const examplesOf = (table: WordTable, write: (name: string, example: unknown) => object): readonly object[] =>
  Object.entries(table).map(([name, row]) => write(name, row.example));

/** A step with the example of each row of each table. */
const STEPS: readonly object[] = [
  ...examplesOf(VEHICLE_ACTS, (name, example) => ({ [name]: example })),
  ...examplesOf(CALLS, (name, example) => ({ call: { [name]: example } })),
  ...examplesOf(WEATHER, (name, example) => ({ weather: { [name]: example } })),
  ...Object.entries(BREAKS).flatMap(([part, table]) =>
    examplesOf(table, (name, example) => ({ break: { [part]: { [name]: example } } })),
  ),
  ...examplesOf(EXPECTATIONS, (name, example) => ({
    ...(name === 'phone' ? { bluetooth: { action: 'unlock' } } : { call: { command: 'draw-attention' } }),
    expect: example,
  })),
  ...examplesOf(TRIGGERS, (name, example) => ({ when: { [name]: example, within: '1m' }, park: {} })),
  { when: { session: 'ready', of: 'any' }, delay: '1s', at: '1m', park: {} },
  { repeat: { every: '10s', for: '5m' }, park: {} },
  { repeat: { every: '10s', times: 3 }, park: {} },
  { weather: 'stall', in: { around: [52.52, 13.4], radius_m: 400 } },
  {
    weather: 'stall',
    in: {
      polygon: [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
    },
  },
  { call: { get: '/vehicles', remember: { page: 'body.items[0].id', tag: 'headers.etag' } } },
  { weather: 'cut' },
  { break: { broker: 'restart' } },
  { call: 'onboard' },
  { park: null },
  { on: 'boxes', park: {} },
  { on: { group: 'boxes', fraction: 0.5 }, park: {} },
  { never: [{ life_status: 'OFFLINE' }, { connected: false }] },
];

const around = (step: object) => ({
  backends: 2,
  name: 'example',
  about: 'One row of a table.',
  fleet: [{ as: 'boxes', count: 2 }, { maker: 'northwind' }],
  steps: [step],
});

describe('the published schema of scenarios', () => {
  it.each(STEPS.map((step) => [JSON.stringify(step), step]))(
    'takes %s, as the reader does',
    (_text, step) => {
      const document = around(step);
      validate(document);
      expect(validate.errors).toBeNull();
      const checked = readDocument(document);
      expect(checked.ok ? [] : checked.faults).toEqual([]);
    },
  );

  it('accepts everything drawn from the tables', () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const document = generateDocument(seededRandom(seed).stream('scenario'), 'drawn');
      validate(document);
      expect(validate.errors).toBeNull();
    }
  });

  it.each([
    ['a word that is not there', { weathr: 'cut' }],
    ['two kinds of weather in one', { weather: { cut: {}, stall: {} } }],
    ['a span without a unit', { at: 5, park: {} }],
    ['a word alone that needs settings', { weather: 'latency' }],
    ['a property that no vehicle has', { expect: { state: { central_lok: 'LOCKED' } } }],
  ])('refuses %s, as the reader does', (_text, step) => {
    expect(validate(around(step))).toBe(false);
    expect(readDocument(around(step)).ok).toBe(false);
  });

  it('describes each word for editors', () => {
    const text = JSON.stringify(scenarioJsonSchema());
    for (const { does } of Object.values(WEATHER)) expect(text).toContain(JSON.stringify(does).slice(1, -1));
  });
});

describe('docs/scenarios.md', () => {
  const page = readFileSync(new URL('../../../../../docs/scenarios.md', import.meta.url), 'utf8');

  it('shows a valid example, the tunnel, with the line for editors', () => {
    const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    expect(example).toContain('# yaml-language-server: $schema=');
    expect(example).toContain(TUNNEL);
    expect(readScenario(example, 'docs/scenarios.md').ok).toBe(true);
  });
});
