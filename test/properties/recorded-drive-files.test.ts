import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findColumns } from '../../simulator/recorded-drives/column-names.ts';
import { driveColumnsSchema, mappingOf } from '../../simulator/recorded-drives/columns.ts';
import { csvOf, type DriveRow, driveIn, remarkOf, soundDrive } from '../support/vehicles/drive-file.ts';

const two = (value: number): string => String(value).padStart(2, '0');

describe('the unit of a column', () => {
  test('is never the last letters of a word', () => {
    const anyLetters = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(anyLetters, fc.constantFrom('km', 'm', 'mi', 'ft', 's', 'ms', 'kn'), (letters, unit) => {
        const header = `odo_x${letters}${unit}`;
        const mapping = mappingOf(driveColumnsSchema.parse({ odometer: header }));
        expect(findColumns([header], mapping).columns[0]).toMatchObject({ unit: 'km', unitFrom: 'nothing' });
        expect(findColumns([header]).columns).toEqual([]);
      }),
    );
    const mapping = mappingOf({ odometer: 'odo_bcm', time: 'timestamps', altitude: 'alt_from_left' });
    const { columns } = findColumns(['odo_bcm', 'timestamps', 'alt_from_left'], mapping);
    expect(columns.map(({ unit }) => unit)).toEqual(['auto', 'm', 'km']);
  });

  test.each([
    ['Speed (OBD)(mph)', 'mph'],
    ['speed_mps', 'mps'],
    ['speed_in_kph', 'kph'],
    ['GPS Speed (Meters/second)', 'meterssecond'],
    ['Speed [kn]', 'kn'],
    ['vehicleSpeed', 'kmh'],
    ['speedKmh', 'kmh'],
    ['Odometer (miles)', 'miles'],
    ['alt_ft', 'ft'],
    ['Fuel Level (%)', 'percent'],
  ])('of %s is %s', (header, unit) => {
    expect(findColumns([header]).columns).toMatchObject([{ unit }]);
  });
});

describe('a row of units below the names', () => {
  const table = (head: string, units: string, cells: string) =>
    [
      head,
      units,
      ...Array.from({ length: 60 }, (_, atS) => `${atS};${(52 + atS / 11_119.5).toFixed(6)};13.0;${cells}`),
    ].join('\n');

  test('is recognized by any unit in it, where time and place are units, empty or a sign', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', 's', '[s]', 'hh:mm:ss'),
        fc.constantFrom('', '°', '[°]', 'deg', '-'),
        fc.constantFrom('ft', '[ft]', '(feet)'),
        (time, place, unit) => {
          const { route, remarks } = soundDrive(
            table('time;lat;lon;alt', `${time};${place};${place};${unit}`, '656'),
          );
          expect(route.corners[3]?.altitudeM).toBeCloseTo(199.95, 2);
          expect(remarks.filter(({ reason }) => !reason.includes('under way'))).toEqual([]);
        },
      ),
    );
  });

  test('counts for each of its columns', () => {
    const { route, remarks } = soundDrive(
      table('time;lat;lon;speed;alt;odometer', ';;;mph;ft;mi', '22.369;656;1000'),
    );
    expect(route.corners[3]?.altitudeM).toBeCloseTo(199.95, 2);
    expect(route.drive?.fromMileageKm).toBeCloseTo(1_609.344, 3);
    expect(remarks.filter(({ reason }) => !reason.includes('under way'))).toEqual([]);
  });
});

