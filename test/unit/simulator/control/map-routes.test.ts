import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { controlApp } from '../../../../simulator/control/app.ts';
import { controlLimits } from '../../../../simulator/limits.ts';
import { Coverage, csqOf } from '../../../../simulator/radio/coverage.ts';
import { limits as radioLimits } from '../../../../simulator/radio/limits.ts';
import { ROUTES } from '../../../../simulator/routes/routes.ts';
import { fakeFleet, fakeTap } from '../../../support/simulator/fake-fleet.ts';

const coverage = new Coverage(7);
const withNetwork = controlApp(fakeFleet(1), fakeTap(), { map: { routes: ROUTES, coverage } });

const asked = async (query: Readonly<Record<string, number>>, app = withNetwork) => {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  const answer = await app.request(`http://127.0.0.1/coverage?${text}`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
const RECTANGLE = { west: 13.3, south: 52.4, east: 13.5, north: 52.6, columns: 4, rows: 3 };

describe('the map of the control API', () => {
  test('has every route as a closed line', async () => {
    const answer = await withNetwork.request('http://127.0.0.1/routes');
    const { items } = (await answer.json()) as {
      readonly items: readonly { readonly name: string; readonly places: readonly unknown[] }[];
    };
    expect(items.map(({ name }) => name)).toEqual([...ROUTES.keys()]);
    for (const { places } of items) expect(places.at(-1)).toEqual(places[0]);
  });

  test('tells the network in the middle of each cell, as a vehicle that drives there has it', async () => {
    const size = fc.record({
      west: fc.double({ min: -179, max: 170, noNaN: true }),
      south: fc.double({ min: -80, max: 75, noNaN: true }),
      wide: fc.double({ min: 0.01, max: 5, noNaN: true }),
      high: fc.double({ min: 0.01, max: 5, noNaN: true }),
      columns: fc.integer({ min: 1, max: 12 }),
      rows: fc.integer({ min: 1, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(size, async ({ west, south, wide, high, columns, rows }) => {
        const north = south + high;
        const { body } = await asked({ west, south, east: west + wide, north, columns, rows });
        const csq = body['csq'] as readonly number[];
        expect(csq).toHaveLength(columns * rows);
        csq.forEach((level, index) => {
          const found = coverage.levelDbm({
            latitude: north - ((Math.floor(index / columns) + 0.5) / rows) * high,
            longitude: west + (((index % columns) + 0.5) / columns) * (west + wide - west),
          });
          // A hair beside the same place may be beyond the edge of a step.
          if (found < radioLimits.leastDbm - 0.01) expect(level).toBe(-1);
          else expect(Math.abs(level - csqOf(found))).toBeLessThanOrEqual(found < -106.9 ? 4 : 1);
        });
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    ['a rectangle without a width', { ...RECTANGLE, east: 13.3 }, /west/],
    ['one that is upside down', { ...RECTANGLE, north: 50 }, /south/],
    ['one beyond the poles', { ...RECTANGLE, north: 91 }, /^north/],
    [
      'too many cells',
      { ...RECTANGLE, columns: 100, rows: 100 },
      new RegExp(String(controlLimits.coverageCells)),
    ],
    ['half a column', { ...RECTANGLE, columns: 1.5 }, /^columns/],
  ])('refuses %s, and says what is wrong', async (_name, query, detail) => {
    const { status, body } = await asked(query);
    expect([status, body['detail']]).toEqual([400, expect.stringMatching(detail)]);
  });

  test('says that there is a network everywhere where that is so', async () => {
    const ideal = controlApp(fakeFleet(1), fakeTap(), { map: { routes: ROUTES, coverage: undefined } });
    const { status, body } = await asked(RECTANGLE, ideal);
    expect([status, body['detail']]).toEqual([409, expect.stringContaining('--radio ideal')]);
  });
});
