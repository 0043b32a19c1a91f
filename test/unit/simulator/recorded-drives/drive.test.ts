import { describe, expect, test } from 'vitest';
import { driveColumnsSchema, mappingOf } from '../../../../simulator/recorded-drives/columns.ts';
import type { RecordedDrive } from '../../../../simulator/routes/recorded-drive.ts';
import { placedSentence, remarkSentence } from '../../../../simulator/routes/remarks.ts';
import {
  csvOf,
  type DriveRow,
  driveIn,
  latitudeAt,
  soundDrive,
} from '../../../support/vehicles/drive-file.ts';

/** So many seconds at ten metres a second, from that moment and place on. */
function steadily(seconds: number, fromS = 0, fromM = 0): readonly DriveRow[] {
  return Array.from({ length: seconds + 1 }, (_, second) => [fromS + second, fromM + 10 * second] as const);
}

function driveOf(text: string, reading?: Parameters<typeof soundDrive>[1]): RecordedDrive {
  const { drive } = soundDrive(text, reading).route;
  if (drive === undefined) throw new Error('no recorded drive');
  return drive;
}

function remarksOf(text: string): readonly string[] {
  return soundDrive(text).remarks.map((remark) => remarkSentence('trip.csv', remark));
}

function faultOf(text: string, reading?: Parameters<typeof driveIn>[1]): string {
  const { fault } = driveIn(text, reading);
  return fault === undefined ? 'no fault' : placedSentence('trip.csv', fault);
}

/** The speeds at the ends of the legs, in whole km/h. */
const speedsOf = ({ legs }: RecordedDrive): readonly number[] =>
  legs.map(({ toMps }) => Math.round(toMps * 3.6));

