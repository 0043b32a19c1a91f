import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../protocol/models/models.ts';
import { distanceM } from '../../simulator/arithmetic.ts';
import { driveInFile } from '../../simulator/recorded-drives/drive.ts';
import { fromMilligravity } from '../../simulator/vehicle/forces.ts';
import { START_MS, truthOf } from '../support/vehicles/any-vehicle.ts';
import { csvOf, type DriveRow, replayedDrive } from '../support/vehicles/drive-file.ts';

/** Pieces of files, so that what is drawn gets past the first check of a reader. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          'time,lat,lon\n',
          'time;latitude;longitude;speed\n',
          '1,52,13\n',
          '2,52.001,13\n',
          '08:15:00',
          ',',
          ';',
        ],
        ...[
          '<gpx><trk><trkseg>',
          '<trkpt lat="52" lon="13">',
          '<time>',
          '</time>',
          '</trkpt>',
          '</trkseg></trk></gpx>',
        ],
        ...[
          '{"type":"Feature",',
          '"properties":{"coordinateProperties":{"times":[1,2]}},',
          '"geometry":',
          'null}',
        ],
        ...[
          '{"type":"LineString","coordinates":[[13,52],[13,52.01]]}}',
          '{"type":"FeatureCollection","features":[',
          ']}',
        ],
        ...['"', '\n', '__proto__', 'constructor', '1e309', 'NaN', '-'],
      ),
      fc.string({ maxLength: 12 }),
      fc.double().map(String),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => new TextEncoder().encode(pieces.join('')));

const anyCell = fc.oneof(
  fc.integer({ min: -400, max: 4_000_000_000 }).map(String),
  fc.double({ min: -200, max: 200 }).map(String),
  fc.constantFrom('', '-', 'on', 'off', 'x'),
);
/** Tables that have the columns of a drive, and anything in them. */
const anyTable = fc
  .array(fc.array(anyCell, { minLength: 7, maxLength: 7 }), { maxLength: 60 })
  .map((rows) =>
    new TextEncoder().encode(
      ['time,latitude,longitude,speed,rpm,fuel,ignition', ...rows.map((row) => row.join(','))].join('\n'),
    ),
  );

/** A drive northwards: steps of time and way, as a receiver with this error writes them, with or without speeds. */
const anyDrive = fc
  .record({
    steps: fc.array(
      fc.record({
        s: fc.constantFrom(1, 1, 1, 2, 5, 40),
        mps: fc.integer({ min: 0, max: 35 }),
        errorM: fc.integer({ min: -2, max: 2 }),
      }),
      { minLength: 12, maxLength: 80 },
    ),
    hasSpeed: fc.boolean(),
  })
  .map(({ steps, hasSpeed }) => {
    let [atS, northM] = [0, 0];
    const rows: DriveRow[] = [[0, 0, ...(hasSpeed ? [0] : [])]];
    for (const { s, mps, errorM } of steps) {
      atS += s;
      northM += s * mps;
      rows.push([atS, northM + errorM, ...(hasSpeed ? [mps * 3.6] : [])]);
    }
    return { rows, hasSpeed };
  })
  .filter(({ rows }) => (rows.at(-1)?.[1] ?? 0) > 60);

describe('a file of a recorded drive', () => {
  test('is read or refused with a reason, whatever bytes it has', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, anyTable, fc.uint8Array({ maxLength: 200 })), (bytes) => {
        const read = driveInFile('trip', bytes);
        if (read.fault !== undefined) {
          expect(read.fault.reason).toMatch(/^[a-z].+/s);
          return;
        }
        const { drive } = read.route;
        expect(drive?.legs.length).toBeGreaterThan(0);
        for (const leg of drive?.legs ?? []) {
          expect(leg.durationS).toBeGreaterThan(0);
          for (const value of [leg.fromMps, leg.toMps, leg.lengthM]) expect(value).toBeGreaterThanOrEqual(0);
          for (const value of Object.values(leg).flat()) expect(Number.isFinite(Number(value))).toBe(true);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('a vehicle that replays a drive', () => {
  test('is at the recorded place at each recorded time, its mileage grows by the way, and it parks at the end', () => {
    fc.assert(
      fc.property(anyDrive, fc.constantFrom(...MODELS.keys()), ({ rows, hasSpeed }, model) => {
        const vehicle = replayedDrive(csvOf(rows, hasSpeed ? ['speed'] : []), model);
        const first = truthOf(vehicle);
        let before = first;
        for (const [atS, northM] of rows) {
          vehicle.advance(START_MS + atS * 1_000);
          const now = truthOf(vehicle);
          // Points that crowd are left out, and a standing receiver drifts.
          expect(Math.abs(distanceM(first, now) - Math.max(northM, 0))).toBeLessThan(30);
          expect(distanceM(before, now)).toBeLessThanOrEqual(
            (now.distanceM - before.distanceM) * 1.001 + 1e-3,
          );
          expect(now.speedKph).toBeGreaterThanOrEqual(0);
          expect(now.speedKph).toBeLessThanOrEqual(35 * 3.6 * 2);
          before = now;
        }
        vehicle.advance(START_MS + (rows.at(-1)?.[0] ?? 0) * 1_000 + 1_000);
        const end = vehicle.truth();
        expect(end).toMatchObject({ ignitionOn: false, speedKph: 0, driverWish: 'rest', engine: 'off' });
        expect(Number(end['mileageKm']) - first.mileageKm).toBeCloseTo(
          (before.distanceM - first.distanceM) / 1_000,
          6,
        );
      }),
      { numRuns: 150 },
    );
  });

  test('feels neither harsh cornering nor, where the speed was reckoned, harsh braking', () => {
    fc.assert(
      fc.property(anyDrive, ({ rows }) => {
        const vehicle = replayedDrive(csvOf(rows.map(([atS, northM]) => [atS, northM])), 'petrol-compact');
        vehicle.advance(START_MS + (rows.at(-1)?.[0] ?? 0) * 1_000);
        const { longitudinalMg, lateralMg } = vehicle.extremes();
        expect(Math.max(...longitudinalMg.map(Math.abs))).toBeLessThan(450);
        expect(fromMilligravity(Math.max(...lateralMg.map(Math.abs)))).toBeLessThan(4.4);
      }),
      { numRuns: 100 },
    );
  });

  test('is the same however often it is looked at', () => {
    fc.assert(
      fc.property(
        anyDrive,
        fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 60 }),
        ({ rows, hasSpeed }, looks) => {
          const text = csvOf(rows, hasSpeed ? ['speed'] : []);
          const [often, once] = [
            replayedDrive(text, 'plug-in-hybrid'),
            replayedDrive(text, 'plug-in-hybrid'),
          ];
          let atMs = START_MS;
          for (const ms of looks) {
            atMs += ms;
            often.advance(atMs);
            often.truth();
          }
          once.advance(atMs);
          expect(often.truth()).toEqual(once.truth());
        },
      ),
      { numRuns: 100 },
    );
  });
});
