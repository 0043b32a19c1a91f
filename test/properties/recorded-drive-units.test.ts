import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { driveColumnsSchema, mappingOf } from '../../simulator/recorded-drives/columns.ts';
import {
  csvOf,
  type DriveRow,
  driveIn,
  latitudeAt,
  remarkOf,
  soundDrive,
} from '../support/vehicles/drive-file.ts';

/** Metres per second in each unit that a log may have without saying so. */
const UNITS = { kmh: 1 / 3.6, mps: 1, mph: 0.44704, knots: 0.514444 } as const;

/** A drive of some hundred metres, with a stop, and a receiver's errors. */
const anyMotion = fc
  .array(fc.record({ mps2: fc.integer({ min: -3, max: 3 }), errorM: fc.integer({ min: -2, max: 2 }) }), {
    minLength: 60,
    maxLength: 90,
  })
  .map((steps) => {
    let [northM, mps, movingMps] = [0, 0, 15];
    return steps.map(({ mps2, errorM }, atS) => {
      const isStanding = atS >= 10 && atS < 20;
      movingMps = Math.min(Math.max(movingMps + mps2, 8), 30);
      const before = atS === 0 ? movingMps : mps;
      mps = isStanding ? 0 : movingMps;
      if (atS > 0) northM += (before + mps) / 2;
      return { atS, northM: northM + (isStanding ? 0 : errorM), mps };
    });
  });

describe('a recorded speed', () => {
  test('is read in the unit in which it agrees with the way, whatever unit the log assumes', () => {
    fc.assert(
      fc.property(anyMotion, fc.constantFrom(...Object.entries(UNITS)), (motion, [unit, factor]) => {
        const rows = motion.map(({ atS, northM, mps }): DriveRow => [atS, northM, mps / factor]);
        const text = csvOf(rows, ['speed']);
        const told = remarkOf(text, 'has speeds that agree');
        expect(told === undefined).toBe(unit === 'kmh');
        const { legs } = soundDrive(text).route.drive ?? { legs: [] };
        const fastest = Math.max(...legs.map(({ toMps }) => toMps));
        expect(fastest).toBeLessThanOrEqual(Math.max(...motion.map(({ mps }) => mps)) * 1.001);
        expect(fastest).toBeGreaterThan(5);
      }),
      { numRuns: 200 },
    );
  });

  test('is kept and remarked where it agrees in no unit, or where a mapping says its unit', () => {
    const rows = Array.from({ length: 60 }, (_, atS): DriveRow => [atS, 10 * atS, 250]);
    expect(remarkOf(csvOf(rows, ['speed']), 'has speeds')).toBe(
      'has speeds that do not agree with its way: in km/h they are 6.94 times the speed of its way. They are kept; a mapping gives their unit, or that of the time.',
    );
    const mapping = mappingOf(driveColumnsSchema.parse({ speed: { column: 'v', unit: 'kmh' } }));
    const inMps = csvOf(
      rows.map(([atS, northM]): DriveRow => [atS, northM, 10]),
      ['v'],
    );
    const { remarks, route } = soundDrive(inMps, { mapping });
    expect(remarks.map(({ reason }) => reason)).toContain(
      'has speeds that do not agree with its way: in km/h they are 0.278 times the speed of its way. They are kept; a mapping gives their unit, or that of the time.',
    );
    expect(route.drive?.legs[9]?.toMps).toBeCloseTo(10 / 3.6, 3);
  });
});

describe('a factor between recorded speeds and the way', () => {
  const steadily = (seconds: number, factorAt: (atS: number) => number) =>
    csvOf(
      Array.from({ length: seconds }, (_, atS): DriveRow => [atS, 10 * atS, 36 / factorAt(atS)]),
      ['speed'],
    );

  test('is no unit where it varies, although its median is that of a unit', () => {
    const anyLow = fc.double({ min: 0.5, max: 0.75, noNaN: true });
    const anyHigh = fc.double({ min: 1.3, max: 2.5, noNaN: true });
    const anyFactors = fc
      .tuple(anyLow, anyLow, fc.constant(1), anyHigh, anyHigh)
      .chain((all) => fc.shuffledSubarray(all, { minLength: 5 }));
    fc.assert(
      fc.property(anyFactors, fc.constantFrom(...Object.values(UNITS)), (factors, unit) => {
        const text = steadily(600, (atS) => (factors[Math.floor(atS / 120)] ?? 1) * unit * 3.6);
        expect(remarkOf(text, 'has speeds that agree')).toBeUndefined();
      }),
      { numRuns: 100 },
    );
    const varying = [1.1, 1.2, 1.6, 2, 2.4];
    expect(
      remarkOf(
        steadily(600, (atS) => varying[Math.floor(atS / 60) % 5] ?? 1),
        'has speeds',
      ),
    ).toContain('do not agree with its way');
  });

  test('is one of a unit in spite of a few stretches without a true speed', () => {
    const text = steadily(600, (atS) => (atS < 60 ? 5 : 1.609_344));
    expect(remarkOf(text, 'has speeds')).toContain('they are read in mph');
  });

  test('does not replace a stated unit where points are so far apart that bends explain it', () => {
    const winding = (column: string) =>
      csvOf(
        Array.from({ length: 60 }, (_, index): DriveRow => [20 * index, 124 * index, 22.37]),
        [column],
      );
    expect(remarkOf(winding('speed (mph)'), 'has speeds')).toContain(
      'do not agree with its way: in mph they are 1.61 times the speed of its way',
    );
    const close = csvOf(
      Array.from({ length: 60 }, (_, atS): DriveRow => [atS, 10 * atS, 36]),
      ['speed (mph)'],
    );
    expect(remarkOf(close, 'has speeds')).toContain('they are read in km/h');
    const far = csvOf(
      Array.from({ length: 60 }, (_, index): DriveRow => [20 * index, 200 * index, 36]),
      ['GPS Speed (Meters/second)'],
    );
    expect(remarkOf(far, 'has speeds')).toContain('agree with its way in km/h, not in m/s');
  });
});