describe('what cannot be read', () => {
  test('is left out and counted up to a tenth of its kind, and a fault above', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 80 }),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom('time', 'latitude', 'speed', 'rpm', 'ignition'),
        (count, bad, kind) => {
          const columns = ['speed', 'rpm', 'ignition'];
          const at = ['time', 'latitude', 'longitude', ...columns].indexOf(kind);
          const rows = Array.from({ length: count }, (_, atS): DriveRow => [atS, 10 * atS, 36, 2_000, 'on']);
          const lines = csvOf(rows, columns).split('\n');
          const first = 3;
          for (let index = first; index < first + bad; index += 1) {
            const cells = (lines[index] ?? '').split(',');
            cells[at] = 'broken';
            lines[index] = cells.join(',');
          }
          const read = driveIn(lines.join('\n'));
          if (bad > count / 10) {
            expect(read.fault?.reason).toContain(
              `has ${kind === 'ignition' || kind === 'rpm' ? 'an' : 'a'} ${kind} that cannot be read`,
            );
            return;
          }
          if (read.fault !== undefined) throw new Error(read.fault.reason);
          const told = read.remarks.filter(({ reason }) => reason.includes('cannot be read'));
          expect(told).toMatchObject([{ place: `line ${first + 1}`, others: bad - 1 }]);
          expect(read.route.drive?.durationS).toBeCloseTo(count - 1, 6);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('harmless oddities', () => {
  const table = (head: string, cellsAt: (atS: number) => string) =>
    [
      `time;lat;lon;${head}`,
      ...Array.from(
        { length: 60 },
        (_, atS) => `${atS};${(52 + atS / 11_119.5).toFixed(6)};13.0;${cellsAt(atS)}`,
      ),
    ].join('\n');
  const untold = ({ reason }: { readonly reason: string }) => !reason.includes('under way');

  test.each(['--', 'No Data', '\\N', 'n/a'])('%s is no reading, and no fault however often', (nothing) => {
    const { route } = soundDrive(
      table('speed;rpm', (atS) => (atS % 2 === 0 ? '36;2100' : `${nothing};${nothing}`)),
    );
    expect(route.drive?.legs[20]?.rpm?.[0]).toBe(2_100);
    expect(route.drive?.legs[20]?.toMps).toBeCloseTo(10, 1);
  });

  test('numbers need no digit before their point', () => {
    const { route, remarks } = soundDrive(table('fuel;odometer', () => '.5;+.25'));
    expect(route.drive?.fromEnergyPercent).toBe(0.5);
    expect(route.drive?.fromMileageKm).toBe(0.25);
    expect(remarks.filter(untold)).toEqual([]);
  });

  test.each([
    ['y', 'ACC'],
    ['ON', 'LOCK'],
    ['Yes', 'N'],
  ])('%s is an ignition that is on, and %s one that is off', (on, off) => {
    const standing = Array.from(
      { length: 60 },
      (_, atS): DriveRow => [atS, 10 * Math.min(atS, 30), atS <= 30 ? on : off],
    );
    const { legs } = soundDrive(csvOf(standing, ['ignition'])).route.drive ?? { legs: [] };
    expect(legs[0]?.ignitionOn).toBe(true);
    expect(legs.at(-1)?.ignitionOn).toBe(false);
  });

  test('a quote that is not closed is text', () => {
    const quoted = table('"speed";note', (atS) => `"36";${atS === 20 ? '"left' : `"note ${atS}"`}`);
    const { route, remarks } = soundDrive(quoted);
    expect(route.drive?.durationS).toBeCloseTo(59, 6);
    expect(route.drive?.legs[20]?.toMps).toBeCloseTo(10, 1);
    expect(remarks.filter(untold).map(({ reason }) => reason)).toEqual([
      'has a quote that is not closed: quotes within cells count as text.',
    ]);
  });

  test.each([
    ['36 km/h;200 m;55%;10000 km', 200],
    ['10 m/s;656.168 ft;55 %;6213.712 mi', 200],
    ['19.438 kn;1,234.5 m;55;10000', 1_234.5],
    ['36,0 km/h;200 m;55 %;10000', 200],
  ])('values have their own units, as in %s', (cells, altitudeM) => {
    const { route, remarks } = soundDrive(table('speed;alt;fuel;odometer', () => cells));
    expect(route.drive?.legs[20]?.toMps).toBeCloseTo(10, 1);
    expect(route.corners[3]?.altitudeM).toBeCloseTo(altitudeM, 2);
    expect(route.drive?.fromEnergyPercent).toBe(55);
    expect(route.drive?.fromMileageKm).toBeCloseTo(10_000, 2);
    expect(remarks.filter(untold)).toEqual([]);
  });
});

describe('a log with one reading a line', () => {
  test('is one moment a place, whatever the order and the pace of its readings', () => {
    const anyReadings = fc.array(
      fc.record({
        name: fc.constantFrom('vehicle_speed', 'engine_speed', 'other'),
        afterS: fc.double({ min: 0, max: 0.9, noNaN: true }),
      }),
      { maxLength: 5 },
    );
    const value = { vehicle_speed: 36, engine_speed: 2_000, other: 1 };
    fc.assert(
      fc.property(
        fc.array(anyReadings, { minLength: 20, maxLength: 40 }),
        fc.boolean(),
        (seconds, isEastward) => {
          const events = seconds.flatMap((readings, atS) => [
            { name: 'latitude', value: isEastward ? 52 : 52 + atS / 11_119.5, timestamp: 1.8e9 + atS },
            { name: 'longitude', value: isEastward ? 13 + atS / 6_845.8 : 13, timestamp: 1.8e9 + atS + 0.01 },
            ...readings
              .toSorted((one, other) => one.afterS - other.afterS)
              .map(({ name, afterS }) => ({
                name,
                value: value[name],
                timestamp: 1.8e9 + atS + 0.02 + afterS,
              })),
          ]);
          const read = soundDrive(events.map((event) => JSON.stringify(event)).join('\n'));
          expect(read.route.drive?.durationS).toBeCloseTo(seconds.length - 1, 1);
          expect(read.route.drive?.wayM).toBeCloseTo(10 * (seconds.length - 1), 0);
          expect(read.remarks.filter(({ reason }) => !reason.includes('under way'))).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  const jsonLines = (seconds: number) =>
    Array.from({ length: seconds }, (_, atS) =>
      Object.entries({ latitude: 52 + atS / 11_119.5, longitude: 13, vehicle_speed: 36 }).map(
        ([name, reading], index) =>
          JSON.stringify({ name, value: reading, timestamp: 1.8e9 + atS + index / 100 }),
      ),
    ).flat();

  test('has its broken lines counted, up to a tenth of all, wherever they are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 60 }).chain((seconds) => {
          const anyPlaces = fc.uniqueArray(fc.nat({ max: 3 * seconds - 1 }), { minLength: 1, maxLength: 24 });
          // The form of a file is that of most of its first lines.
          const isSome = (places: readonly number[]) => places.filter((place) => place < 10).length < 5;
          return fc.record({ seconds: fc.constant(seconds), broken: anyPlaces.filter(isSome) });
        }),
        ({ seconds, broken }) => {
          const lines = jsonLines(seconds);
          for (const index of broken) lines[index] = (lines[index] ?? '').slice(0, 9);
          const { fault, ...read } = driveIn(lines.join('\n'));
          const first = `line ${Math.min(...broken) + 1}`;
          if (broken.length > lines.length / 10) {
            expect(fault).toMatchObject({ place: first });
            expect(fault?.reason).toContain('is broken JSON.');
            return;
          }
          const remarks = 'remarks' in read ? read.remarks : [];
          expect(remarks).toContainEqual({
            place: first,
            reason: 'is broken JSON; it is left out.',
            others: broken.length - 1,
          });
        },
      ),
      { numRuns: 100 },
    );
  });

  test('has a line without a signal remarked', () => {
    const lines = [...jsonLines(30), '{"bus":1,"id":2,"data":"0x00"}'];
    expect(remarkOf(lines.join('\n'), 'names no signal')).toBe('names no signal: left out.');
  });

  test('has a decimal comma or a decimal point in all of its columns', () => {
    const log = (mark: string) =>
      [
        'SECONDS;PID;VALUE;UNITS;LATITUDE;LONGTITUDE',
        ...Array.from({ length: 60 }, (_, atS) =>
          `${30_500 + atS}.5;Vehicle speed;36.5;km/h;${(52 + atS / 11_119.5).toFixed(6)};13.0`.replaceAll(
            '.',
            mark,
          ),
        ),
      ].join('\n');
    const { drive } = soundDrive(log(',')).route;
    expect(drive?.durationS).toBeCloseTo(59, 6);
    expect(drive).toEqual(soundDrive(log('.')).route.drive);
  });
});

describe('a row with more cells than there are columns', () => {
  const row = (atS: number, text: string) =>
    `2026-05-04T08:15:${two(atS)}Z,${(52 + atS / 10_000).toFixed(6)},13.000001,${text},36,55,1234.5`;
  const table = (texts: readonly string[]) =>
    ['time,latitude,longitude,address,speed,fuel,odometer', ...texts.map((text, atS) => row(atS, text))].join(
      '\n',
    );

  test('gives its time and place, and no other reading', () => {
    const text = fc.array(fc.constantFrom('Main Street 5', 'Town', '80', 'x y'), {
      minLength: 2,
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(text, { minLength: 20, maxLength: 40 }), (texts) => {
        const { route, remarks } = soundDrive(table(texts.map((parts) => parts.join(', '))));
        expect(route.drive?.durationS).toBeCloseTo(texts.length - 1, 3);
        expect(route.drive?.fromEnergyPercent).toBeUndefined();
        expect(route.drive?.fromMileageKm).toBeUndefined();
        const told = remarks.filter(({ reason }) => /^has \d+ cells for 7 columns/.test(reason));
        expect(told).toMatchObject([{ others: texts.length - 1 }]);
      }),
      { numRuns: 50 },
    );
  });

  test('has its columns in place where they are right there, and the other cells behind them', () => {
    const anyHead = fc.constantFrom(
      'time,lat,lon',
      'id,time,lat,lon',
      'time,lat,lon,speed',
      'id,lat,lon,time',
    );
    const value = (name: string, atS: number) =>
      ({ time: 1.8e9 + atS, lat: (52 + atS / 11_119.5).toFixed(6), lon: 13, id: 7, speed: 36 })[name] ?? '';
    fc.assert(
      fc.property(
        anyHead,
        fc.array(fc.constantFrom('GPS', '8', '7.5'), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 20 }),
        (head, extras, every) => {
          const rows = Array.from({ length: 40 }, (_, atS) => {
            const cells = head.split(',').map((name) => value(name, atS));
            return [...cells, ...(atS % every === 0 ? extras : [])].join(',');
          });
          const { route, remarks } = soundDrive([head, ...rows].join('\n'));
          expect(route.drive?.durationS).toBeCloseTo(39, 3);
          expect(route.drive?.wayM).toBeCloseTo(390, 0);
          expect(remarks.filter(({ reason }) => / cells for /.test(reason))).toHaveLength(1);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('has a time that agrees with the rows of the right width', () => {
    const cells = (atS: number) => `${(52 + atS / 11_119.5).toFixed(6)},13.5,${1.8e9 + atS}`;
    const rows = Array.from({ length: 40 }, (_, atS) => `${atS === 20 ? '1,5' : 'car'},${cells(atS)}`);
    const { route, remarks } = soundDrive(['name,lat,lon,time', ...rows].join('\n'));
    expect(route.drive?.wayM).toBeCloseTo(390, 0);
    expect(route.drive?.durationS).toBeCloseTo(39, 3);
    expect(remarks.map(({ reason }) => reason).filter((reason) => !reason.includes('under way'))).toEqual([
      'has 5 cells for 4 columns: only its time and place are read. Texts with the delimiter in them take quotes.',
    ]);
  });

  test('is a fault in more than a tenth of them where time and place are uncertain, as with decimal commas', () => {
    const rows = Array.from({ length: 20 }, (_, atS) => `${atS},52,${1_000 + atS},13,5`);
    expect(driveIn(['time,latitude,longitude', ...rows].join('\n')).fault?.reason).toContain(
      'has 5 cells for 3 columns: its time and place are uncertain. Texts with the delimiter in them take quotes.',
    );
  });
});
