import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { START_MS, truthOf } from '../support/vehicles/any-vehicle.ts';
import {
  anyDrivenWay,
  apartM,
  type DrivenMoment,
  drivenAt,
  momentBefore,
} from '../support/vehicles/drawn-drive.ts';
import { replayedDrive, soundDrive } from '../support/vehicles/drive-file.ts';
import {
  anyTableForm,
  anyTimeForm,
  CLOCK_CHANGES,
  geoJsonText,
  gpxText,
  type TableForm,
  tableText,
} from '../support/vehicles/written-drive.ts';

/** Seven digits of a degree are a centimetre; the vehicle goes straight, on the sphere. */
const PLACE_M = 0.3;

/** What is told of a sound drive with gaps that begins under way. */
const SOUND = /^(is under way|follows after|has no place|has dates that can be read in two ways)/;

/** Whether the moments around a time are far apart: then the way between them is driven at one speed. */
function isGap(moments: readonly DrivenMoment[], atS: number): boolean {
  const index = momentBefore(moments, atS);
  const [from, to] = [moments[index], moments[index + 1]];
  return from !== undefined && to !== undefined && to.atS - from.atS > 10;
}

/** Looks at random times of a drive, in order. */
function looksAt(moments: readonly DrivenMoment[], shares: readonly number[]): readonly number[] {
  const endS = moments.at(-1)?.atS ?? 0;
  // A vehicle is parked once its drive has ended.
  const between = shares.map((share) => Math.floor(share * (endS - 0.2) * 1_000) / 1_000);
  return [...moments.slice(0, -1).map(({ atS }) => atS), ...between].sort((one, other) => one - other);
}

const anyLooks = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 10, maxLength: 20 });
const wayOf = (moments: readonly DrivenMoment[]) =>
  moments.slice(1).reduce((sum, one, index) => sum + apartM(moments[index] ?? one, one), 0);

