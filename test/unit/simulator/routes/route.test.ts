import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceM, turnDegrees } from '../../../../simulator/arithmetic.ts';
import { limits } from '../../../../simulator/routes/limits.ts';
import {
  corner,
  cornerBefore,
  measuredRoute,
  onLoop,
  type Route,
  type RouteTable,
  spotAt,
} from '../../../../simulator/routes/route.ts';
import { berlinWest, ROUTE_TABLES, ROUTES, routeNamed } from '../../../../simulator/routes/routes.ts';

const routes = [...ROUTES.values()];
const anyRoute = fc.constantFrom(...ROUTES.keys());
const anyWay = fc.double({ min: 0, max: 100_000, noNaN: true });

/**
 * The errors of a built-in table; empty: none. A drive is planned from light to light, so a table needs one.
 */
function faultsOfTable(table: RouteTable): readonly string[] {
  const faults: string[] = [];
  const fewest = table.shape === 'loop' ? 3 : 2;
  if (table.rows.length < fewest) return [`${table.name} has fewer than ${fewest} corners`];
  const { corners } = measuredRoute(table);
  if (!corners.some((row) => row.light)) faults.push(`${table.name} has no light`);
  for (const [index, corner] of corners.entries()) {
    const where = `${table.name}, row ${index}`;
    if (corner.lengthM < 2 * limits.roundingM)
      faults.push(`${where}: the way to the next corner is too short`);
    if (corner.lengthM > limits.longestGapM) faults.push(`${where}: the next corner is too far for a street`);
    if (corner.limitKph < 5 || corner.limitKph > 130) faults.push(`${where}: no speed limit`);
    const isEnd = table.shape === 'there-and-back' && (index === 0 || index === table.rows.length - 1);
    if (!isEnd && Math.abs(corner.turn) > 135) faults.push(`${where}: the street turns back`);
  }
  return faults;
}

/** Whether the way turns back near there. */
function isTurn(route: Route, along: number): boolean {
  const index = cornerBefore(route, along + 8);
  return [index - 1, index, index + 1].some((each) => Math.abs(corner(route, each).turn) > 135);
}

/** Stops of public transport and stations of hired bicycles, from open data, which lie at these streets. */
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
  'hamburg-alster': [
    ['Kennedybrücke', 53.557773, 9.99788],
    ['Alte Rabenstraße', 53.567446, 10.001067],
    ['Fährdamm', 53.573677, 10.002258],
    ['Fernsicht', 53.580506, 10.000391],
    ['Gertigstraße', 53.581347, 10.011892],
    ['Schwanenwikbrücke', 53.563228, 10.015551],
  ],
  'karlsruhe-hills': [
    ['Turmberg', 49.000031, 8.478226],
    ['Parkschlößle', 48.995306, 8.475255],
    ['Zündhütle', 48.982989, 8.46007],
    ['Hooverstraße', 48.973582, 8.465758],
    ['Medersbach', 48.970466, 8.476458],
    ['Rathaus', 48.965587, 8.477151],
  ],
  'munich-leopold': [
    ['Odeonsplatz', 48.143343, 11.578045],
    ['Universität', 48.150354, 11.581144],
    ['Giselastraße', 48.156559, 11.584048],
    ['Münchner Freiheit', 48.161985, 11.586531],
  ],
};

describe('routes', () => {
  test('are loops and open routes in several cities, with valid tables', () => {
    expect(new Set(ROUTE_TABLES.map((table) => table.city)).size).toBeGreaterThanOrEqual(4);
    expect(new Set(ROUTE_TABLES.map((table) => table.shape)).size).toBe(2);
    expect(ROUTE_TABLES.flatMap(faultsOfTable)).toEqual([]);
    for (const route of routes) {
      expect(route.lengthM).toBeGreaterThan(4_000);
      expect(route.lengthM).toBeLessThan(20_000);
    }
  });

  test('pass within 60 m of the stops at their streets', () => {
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

  test('are continuous: a distance along the route is the same on the map, even over the end of a loop', () => {
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
        expect(Math.abs(turnDegrees(heading, next))).toBeLessThan(isTurn(route, along) ? 2.3 : 1.2);
      }),
    );
  });

  test('find the next corner from a distance along the route', () => {
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

  test('one of them climbs more than 100 m and descends again', () => {
    const heights = routes.map(({ corners }) => {
      const altitudes = corners.map((each) => each.altitudeM);
      return Math.max(...altitudes) - Math.min(...altitudes);
    });
    expect(Math.max(...heights)).toBeGreaterThan(100);
  });

  test('with two ends return the same way, turn only at the ends, and stop there', () => {
    for (const table of ROUTE_TABLES.filter(({ shape }) => shape === 'there-and-back')) {
      const route = routeNamed(table.name);
      const halfM = route.lengthM / 2;
      for (let awayM = 0; awayM <= halfM; awayM += 7) {
        const [there, back] = [spotAt(route, halfM - awayM), spotAt(route, halfM + awayM)];
        expect(distanceM(there, back)).toBeLessThan(0.01);
        expect(back.altitudeM).toBeCloseTo(there.altitudeM, 6);
      }
      for (let alongM = 40; alongM < halfM - 40; alongM += 7) {
        const [there, back] = [spotAt(route, alongM), spotAt(route, route.lengthM - alongM)];
        expect(back.sky, `${table.name} at ${alongM}`).toBe(there.sky);
        const limit = (m: number) => route.corners[cornerBefore(route, m)]?.limitKph;
        expect(limit(route.lengthM - alongM)).toBe(limit(alongM));
      }
      const turns = route.corners.filter((each) => Math.abs(each.turn) > 135);
      expect(turns.length).toBe(2);
      expect(turns.every((each) => each.light)).toBe(true);
    }
  });

  test('report the errors of a table', () => {
    const [first, ...others] = berlinWest.rows;
    if (first === undefined) throw new Error('no rows');
    expect(faultsOfTable({ ...berlinWest, rows: [first] })).toEqual(['berlin-west has fewer than 3 corners']);
    const dark = berlinWest.rows.map(({ at, altitudeM }) => ({ at, altitudeM }));
    expect(faultsOfTable({ ...berlinWest, rows: dark })).toEqual(['berlin-west has no light']);
    expect(faultsOfTable({ ...berlinWest, rows: [first, first, ...others] })[0]).toContain('too short');
    expect(faultsOfTable({ ...berlinWest, limitKph: 500 }).join()).toContain('no speed limit');
  });
});
