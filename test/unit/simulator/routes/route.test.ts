import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceM, turnDegrees } from '../../../../simulator/arithmetic.ts';
import { berlinWest } from '../../../../simulator/routes/berlin-west.ts';
import { cornerBefore, faultsOf, onLoop, spotAt } from '../../../../simulator/routes/route.ts';
import { ROUTE_TABLES, ROUTES, routeNamed } from '../../../../simulator/routes/routes.ts';

const routes = [...ROUTES.values()];
const anyRoute = fc.constantFrom(...ROUTES.keys());
const anyWay = fc.double({ min: 0, max: 100_000, noNaN: true });

/** Stops of the public transport authority's open timetable, which lie at these streets. */
const LANDMARKS: Record<string, readonly (readonly [string, number, number])[]> = {
  'berlin-west': [
    ['Großer Stern', 52.515143, 13.350177],
    ['Steinplatz', 52.509043, 13.326202],
    ['Zoologischer Garten', 52.506921, 13.332707],
    ['An der Urania', 52.501072, 13.3468],
    ['Nollendorfplatz', 52.499644, 13.353825],
    ['Potsdamer Brücke', 52.505948, 13.368306],
    ['Potsdamer Platz', 52.50934, 13.376454],
  ],
  'berlin-east': [
    ['Schillingstraße', 52.520316, 13.421895],
    ['Weberwiese', 52.516848, 13.443278],
    ['Frankfurter Tor', 52.515772, 13.454085],
    ['Oberbaumbrücke', 52.503387, 13.447564],
    ['Schlesisches Tor', 52.501147, 13.441791],
    ['Kottbusser Tor', 52.499047, 13.417748],
    ['Moritzplatz', 52.503739, 13.410947],
    ['Jannowitzbrücke', 52.5155, 13.418027],
  ],
};

describe('routes', () => {
  test('are two loops at least, with nothing wrong in their tables', () => {
    expect(ROUTE_TABLES.length).toBeGreaterThanOrEqual(2);
    expect(ROUTE_TABLES.flatMap(faultsOf)).toEqual([]);
    for (const route of routes) {
      expect(route.lengthM).toBeGreaterThan(5_000);
      expect(route.lengthM).toBeLessThan(20_000);
    }
  });

  test('pass within 60 m of the stops that lie at their streets', () => {
    for (const [name, landmarks] of Object.entries(LANDMARKS)) {
      const route = ROUTES.get(name);
      if (route === undefined) throw new Error(`no route ${name}`);
      for (const [stop, latitude, longitude] of landmarks) {
        let nearest = Number.POSITIVE_INFINITY;
        for (let along = 0; along < route.lengthM; along += 5) {
          nearest = Math.min(nearest, distanceM(spotAt(route, along), { latitude, longitude }));
        }
        expect.soft(nearest, stop).toBeLessThan(60);
      }
    }
  });

  test('are continuous: a step along the way is as long on the map, over the end of the loop too', () => {
    fc.assert(
      fc.property(anyRoute, anyWay, fc.double({ min: 0, max: 10, noNaN: true }), (name, along, step) => {
        const route = routeNamed(name);
        const a = spotAt(route, along);
        const b = spotAt(route, along + step);
        expect(distanceM(a, b)).toBeLessThanOrEqual(step * 1.001 + 1e-4);
        expect(Math.abs(b.altitudeM - a.altitudeM)).toBeLessThanOrEqual(step * 0.1 + 1e-6);
      }),
    );
  });

  test('have a heading in [0, 360) that turns with the car and does not jump', () => {
    fc.assert(
      fc.property(anyRoute, anyWay, (name, along) => {
        const route = routeNamed(name);
        const heading = spotAt(route, along).headingDegrees;
        expect(heading >= 0 && heading < 360).toBe(true);
        const next = spotAt(route, along + 0.1).headingDegrees;
        expect(Math.abs(turnDegrees(heading, next))).toBeLessThan(1.2);
      }),
    );
  });

  test('find the corner behind a way by the way at which it begins', () => {
    fc.assert(
      fc.property(anyRoute, anyWay, (name, along) => {
        const route = routeNamed(name);
        const index = cornerBefore(route, along);
        const wanted = onLoop(route, along);
        const start = route.corners[index]?.startM ?? Number.NaN;
        const end = route.corners[index + 1]?.startM ?? route.lengthM;
        expect(start <= wanted && wanted < end).toBe(true);
      }),
    );
  });

  test('name the mistakes of a table', () => {
    const [first, ...others] = berlinWest.rows;
    if (first === undefined) throw new Error('no rows');
    expect(faultsOf({ ...berlinWest, rows: [first] })).toEqual(['berlin-west has fewer than 3 corners']);
    const dark = berlinWest.rows.map(({ at, altitudeM }) => ({ at, altitudeM }));
    expect(faultsOf({ ...berlinWest, rows: dark })).toEqual(['berlin-west has no light']);
    expect(faultsOf({ ...berlinWest, rows: [first, first, ...others] })[0]).toContain('too short');
    expect(faultsOf({ ...berlinWest, limitKph: 500 }).join()).toContain('no speed limit');
  });
});
