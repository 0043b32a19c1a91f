import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceM } from '../../../../simulator/arithmetic.ts';
import { routeInFile } from '../../../../simulator/routes/file.ts';
import { limits } from '../../../../simulator/routes/limits.ts';
import { type Route, spotAt } from '../../../../simulator/routes/route.ts';

const FOLDER = new URL('../../../vectors/routes/', import.meta.url);
const read = (name: string) => routeInFile(name, readFileSync(new URL(name, FOLDER)));

function routeIn(name: string): Route {
  const found = read(name);
  if (found.fault !== undefined) throw new Error(`${found.fault.place}: ${found.fault.reason}`);
  return found.route;
}

/** What is wrong with each file, and where. */
const FAULTS: Readonly<Record<string, readonly [place: string, reason: string]>> = {
  'bare-list.geojson': ['', 'is no GeoJSON: a list where an object with a type is expected'],
  'broken.geojson': ['', 'is broken JSON: Unexpected token'],
  'broken.gpx': ['line 4', "is broken XML: Expected closing tag 'trkpt' (opened in line 3"],
  'cut-off.geojson': ['line 1', 'is broken JSON'],
  'empty.gpx': ['', 'is empty'],
  'entity-bomb.gpx': ['line 2', 'has a DOCTYPE'],
  'jump.gpx': ['line 5', 'is 508598 m from the point before it; more than 2000 m is a jump'],
  'lines-apart.geojson': ['coordinates[1][0]', 'is a jump'],
  'metres.geojson': ['coordinates[0]', 'Coordinates are degrees (WGS 84), not metres'],
  'no-features.geojson': ['features', 'is empty'],
  'no-geometry.geojson': ['', 'is a feature without a geometry'],
  'no-longitude.gpx': ['line 4', 'is a point without lon'],
  'no-number.gpx': ['line 4', 'has a point whose lon is no number: east'],
  'no-points.geojson': ['', 'has no point'],
  'no-track.gpx': ['', 'has neither a track nor a route'],
  'one-point.gpx': ['', 'has one point only'],
  'other.gpx': ['', 'is no GPX: its outermost element is <kml>'],
  'point.geojson': ['', 'is not a line: it is of the type Point'],
  'polygon.geojson': ['geometry', 'is not a line: it is of the type Polygon'],
  'standing.gpx': ['', 'has all its points in one place'],
  'swapped.geojson': ['coordinates[0]', 'has the latitude 139.69, which is outside -90 to 90. Are latitude'],
  'swapped.gpx': ['line 3', 'Are latitude and longitude swapped?'],
  'table.csv': ['line 1', 'is neither GPX nor GeoJSON'],
  'text-number.geojson': ['coordinates[1]', 'has something else than numbers in it: [13.41,"52.5"]'],
  'too-high.gpx': ['line 4', 'is 88000 m high'],
  'too-short.gpx': ['', 'is 22 m long; a way must have 50 m at least'],
  'two-features.geojson': ['features', 'has 2 features'],
  'two-tracks.gpx': ['', 'has 2 tracks'],
  'utf-16.gpx': ['line 1', "is broken XML: Unclosed tag 'g'"],
  'waypoints.gpx': ['', 'has 2 waypoints and neither a track nor a route: it is not a line'],
};
const GOOD = ['track.gpx', 'route-prefixed.gpx', 'line.geojson', 'lines-joined.geojson'];

