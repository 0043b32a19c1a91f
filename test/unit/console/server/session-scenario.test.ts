import { describe, expect, test } from 'vitest';
import {
  type DoneByHand,
  type Session,
  sessionScenario,
} from '../../../../console/server/session-scenario.ts';
import { readScenario } from '../../../../scenarios/language/document/read.ts';
import { BOX_ACTIONS } from '../../../../simulator/control/box-actions.ts';
import type { JsonObject } from '../../../../world/json.ts';

const at = (atMs: number, act: DoneByHand['act'], to = '02B9S'): DoneByHand => ({ atMs, act, to });
const met = ['02B9S', '8B13V'].map((id) => ({
  id,
  model: 'petrol-compact',
  firmware: '2.31',
  route: 'berlin-west',
  isDriving: true,
}));
const session = (done: readonly DoneByHand[], zones: Session['zones'] = []): Session => ({
  done,
  zones,
  met,
  nowMs: 200_000,
});

describe('the actions on the console as a scenario', () => {
  test('does it again: acts, faults with their ends, commands', () => {
    const { text, leftOut } = sessionScenario(
      session([
        at(100_000, { name: 'coverage', body: { available: false } }),
        at(105_000, { command: 'unlock-central-lock' }, '8B13V'),
        at(130_500, { name: 'coverage', body: { available: true } }),
        at(140_000, { name: 'park', body: {} }),
        at(150_000, { name: 'doors', body: { open: true } }),
      ]),
      7,
    );
    expect(leftOut).toEqual([]);
    const read = readScenario(text, 'by-hand.yaml');
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    expect(read.document['fleet']).toMatchObject([{ as: '02b9s', driving: true }, { as: '8b13v' }]);
    expect(read.document['steps']).toEqual([
      { at: '10s', on: '02b9s', weather: { coverage: 'none' }, for: '30s500ms' },
      { at: '15s', on: '8b13v', call: { command: 'unlock-central-lock' } },
      { at: '50s', on: '02b9s', park: {} },
      { at: '1m', on: '02b9s', open: 'door' },
    ]);
  });

  test('has a word, or a comment, for each action of the control API, and is always a file that can be read', () => {
    const done = Object.entries(BOX_ACTIONS).map(([name, { example }], index) =>
      at(1_000 * index, { name, body: example as Readonly<Record<string, unknown>> }),
    );
    const { text, leftOut } = sessionScenario(session(done), 1);
    const read = readScenario(text, 'by-hand.yaml');
    expect(read.ok ? [] : read.problems).toEqual([]);
    expect(leftOut).toEqual([]);
  });

  test.each<[string, string, JsonObject, JsonObject, JsonObject]>([
    [
      'coverage',
      'there is none',
      { available: false },
      { available: true },
      { weather: { coverage: 'none' } },
    ],
    ['signal', 'is weak', { csq: 9 }, { csq: null }, { weather: { signal: 9 } }],
    ['sim', 'is suspended', { state: 'suspended' }, { state: 'active' }, { weather: { sim: 'suspended' } }],
    ['border', 'is crossed', { abroad: true }, { abroad: false }, { weather: { roaming: { gap: '20s' } } }],
    [
      'box-error',
      'is reported',
      { text: 'hot', once: false },
      {},
      { break: { box: { error: { text: 'hot', once: false } } } },
    ],
    ['silence', 'lasts', { seconds: 60 }, { seconds: 0 }, { break: { box: 'hang' } }],
    [
      'setup',
      'fails',
      { obstacle: 'no-gnss' },
      { obstacle: 'none' },
      { break: { box: { installation: { obstacle: 'no-gnss' } } } },
    ],
    [
      'setup',
      'fails for a time',
      { obstacle: 'no-gnss', duration_s: 60 },
      { obstacle: 'none' },
      { break: { box: { installation: { obstacle: 'no-gnss' } } } },
    ],
    ['flash-full', 'is so', { full: true }, { full: false }, { break: { box: 'flash-full' } }],
    ['gnss', 'is lost', { available: false }, { available: true }, { break: { box: 'gnss-lost' } }],
  ])('the fault %s that %s ends when its action ends it', (name, _, begins, ends, words) => {
    const { body: form } = BOX_ACTIONS[name as keyof typeof BOX_ACTIONS];
    for (const body of [begins, ends]) expect(form.safeParse(body).error).toBeUndefined();
    const { text, leftOut } = sessionScenario(
      session([at(100_000, { name, body: begins }), at(130_000, { name, body: ends })]),
      1,
    );
    expect(leftOut).toEqual([]);
    const read = readScenario(text, 'by-hand.yaml');
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    expect(read.document['steps']).toEqual([{ at: '10s', on: '02b9s', ...words, for: '30s' }]);
  });

  test('a fault that lasts for a time is not made longer by a later end', () => {
    const { text } = sessionScenario(
      session([
        at(100_000, { name: 'silence', body: { seconds: 5 } }),
        at(130_000, { name: 'silence', body: { seconds: 0 } }),
      ]),
      1,
    );
    expect(text).toContain('for: 5s');
  });

  test('leaves out what the language has no word for, and says so in the file', () => {
    const { text, leftOut } = sessionScenario(session([at(0, { name: 'levitate', body: { height: 3 } })]), 1);
    expect(leftOut).toEqual(['10s 02B9S levitate {"height":3}']);
    expect(text).toMatch(/^# left out: 10s 02B9S levitate/);
  });

  test('tells of a dead zone that no vehicle drove into, and of the weather that was chosen for all', () => {
    const shape = { around: { latitude: 52.5, longitude: 13.4 }, radiusM: 400 };
    const zone = { id: '1', shape, fromMs: 100_000, toMs: 130_000 } as unknown as Session['zones'][number];
    const weather = at(90_000, { name: 'weather of the fleet', body: { preset: 'city' } }, 'all');
    const { text, leftOut } = sessionScenario({ ...session([weather], [zone]), met: [] }, 1);
    expect(leftOut).toEqual([
      expect.stringContaining('weather of the fleet {"preset":"city"}'),
      expect.stringContaining('"around":[52.5,13.4]'),
    ]);
    expect(text).not.toContain('Nothing was done');
  });

  test('lays weather and breaks again by their words, each until it was lifted', () => {
    const { text, leftOut } = sessionScenario(
      session([
        at(100_000, { step: { weather: { latency: { base: '2s' } }, for: '30s' }, id: '1' }),
        at(110_000, { step: { weather: { stall: {} } }, id: '2' }),
        at(110_000, { step: { weather: { stall: {} } }, id: '2' }, '8B13V'),
        at(112_000, { step: { break: { exchange: 'down' }, for: '1m' }, id: '3' }, ''),
        at(115_000, { removed: '2' }, ''),
        at(119_000, { removed: '3' }, ''),
        at(119_000, { removed: 'unknown' }, ''),
      ]),
      7,
    );
    expect(leftOut).toEqual([]);
    const read = readScenario(text, 'by-hand.yaml');
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    expect(read.document['steps']).toEqual([
      { at: '10s', on: '02b9s', weather: { latency: { base: '2s' } }, for: '30s' },
      { at: '20s', on: '02b9s', weather: { stall: {} }, for: '5s' },
      { at: '20s', on: '8b13v', weather: { stall: {} }, for: '5s' },
      { at: '22s', break: { exchange: 'down' }, for: '7s' },
    ]);
  });

  test('lays a dead zone again where it was, for as long as it was there', () => {
    const around = { latitude: 52.514512345, longitude: 13.3501 };
    const zones = [
      { shape: { around, radiusM: 400.4 }, fromMs: 100_000, toMs: 160_000 },
      { shape: { polygon: [around, around, around] }, fromMs: 150_000, toMs: undefined },
    ];
    const { text } = sessionScenario(session([], zones), 1);
    const read = readScenario(text, 'by-hand.yaml');
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    expect(read.document['steps']).toMatchObject([
      {
        at: '10s',
        weather: { coverage: 'none' },
        in: { around: [52.51451, 13.3501], radius_m: 400 },
        for: '1m',
      },
      { at: '1m', for: '50s' },
    ]);
  });

  test('says so where nothing was done', () => {
    expect(sessionScenario({ done: [], met: [], zones: [], nowMs: 0 }, 1).text).toMatch(
      /^# Nothing to export yet/,
    );
  });
});