const timeZone = process.env['TZ'];
afterEach(() => {
  if (timeZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = timeZone;
});

describe('a vehicle that replays a file', () => {
  test('is at every time where an independent reading of the table has it, with its speed and readings', () => {
    fc.assert(
      fc.property(anyDrivenWay, anyTableForm, anyTimeForm, anyLooks, (moments, table, time, shares) => {
        const text = tableText(moments, table, time);
        const { route, remarks } = soundDrive(text);
        // Nothing had to be mended: no unit, no time, no place.
        expect(remarks.map(({ reason }) => reason).filter((reason) => !SOUND.test(reason))).toEqual([]);
        const endS = moments.at(-1)?.atS ?? 0;
        expect(route.drive?.durationS).toBeCloseTo(endS, 6);
        expect(route.drive?.wayM).toBeCloseTo(wayOf(moments), 0);
        expect(route.drive?.fromMileageKm).toBeCloseTo(moments[0]?.mileageKm ?? 0, 3);
        const vehicle = replayedDrive(text, 'petrol-compact');
        for (const atS of looksAt(moments, shares)) {
          vehicle.advance(START_MS + atS * 1_000);
          const [now, wanted] = [truthOf(vehicle), drivenAt(moments, atS)];
          expect(now.ignitionOn).toBe(true);
          expect(Math.abs(now.engineRpm - wanted.rpm), 'rpm').toBeLessThan(1);
          expect(Math.abs(now.energyPercent - wanted.energyPercent), 'fuel').toBeLessThan(0.002);
          if (isGap(moments, atS)) continue;
          expect(apartM(now, wanted), `place at ${atS} s`).toBeLessThan(PLACE_M);
          expect(Math.abs(now.speedKph - wanted.speedMps * 3.6), `speed at ${atS} s`).toBeLessThan(0.05);
          expect(Math.abs(now.altitudeM - wanted.altitudeM), 'altitude').toBeLessThan(0.1);
          expect(Math.abs(now.mileageKm - wanted.mileageKm), 'mileage').toBeLessThan(0.002);
        }
        vehicle.advance(START_MS + endS * 1_000 + 1_000);
        expect(truthOf(vehicle)).toMatchObject({ ignitionOn: false, speedKph: 0 });
      }),
      { numRuns: 16 },
    );
  });

  test('drives a gap straight, at nearly one speed, and never back', () => {
    fc.assert(
      fc.property(anyDrivenWay, anyTimeForm, fc.constantFrom(2, 4, 7, 10), (moments, time, parts) => {
        const said = soundDrive(gpxText(moments, time)).remarks.map(({ reason }) => reason);
        expect(said.filter((reason) => !SOUND.test(reason))).toEqual([]);
        const vehicle = replayedDrive(gpxText(moments, time), 'petrol-compact');
        for (const [index, from] of moments.entries()) {
          const to = moments[index + 1];
          if (to === undefined || to.atS - from.atS <= 10) continue;
          const lengthM = apartM(from, to);
          let beforeM = 0;
          for (let part = 1; part < parts; part += 1) {
            vehicle.advance(START_MS + (from.atS + ((to.atS - from.atS) * part) / parts) * 1_000);
            const now = truthOf(vehicle);
            const doneM = apartM(from, now);
            expect(Math.abs(doneM + apartM(now, to) - lengthM)).toBeLessThan(1 + lengthM * 1e-4);
            expect(doneM).toBeGreaterThanOrEqual(beforeM);
            // The speed is reached from the first one, and left for the last, at 1.5 m/s².
            const meanMps = lengthM / (to.atS - from.atS);
            const rampsM = ((from.speedMps - meanMps) ** 2 + (to.speedMps - meanMps) ** 2) / 3;
            expect(Math.abs(doneM - (lengthM * part) / parts)).toBeLessThan(1 + lengthM * 0.01 + rampsM);
            if (part * 2 === parts) {
              expect(now.speedKph / 3.6).toBeGreaterThan(meanMps / 2.01);
              expect(now.speedKph / 3.6).toBeLessThan(meanMps * 2.01);
            }
            beforeM = doneM;
          }
        }
      }),
      { numRuns: 16 },
    );
  });

  test('is at the places of the file at its times where it has no speeds, and has the speed of the way', () => {
    let [compared, same] = [0, 0];
    fc.assert(
      fc.property(anyDrivenWay, anyTableForm, anyTimeForm, (moments, table, time) => {
        const vehicle = replayedDrive(
          tableText(moments, { ...table, speed: undefined }, time),
          'petrol-compact',
        );
        for (const [index, moment] of moments.entries()) {
          const [before, after] = [moments[index - 1], moments[index + 1]];
          if (before === undefined || after === undefined) continue;
          vehicle.advance(START_MS + moment.atS * 1_000);
          const now = truthOf(vehicle);
          expect(apartM(now, moment), `place at ${moment.atS} s`).toBeLessThan(PLACE_M);
          const wayM = apartM(before, moment) + apartM(moment, after);
          const isMoving = before.speedMps > 0 && moment.speedMps > 0 && after.speedMps > 0;
          if (!isMoving || isGap(moments, moment.atS) || isGap(moments, before.atS)) continue;
          const overMps = now.speedKph / 3.6 - wayM / (after.atS - before.atS);
          expect(overMps).toBeLessThan(0.05);
          compared += 1;
          // It is lower near a place where it changes by more than 4 m/s².
          if (overMps > -0.05) same += 1;
        }
      }),
      { numRuns: 14 },
    );
    expect(same).toBeGreaterThan(compared * 0.7);
  });
});

describe('the times of a file', () => {
  const FORMS = ['local', 'german', 'iso', 'seconds', 'elapsed', 'milliseconds'] as const;
  const table: TableForm = {
    delimiter: ';',
    hasDecimalComma: false,
    end: '\n',
    speed: 'speed',
    height: 'altitude',
    mileage: 'odometer',
    isJson: false,
    leadS: 0,
  };

  /** The times at which a leg ends, in milliseconds. */
  function legEnds(text: string): ReadonlySet<number> {
    const ends = new Set<number>();
    let untilS = 0;
    for (const { durationS } of soundDrive(text).route.drive?.legs ?? []) {
      untilS += durationS;
      ends.add(Math.round(untilS * 1_000));
    }
    return ends;
  }

  test('are the same in each form, and in each zone of the file and of the machine, when clocks change', () => {
    const anyZones = fc.array(fc.constantFrom(0, 60, 120, -300, 330, -210, 765), { minLength: 1 });
    let changed = 0;
    fc.assert(
      fc.property(anyDrivenWay, anyZones, (moments, zones) => {
        const wanted = moments
          .slice(1)
          .filter(({ speedMps }) => speedMps > 0)
          .map(({ atS }) => Math.round(atS * 1_000));
        const durationMs = Math.round((moments.at(-1)?.atS ?? 0) * 1_000);
        for (const [zone, startMs] of CLOCK_CHANGES) {
          process.env['TZ'] = zone;
          const offset = (ms: number) => new Date(ms).getTimezoneOffset();
          if (offset(startMs - 86_400_000) !== offset(startMs + 86_400_000)) changed += 1;
          const texts = FORMS.map((form) => tableText(moments, table, { form, startMs, zones }));
          const time = { form: 'iso', startMs, zones } as const;
          for (const text of [...texts, gpxText(moments, time), geoJsonText(moments, time)]) {
            const ends = legEnds(text);
            expect(Math.max(...ends), `${zone} ${text.slice(0, 300)}`).toBe(durationMs);
            expect(wanted.filter((ms) => !ends.has(ms))).toEqual([]);
          }
        }
      }),
      { numRuns: 2 },
    );
    // The machine was in another zone indeed.
    expect(changed).toBe(14);
  });
});
