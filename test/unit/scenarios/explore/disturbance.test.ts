import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Disturbance, drawDisturbance } from '../../../../scenarios/explore/disturbance.ts';
import { parseSpan } from '../../../../scenarios/language/document/quantity.ts';
import { readDocument } from '../../../../scenarios/language/document/read.ts';
import type { WordTable } from '../../../../scenarios/language/document/word-row.ts';
import { BREAKS } from '../../../../scenarios/language/steps/breaks.ts';
import { WEATHER } from '../../../../scenarios/language/steps/weather.ts';
import { exploreLimits } from '../../../../scenarios/limits.ts';
import { boxActionOf } from '../../../../simulator/control/box-actions.ts';
import type { FaultWord } from '../../../../simulator/control/fault-api.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';

/** As a simulator tells them that cannot do some of them; a backend is another process, and none can break it. */
const wordsWithout = (unavailable: ReadonlySet<string>): readonly FaultWord[] =>
  [['weather', WEATHER], ...Object.entries(BREAKS)].flatMap(([of, table]) =>
    Object.entries(table as WordTable).map(([name, { does, example, lasts }]) => ({
      of: String(of),
      name,
      does,
      example,
      isOfBoxes: of === 'weather',
      lasts: lasts === true,
      ...(of === 'backend' || unavailable.has(`${String(of)} ${name}`) ? { unavailable: 'Not here.' } : {}),
    })),
  );
const ALL = wordsWithout(new Set());
const keysOf = ALL.map(({ of, name }) => `${of} ${name}`);
const ids = fc.uniqueArray(fc.stringMatching(/^[0-9A-Z]{5}$/), { minLength: 1, maxLength: 5 });
const seeds = fc.integer({ min: 0, max: 0xffff_ffff });

function drawnBy(seed: number, vehicleIds: readonly string[], words: readonly FaultWord[]): Disturbance[] {
  const source = seededRandom(seed).stream('swarm/running');
  return Array.from({ length: 40 }, () => drawDisturbance(source, { vehicleIds, words }));
}

/** `weather cut`, `broker restart`; what lasts has a `for`. */
function wordOf(fault: Readonly<Record<string, unknown>>): string {
  const { weather, break: broken } = fault as Record<string, Record<string, Record<string, unknown>>>;
  if (weather !== undefined) return `weather ${Object.keys(weather)[0]}`;
  const [part = '', names = {}] = Object.entries(broken ?? {})[0] ?? [];
  return `${part} ${Object.keys(names)[0]}`;
}

describe('what a swarm does to a fleet that runs', () => {
  test('is what the language and the control API take, on vehicles that are there', () => {
    fc.assert(
      fc.property(seeds, ids, (seed, vehicleIds) => {
        for (const one of drawnBy(seed, vehicleIds, ALL)) {
          expect(one.gapMs).toBeGreaterThanOrEqual(exploreLimits.disturbanceGapLeastMs);
          expect(one.gapMs).toBeLessThanOrEqual(exploreLimits.disturbanceGapMostMs);
          if (one.kind === 'act') {
            expect(vehicleIds).toContain(one.vehicleId);
            const row = boxActionOf(one.action);
            expect(row?.body.safeParse(one.body).success, JSON.stringify(one)).toBe(true);
            continue;
          }
          for (const id of one.on ?? []) expect(vehicleIds).toContain(id);
          const read = readDocument({
            name: 'live',
            about: 'As the simulator reads it.',
            fleet: [{ count: 1 }],
            steps: [{ at: '0s', ...one.fault }],
          });
          expect(read.ok ? [] : read.faults, JSON.stringify(one)).toEqual([]);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('ends by itself: nothing that lasts is laid without an end', () => {
    const lasting = new Set(ALL.filter(({ lasts }) => lasts).map(({ of, name }) => `${of} ${name}`));
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const one of drawnBy(seed, ['8B13V'], ALL))
          if (one.kind === 'fault') expect('for' in one.fault).toBe(lasting.has(wordOf(one.fault)));
      }),
      { numRuns: 40 },
    );
  });

  test("befalls boxes or what all share, and a shared part is nobody's own", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const one of drawnBy(seed, ['8B13V'], ALL))
          if (one.kind === 'fault' && one.on !== undefined)
            expect(wordOf(one.fault)).toMatch(/^(weather|box) /);
      }),
      { numRuns: 40 },
    );
  });

  test('is over soon: no span of it is longer than a disturbance', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        for (const one of drawnBy(seed, ['8B13V'], ALL))
          if (one.kind === 'fault')
            for (const [text] of JSON.stringify(one.fault).matchAll(/(?<=")[\d.]+(h|m|s|ms)[\dhms]*(?=")/g))
              expect(parseSpan(text) ?? 0, text).toBeLessThanOrEqual(exploreLimits.disturbanceMostMs);
      }),
      { numRuns: 40 },
    );
  });

  test('has nothing that is not available there, and nothing by which a box forgets what it has to tell', () => {
    fc.assert(
      fc.property(seeds, fc.subarray(keysOf), (seed, unavailable) => {
        const missing = new Set(unavailable);
        const drawn = drawnBy(seed, ['8B13V'], wordsWithout(missing));
        const words = drawn.flatMap((one) => (one.kind === 'fault' ? [wordOf(one.fault)] : []));
        expect(words.filter((word) => missing.has(word))).toEqual([]);
        expect(words.filter((word) => /^box (wipe|flash-full|torn-write|lost-write)$/.test(word))).toEqual(
          [],
        );
      }),
      { numRuns: 40 },
    );
  });

  test('is the same again from the same seed', () => {
    expect(drawnBy(7, ['8B13V', 'N0EJ5'], ALL)).toEqual(drawnBy(7, ['8B13V', 'N0EJ5'], ALL));
    expect(drawnBy(7, ['8B13V', 'N0EJ5'], ALL)).not.toEqual(drawnBy(8, ['8B13V', 'N0EJ5'], ALL));
  });
});