describe('times without recorded speeds', () => {
  test('are remarked where half of the way is driven below 2 km/h or above 200 km/h', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.02, max: 90, noNaN: true }), fc.boolean(), (mps, hasPause) => {
        const rows = Array.from(
          { length: 40 },
          (_, index): DriveRow => [(20 * index) / mps + (hasPause && index > 20 ? 7_200 : 0), 20 * index],
        );
        const told = remarkOf(csvOf(rows), 'moves at');
        if (mps * 3.6 > 2.01 && mps * 3.6 < 199) expect(told).toBeUndefined();
        if (mps * 3.6 < 1.99 || mps * 3.6 > 201)
          expect(told).toContain('km/h for half of its way: its times are implausible.');
      }),
      { numRuns: 100 },
    );
  });

  test('are not the fourth number of positions where no vehicle is that fast or slow', () => {
    const line = (stepOf: number) =>
      JSON.stringify({
        type: 'LineString',
        coordinates: Array.from({ length: 60 }, (_, index) => [
          13,
          latitudeAt(10 * index),
          200,
          90 + stepOf * index,
        ]),
      });
    expect(soundDrive(line(1)).route.drive?.durationS).toBeCloseTo(59, 3);
    for (const step of [0.1, 30]) expect(driveIn(line(step)).fault?.reason).toContain('is no recorded drive');
  });
});

describe('a recorded speed of a log with few points', () => {
  const rows = (stepS: number, kph: number) =>
    csvOf(
      Array.from({ length: 60 }, (_, index): DriveRow => [index * stepS, 10 * stepS * index, kph]),
      ['speed'],
    );

  test('is compared with the way, too', () => {
    expect(remarkOf(rows(30, 36), 'has speeds')).toBeUndefined();
    expect(remarkOf(rows(30, 19.44), 'has speeds')).toContain('they are read in knots');
  });

  test('tells a time without a unit that is in milliseconds', () => {
    const text = csvOf(
      Array.from({ length: 60 }, (_, atS): DriveRow => [1_000 * atS, 10 * atS, 36]),
      ['speed'],
    );
    expect(remarkOf(text, 'has speeds')).toContain('1000 times the speed of its way');
  });

  test('is left out where it is 0 along the way', () => {
    expect(remarkOf(rows(1, 0), 'has speeds')).toBe(
      'has speeds that are 0 along its way: they are left out.',
    );
    expect(soundDrive(rows(1, 0)).route.drive?.legs[9]?.toMps).toBeCloseTo(10, 1);
  });
});

describe('a recorded odometer', () => {
  test('is read in the unit in which it agrees with the way', () => {
    const from = (perM: number) =>
      soundDrive(
        csvOf(
          Array.from({ length: 60 }, (_, atS): DriveRow => [atS, 20 * atS, 5_000 + 20 * atS * perM]),
          ['odometer'],
        ),
      ).route.drive?.fromMileageKm;
    expect(from(0.001)).toBe(5_000);
    expect(from(1)).toBe(5);
    expect(from(0.001 / 1.609344)).toBeCloseTo(8_046.72, 2);
    expect(from(0.003)).toBe(5_000);
  });

  const metresOf = (readings: readonly number[]) =>
    soundDrive(
      csvOf(
        readings.map((reading, atS): DriveRow => [atS, 10 * atS, reading]),
        ['odometer'],
      ),
    );

  test('is recognized in metres by two steps, however coarse they are', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 10, 50, 100, 200),
        fc.integer({ min: 100_000, max: 900_000 }),
        (stepM, fromM) => {
          const readings = Array.from(
            { length: 90 },
            (_, atS) => Math.floor((fromM + 10 * atS) / stepM) * stepM,
          );
          const { route, remarks } = metresOf(readings);
          expect(route.drive?.fromMileageKm).toBeCloseTo((readings[0] ?? 0) / 1_000, 6);
          expect(remarks.map(({ reason }) => reason)).toContain(
            'has odometers that agree with its way in m, not in km: they are read in m, 0.001 times as much.',
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  test('is compared without single wrong readings, wherever they are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 299 }), fc.constantFrom(0, 17, 99_999_999), (wrongAt, wrong) => {
        const readings = Array.from({ length: 300 }, (_, atS) =>
          atS === wrongAt ? wrong : 1_234_567 + 10 * atS,
        );
        expect(metresOf(readings).route.drive?.fromMileageKm).toBeCloseTo(1_234.567, 6);
      }),
      { numRuns: 50 },
    );
  });

  test('in whole kilometres is kept, without a remark', () => {
    const rows = Array.from(
      { length: 90 },
      (_, atS): DriveRow => [atS, 30 * atS, 1_000 + Math.floor(0.03 * atS)],
    );
    const { route, remarks } = soundDrive(csvOf(rows, ['odometer']));
    expect(route.drive?.fromMileageKm).toBe(1_000);
    expect(remarks.filter(({ reason }) => reason.includes('odometer'))).toEqual([]);
  });
});