describe('a recorded drive is read', () => {
  test('from CSV with the speed reckoned from the way, in as many seconds and metres as were recorded', () => {
    const { durationS, wayM, legs } = driveOf(csvOf(steadily(30)));
    expect(durationS).toBeCloseTo(30, 6);
    expect(wayM).toBeCloseTo(300, 0);
    expect(legs.every(({ ignitionOn }) => ignitionOn)).toBe(true);
    expect(speedsOf({ legs, durationS, wayM })).toContain(36);
  });

  test('by the names that loggers give their columns, with units in them', () => {
    const rows = Array.from({ length: 20 }, (_, second) =>
      [
        `2026-05-04T08:15:${String(second).padStart(2, '0')}.500+02:00`,
        latitudeAt(15 * second),
        '13',
        '33.554',
        '2100',
        '61.5',
        '10000',
      ].join(';'),
    );
    const head = 'GPS Time; Latitude;Longitude;Speed (OBD)(mph);Engine RPM(rpm);Fuel Level (%);Odometer [mi]';
    const drive = driveOf([head, ...rows].join('\r\n'));
    expect(speedsOf(drive).slice(1)).toEqual(Array.from({ length: 18 }, () => 54));
    expect(drive.legs[3]).toMatchObject({ rpm: [2100, 2100], toEnergyPercent: 61.5 });
    expect(drive.fromMileageKm).toBeCloseTo(16_093.44, 2);
  });

  test('with decimal commas where semicolons part the columns', () => {
    const rows = steadily(20).map(([atS, northM]) =>
      `${atS},0;${latitudeAt(northM)};13,0`.replaceAll('.', ','),
    );
    expect(driveOf(['time;lat;lon', ...rows].join('\n')).wayM).toBeCloseTo(200, 0);
  });

  test('from columns of any name by a mapping, and in the unit that it says', () => {
    const rows = steadily(20).map(([atS, northM]) => `${atS * 1_000},${latitudeAt(northM)},13,10`);
    const columns = driveColumnsSchema.parse({
      time: { column: 'Zeit', unit: 'ms' },
      latitude: 'Breite',
      longitude: 'L',
      speed: { column: 'v', unit: 'mps' },
    });
    const mapping = mappingOf(columns);
    const drive = driveOf(['Zeit,Breite,L,v', ...rows].join('\n'), { mapping });
    expect(drive.durationS).toBe(20);
    expect(speedsOf(drive)).toContain(36);
    expect(faultOf('time,lat,lon\n1,2,3', { mapping })).toBe(
      'trip.csv, line 1, has no column Zeit, nor Breite, nor L, nor v of the mapping. There are: time, lat, lon.',
    );
  });

  test('from a GPX track with times, and with the speed of an extension in metres per second', () => {
    const points = steadily(20).map(
      ([atS, northM]) =>
        `<trkpt lat="${latitudeAt(northM)}" lon="13"><ele>40</ele><time>2026-05-04T08:15:${String(atS).padStart(2, '0')}Z</time><extensions><x:TrackPointExtension><x:speed>9.5</x:speed></x:TrackPointExtension></extensions></trkpt>`,
    );
    const drive = driveOf(`<gpx xmlns:x="y"><trk><trkseg>${points.join('\n')}</trkseg></trk></gpx>`);
    expect(drive.durationS).toBe(20);
    expect(speedsOf(drive)[5]).toBe(34);
  });

  test('from a GeoJSON line with coordinateProperties, and from points with a time each', () => {
    const rows = steadily(20);
    const line = {
      type: 'Feature',
      properties: {
        coordinateProperties: { times: rows.map(([atS]) => new Date(atS * 1_000).toISOString()) },
      },
      geometry: { type: 'LineString', coordinates: rows.map(([, northM]) => [13, latitudeAt(northM)]) },
    };
    const points = {
      type: 'FeatureCollection',
      features: rows.map(([atS, northM]) => ({
        type: 'Feature',
        properties: { timestamp: atS, speed_in_kph: 34, ignition: true },
        geometry: { type: 'Point', coordinates: [13, latitudeAt(northM)] },
      })),
    };
    expect(driveOf(JSON.stringify(line)).wayM).toBeCloseTo(200, 0);
    expect(speedsOf(driveOf(JSON.stringify(points)))[5]).toBe(34);
  });

  test('with the ignition as it was told, cut where it was turned', () => {
    const rows: DriveRow[] = [
      ...[0, 4].map((atS): DriveRow => [atS, 0, 0, 'off']),
      ...steadily(20, 8).map(([atS, northM]): DriveRow => [atS, northM, 36, 'on']),
      ...[30, 40, 90].map((atS): DriveRow => [atS, 200, 0, atS === 30 ? 'on' : 'off']),
    ];
    const { legs } = driveOf(csvOf(rows, ['speed', 'ignition']));
    expect(legs[0]).toMatchObject({ lengthM: 0, ignitionOn: false });
    expect(legs.filter(({ lengthM }) => lengthM > 0).every(({ ignitionOn }) => ignitionOn)).toBe(true);
    expect(legs.slice(-2)).toEqual([
      expect.objectContaining({ durationS: 10, ignitionOn: true }),
      expect.objectContaining({ durationS: 50, ignitionOn: false }),
    ]);
  });
});