describe('a route file', () => {
  test('is refused with the position and the reason of the error', () => {
    expect([...Object.keys(FAULTS), ...GOOD].sort()).toEqual(readdirSync(FOLDER).sort());
    for (const [name, [place, reason]] of Object.entries(FAULTS)) {
      const { fault } = read(name);
      expect.soft(fault?.place, name).toBe(place);
      expect.soft(fault?.reason, name).toContain(reason);
      expect.soft(fault?.reason.endsWith('.') || fault?.reason.endsWith('?'), name).toBe(true);
    }
  });

  test('in GPX is driven in both directions over all segments of its track, with its elevations', () => {
    const route = routeIn('track.gpx');
    expect(route.name).toBe('track.gpx');
    expect(route.corners.length).toBe(8);
    expect(route.corners.map((corner) => corner.altitudeM)).toEqual([
      121.4, 150, 150, 214, 238, 214, 150, 150,
    ]);
    expect(
      distanceM(spotAt(route, route.lengthM / 2), { latitude: 48.97152, longitude: 8.46843 }),
    ).toBeLessThan(0.1);
    expect(spotAt(route, 100).slope).toBeGreaterThan(0);
    expect(spotAt(route, route.lengthM - 100).slope).toBeLessThan(0);
  });

  test('in GPX may contain a route instead of a track, with prefixed names; one whose ends meet is a loop', () => {
    const route = routeIn('route-prefixed.gpx');
    expect(route.corners.length).toBe(5);
    expect(route.corners.every((corner) => Math.abs(corner.turn) < 135)).toBe(true);
    expect(route.corners.some((corner) => corner.light)).toBe(true);
  });

  test('in GeoJSON is a line, or a feature with connected lines', () => {
    expect(routeIn('line.geojson').corners.map((corner) => corner.altitudeM)).toEqual([516, 513, 507, 513]);
    const joined = routeIn('lines-joined.geojson');
    expect(joined.corners.length).toBe(6);
    expect(Math.abs(joined.lengthM - routeIn('line.geojson').lengthM)).toBeLessThan(20);
  });

  test('may begin with a byte order mark and white space', () => {
    const text = `\ufeff\n  ${readFileSync(new URL('line.geojson', FOLDER), 'utf8')}`;
    expect(routeInFile('a', new TextEncoder().encode(text)).fault).toBeUndefined();
  });

  test('is limited in bytes, points and depth', () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(routeInFile('a', new Uint8Array(limits.fileBytes + 1)).fault?.reason).toContain('bytes; at most');
    const many = Array.from({ length: limits.points + 1 }, (_, index) => [13 + index * 1e-5, 52.5]);
    const line = JSON.stringify({ type: 'LineString', coordinates: many });
    expect(routeInFile('a', bytes(line)).fault?.reason).toContain(`at most ${limits.points} are read`);
    for (const deep of [
      '<gpx>'.repeat(50_000),
      '<gpx>'.repeat(50_000) + '</gpx>'.repeat(50_000),
      `{"type":"LineString","coordinates":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      `{"type":"Feature","geometry":${'{"type":"Feature","geometry":'.repeat(50_000)}1${'}'.repeat(50_001)}`,
      `<gpx>${'<!--'.repeat(100_000)}</gpx>`,
      `<gpx ${'a="1" '.repeat(50_000)}/>`,
    ])
      expect(routeInFile('a', bytes(deep)).fault).toBeDefined();
  });
});

/** A way of steps of some metres up to the longest, from anywhere between the polar circles. */
const anyTrack = fc
  .tuple(
    fc.double({ min: -65, max: 65, noNaN: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.array(
      fc.tuple(
        fc.integer({ min: -100, max: 100 }),
        fc.integer({ min: -100, max: 100 }),
        fc.option(fc.integer({ min: -50, max: 3_000 }), { nil: undefined }),
      ),
      { minLength: 2, maxLength: 60 },
    ),
  )
  .map(([latitude, longitude, steps]) => {
    let [north, east] = [latitude, longitude];
    return steps.map(([up, right, altitude]) => {
      north += up * 5e-5;
      east += right * 5e-5;
      if (east > 180) east -= 360;
      if (east < -180) east += 360;
      return { latitude: north, longitude: east, altitude };
    });
  });

type Track = (typeof anyTrack extends fc.Arbitrary<infer T> ? T : never)[number];

function gpxOf(track: readonly Track[]): string {
  const points = track.map(({ latitude, longitude, altitude }) => {
    const inside = altitude === undefined ? '' : `<ele>${altitude}</ele>`;
    return `<trkpt lat="${latitude}" lon="${longitude}">${inside}</trkpt>`;
  });
  return `<?xml version="1.0"?>\n<gpx version="1.1"><trk><trkseg>\n${points.join('\n')}\n</trkseg></trk></gpx>`;
}

function geoJsonOf(track: readonly Track[]): string {
  const coordinates = track.map(({ latitude, longitude, altitude }) =>
    altitude === undefined ? [longitude, latitude] : [longitude, latitude, altitude],
  );
  return JSON.stringify({ type: 'LineString', coordinates });
}

describe('any route file', () => {
  test('gives the same route in both formats: through its points, without a jump, open or closed', () => {
    fc.assert(
      fc.property(anyTrack, (track) => {
        const files = [gpxOf(track), geoJsonOf(track)].map((text) =>
          routeInFile('a', new TextEncoder().encode(text)),
        );
        const [gpx, geoJson] = files;
        if (gpx === undefined || geoJson === undefined) return;
        expect(gpx.fault?.reason).toBe(geoJson.fault?.reason);
        if (gpx.fault !== undefined) {
          expect(gpx.fault.reason).toMatch(/m long; a way|all its points in one place/);
          return;
        }
        if (geoJson.fault !== undefined) return;
        expect(gpx.route).toEqual(geoJson.route);
        const { route } = gpx;
        expect(route.corners.some((corner) => corner.light)).toBe(true);
        let before = spotAt(route, 0);
        const stepM = route.lengthM / 500;
        for (let step = 1; step <= 501; step += 1) {
          const now = spotAt(route, step * stepM);
          expect(distanceM(before, now)).toBeLessThanOrEqual(stepM * 1.001 + 0.01);
          expect(Math.abs(now.longitude) <= 180 && Math.abs(now.latitude) <= 90).toBe(true);
          before = now;
        }
        for (const point of track) {
          // Points that crowd are left out, so that the way passes near them only.
          const near = route.corners.some((corner) => distanceM(corner.place, point) <= limits.shortestGapM);
          expect(near).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('that is damaged in any way is read or refused, and never causes a failure', () => {
    fc.assert(
      fc.property(
        anyTrack,
        fc.boolean(),
        fc.array(
          fc.record({
            at: fc.double({ min: 0, max: 1, noNaN: true }),
            drop: fc.integer({ min: 0, max: 30 }),
            put: fc.oneof(
              fc.string({ maxLength: 5 }),
              fc.constantFrom(
                '<',
                '>',
                '"',
                '&lt;',
                '[',
                ']',
                '{',
                ',',
                '-',
                '1e999',
                '<!DOCTYPE x>',
                '<trk>',
                'null',
                '\0',
              ),
            ),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        (track, isGpx, cuts) => {
          let text = isGpx ? gpxOf(track) : geoJsonOf(track);
          for (const { at, drop, put } of cuts) {
            const from = Math.floor(at * text.length);
            text = text.slice(0, from) + put + text.slice(from + drop);
          }
          const read = routeInFile('a', new TextEncoder().encode(text));
          if (read.fault === undefined) {
            expect(Number.isFinite(read.route.lengthM)).toBe(true);
            expect(read.route.corners.every((corner) => corner.lengthM <= limits.longestGapM)).toBe(true);
          } else expect(read.fault.reason).toMatch(/^(is|has) /);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('of any bytes is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(routeInFile('a', bytes).fault).toBeDefined();
      }),
    );
  });
});
