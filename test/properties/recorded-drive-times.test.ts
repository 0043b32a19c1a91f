import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { driveColumnsSchema, mappingOf } from '../../simulator/recorded-drives/columns.ts';
import { timeFormatOf } from '../../simulator/recorded-drives/time-format.ts';
import { readTime } from '../../simulator/recorded-drives/time-text.ts';
import { soundDrive } from '../support/vehicles/drive-file.ts';

const anyMs = fc.integer({ min: Date.UTC(2001, 0), max: Date.UTC(2060, 0) }).map((ms) => ms - (ms % 1_000));
const two = (value: number): string => String(value).padStart(2, '0');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const GERMAN = ['Jan', 'Feb', 'Mär', 'Apr', 'Mai', 'Jun', 'Jul', 'Aug', 'Sep', 'Okt', 'Nov', 'Dez'];

/** The parts of a moment, as formats arrange them. */
function partsOf(ms: number) {
  const at = new Date(ms);
  return {
    year: String(at.getUTCFullYear()),
    month: two(at.getUTCMonth() + 1),
    name: MONTHS[at.getUTCMonth()] ?? '',
    day: two(at.getUTCDate()),
    clock: at.toISOString().slice(11, 19),
    half: `${two(at.getUTCHours() % 12 || 12)}:${at.toISOString().slice(14, 19)} ${at.getUTCHours() < 12 ? 'AM' : 'PM'}`,
  };
}

/** The formats of a moment whose parts have their place by themselves. */
const WRITTEN: Readonly<Record<string, (parts: ReturnType<typeof partsOf>) => string>> = {
  iso: ({ year, month, day, clock }) => `${year}-${month}-${day}T${clock}Z`,
  slashes: ({ year, month, day, clock }) => `${year}/${month}/${day} ${clock}`,
  compact: ({ year, month, day, clock }) => `${year}${month}${day}T${clock.replaceAll(':', '')}Z`,
  torque: ({ year, name, day, clock }) => `${day}-${name}-${year} ${clock}.000`,
  java: ({ year, name, day, clock }) => `Mon ${name} ${day} ${clock} GMT+00:00 ${year}`,
  american: ({ year, name, day, half }) => `${name} ${day}, ${year} ${half}`,
  spaced: ({ year, month, day, clock }) => `${year}${month}${day} ${clock}`,
  fileName: ({ year, month, day, clock }) => `${year}-${month}-${day}_${clock.replaceAll(':', '-')}`,
  zoned: ({ year, month, day, clock }) => `${year}-${month}-${day}T${clock}+00:00[Europe/London]`,
  script: ({ year, name, day, clock }) =>
    `Mon ${name} ${day} ${year} ${clock} GMT+0000 (Coordinated Universal Time of Somewhere)`,
  german: ({ year, month, day, clock }) => `${day}-${GERMAN[Number(month) - 1]}-${year} ${clock}`,
  mail: ({ year, name, day, clock }) => `Mon, ${day} ${name} ${year} ${clock} +0000`,
};

describe('a written time', () => {
  test('is the same moment in every form', () => {
    fc.assert(
      fc.property(anyMs, fc.constantFrom(...Object.values(WRITTEN)), (ms, written) => {
        expect(readTime(written(partsOf(ms)))).toBe(ms);
      }),
    );
  });

  test('has colons or dots between the parts of its clock', () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        const { year, month, day, clock } = partsOf(ms);
        const date = `${day}.${month}.${year}`;
        expect(readTime(`${date} ${clock.replaceAll(':', '.')}`)).toBe(readTime(`${date} ${clock}`));
        expect(readTime(`${date} ${clock.replace(':', '.')}`)).toBeUndefined();
      }),
    );
  });

  test.each([
    ['DD/MM/YYYY HH:mm:ss.SS', 'SS'],
    ['DD MMMM YYYY HH:mm:ss', 'MMMM'],
    ['dd/MM/yyyy HH:mm:ss', 'dd'],
    ['DD/MM/YYYY hh:mm:ss a', 'a'],
  ])('has a format without unknown letters: %s is refused because of %s', (format, unknown) => {
    const { error } = driveColumnsSchema.safeParse({ time: { column: 't', format } });
    expect(error?.issues[0]?.message).toContain(
      `a format without ${unknown}: its letters are YYYY, YY, MMM,`,
    );
  });

  test('is read by the format of a mapping, and by no other', () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        const { year, month, day, clock, half } = partsOf(ms);
        expect(timeFormatOf('DD/MM/YYYY HH:mm:ss')?.(`${day}/${month}/${year} ${clock}`)).toBe(ms);
        expect(timeFormatOf('MM/DD/YYYY hh:mm:ss A')?.(`${month}/${day}/${year} ${half}`)).toBe(ms);
        expect(timeFormatOf('DD/MM/YYYY HH:mm:ss')?.(`${day}.${month}.${year} ${clock}`)).toBeUndefined();
      }),
    );
    for (const none of ['', 'DD/MM/YYYY', 'HH', 'DD HH:mm', 'HH:mm HH', 'x'.repeat(100)])
      expect(timeFormatOf(none)).toBeUndefined();
    const anyPattern = fc
      .array(fc.constantFrom('YYYY', 'MM', 'DD', 'HH', 'mm', 'ss', '(', '\\', ' ', '+', '['))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(fc.oneof(anyPattern, fc.string()), fc.string(), (format, text) => {
        const atMs = timeFormatOf(format)?.(text);
        expect(atMs === undefined || Number.isFinite(atMs)).toBe(true);
      }),
    );
  });

  test('of numbers since 1970 has the unit that its size says', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 1e3, 1e6, 1e9), fc.integer({ min: 1e9, max: 4e9 }), (perS, startS) => {
        const rows = Array.from(
          { length: 30 },
          (_, atS) => `${BigInt(startS + atS) * BigInt(perS)},${52 + atS / 10_000},13`,
        );
        const { durationS } = soundDrive(['time,lat,lon', ...rows].join('\n')).route.drive ?? {
          durationS: 0,
        };
        expect(durationS).toBeCloseTo(29, 3);
      }),
    );
  });

  test('with a date in either order is read in the one that the whole file allows', () => {
    const rows = (dates: readonly string[]) =>
      ['time,lat,lon', ...dates.map((date, index) => `${date},${52 + index / 2_000},13`)].join('\n');
    const seconds = (date: string) => Array.from({ length: 5 }, (_, s) => `${date} 23:59:5${s}`);
    // The thirteenth is no month, so the day is first; over midnight no month passes.
    for (const [file, told] of [
      [[...seconds('12/05/2026'), '13/05/2026 00:00:01'], undefined],
      [[...seconds('05/12/2026'), '05/13/2026 00:00:01'], undefined],
      [[...seconds('04/05/2026'), '05/05/2026 00:00:01'], 'day comes first'],
      [[...seconds('05/04/2026'), '05/05/2026 00:00:01'], 'month comes first'],
    ] as const) {
      const { remarks, route } = soundDrive(rows(file));
      expect(route.drive?.durationS).toBeCloseTo(11, 3);
      const said = remarks.map(({ reason }) => reason).find((reason) => reason.includes('two ways'));
      if (told === undefined) expect(said).toBeUndefined();
      else expect(said).toContain(told);
    }
    const mapping = mappingOf(
      driveColumnsSchema.parse({ time: { column: 'time', format: 'DD/MM/YYYY HH:mm:ss' } }),
    );
    expect(
      soundDrive(rows(seconds('04/05/2026')), { mapping }).remarks.some(({ reason }) =>
        reason.includes('two ways'),
      ),
    ).toBe(false);
  });
});