describe('what a drive lacks is bridged and told', () => {
  test.each<readonly [string, readonly DriveRow[], string]>([
    [
      'a gap is drawn straight',
      [...steadily(10), ...steadily(10, 40, 400)],
      'trip.csv, line 13, follows after 30 s without a place, 300 m away: the way between is drawn straight.',
    ],
    [
      'a time twice is left out',
      [...steadily(10), [10, 101], [10, 102], ...steadily(10, 11, 110)],
      'trip.csv, line 13, has the time of the one before it: left out (and 1 more).',
    ],
    [
      'a time that goes back for a moment is left out',
      [...steadily(10), [4, 105], ...steadily(10, 11, 110)],
      'trip.csv, line 13, has a time before that of the one before it: left out.',
    ],
    [
      'a time that leaps for a moment is left out',
      [...steadily(10), [4_000, 105], ...steadily(10, 11, 110)],
      'trip.csv, line 13, has a time after that of the next one: left out.',
    ],
    [
      'a clock that was set back goes on',
      [...steadily(10, 5_000), ...steadily(10, 100, 110)],
      'trip.csv, line 13, is on a clock that was set back by 82 min: the drive goes on after 1 s.',
    ],
    [
      'a clock that was set forward goes on',
      [...steadily(10), ...steadily(10, 1_777_000_000, 110)],
      'trip.csv, line 13, is on a clock that was set forward by 493611 h: the drive goes on after 1 s.',
    ],
    [
      'a place where no vehicle can be is left out',
      [...steadily(10), [11, 90_000], ...steadily(10, 12, 120)],
      'trip.csv, line 13, is 89900 m from the point before it, 1 s later, where no vehicle can be: left out.',
    ],
    [
      'a drive that begins under way begins with its speed',
      steadily(10).map(([atS, northM]) => [atS, 3 * northM]),
      'trip.csv, line 2, is under way at 108 km/h: the drive begins with that speed at once.',
    ],
  ])('%s', (_, rows, remark) => {
    expect(remarksOf(csvOf(rows))).toContain(remark);
  });

  test('a long standstill without a word has the ignition off, and a receiver that drifts stays in its place', () => {
    const drift = Array.from({ length: 60 }, (_, index): DriveRow => [11 + index, 100 + (index % 3)]);
    const standing = driveOf(csvOf([...steadily(10), ...drift, ...steadily(10, 72, 100)]));
    expect(standing.wayM).toBeCloseTo(200, -1);
    expect(standing.legs.some(({ lengthM, durationS }) => lengthM === 0 && durationS > 50)).toBe(true);
    expect(standing.legs.every(({ ignitionOn }) => ignitionOn)).toBe(true);
    const parked = driveOf(csvOf([...steadily(10), ...steadily(10, 2_000, 101)]));
    expect(parked.legs.some(({ lengthM, ignitionOn }) => lengthM === 0 && !ignitionOn)).toBe(true);
  });

  test('rows without a place or a time, and readings that no vehicle has, are left out', () => {
    const text = csvOf(
      steadily(20).map((row) => [...row, row[0] === 5 ? 900 : 36]),
      ['speed'],
    )
      .replace(/^7,[^,]*,13/m, '7,,')
      .replace(/^9,[^,]*,13/m, '9,0,0')
      .replace(/^11,/m, '-,');
    expect(remarksOf(text)).toEqual(
      expect.arrayContaining([
        'trip.csv, line 7, has a speed that no vehicle has: left out.',
        'trip.csv, line 9, has no place: the way is drawn straight to the next one (and 1 more).',
        'trip.csv, line 13, has no time: left out.',
      ]),
    );
  });
});

describe('what cannot be replayed is refused with its place', () => {
  const point = { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [13, 52] } };
  test.each([
    ['', 'is empty.'],
    ['time,latitude,longitude', 'has no rows below its first line.'],
    ['when,where\n1,2', 'has no column for the time and the latitude and the longitude, such as "time".'],
    ['time,lat,lon\n1,52,13\n2,north,13', 'line 3, has a latitude that cannot be read: north is no number.'],
    [
      'time,lat,lon\nnoon,52,13',
      'line 2, has a time that cannot be read: noon is no time: 2026-05-04T08:15:00Z',
    ],
    ['time,lat,lon,ignition\n1,52,13,maybe', 'line 2, has an ignition that cannot be read'],
    ['time,lat,lon\n1,"52,13\n2,52,13', 'line 2, has a latitude that cannot be read: "52 is no number'],
    ['time,lat,lon\n1,52,13', 'has one moment only with a time and a place; a drive takes two at least.'],
    [
      csvOf([
        [0, 0],
        [10, 5],
      ]),
      'is 5 m long; a drive has 50 m at least.',
    ],
    [
      csvOf([...steadily(5), ...steadily(9, 6, 60_000)]),
      'and the drive goes on from there. Cut the file into two',
    ],
    [
      '{"type":"Polygon","coordinates":[[13,52],[13,53]]}',
      'is no recorded drive: it is of the type Polygon. A drive is a LineString with',
    ],
    [
      '<gpx><trk><trkseg><trkpt lat="52" lon="13"/></trkseg></trk></gpx>',
      'has no moment with a time and a place',
    ],
    [
      '{"type":"LineString","coordinates":[[13,52],[13,53]]}',
      'is no recorded drive: none of its 2 points has a time; drive along it with --route.',
    ],
    [
      JSON.stringify({ type: 'FeatureCollection', features: [point, point, point] }),
      'is no recorded drive: none of its 3 points has a time; drive along it with --route.',
    ],
    [
      '{"type":"Feature","properties":{"coordinateProperties":{"times":[1]}},"geometry":{"type":"LineString","coordinates":[[13,52],[13,53]]}}',
      'properties.coordinateProperties.times, has 1 values for 2 positions.',
    ],
  ])('%j', (text, reason) => {
    expect(faultOf(text)).toContain(reason);
  });
});
