import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { driveInFile } from '../../../../simulator/recorded-drives/drive.ts';
import { routeInFile } from '../../../../simulator/routes/file.ts';
import { placedSentence, remarkSentence } from '../../../../simulator/routes/remarks.ts';
import {
  bytesOfDriveFile,
  DRIVE_FILES,
  DRIVEN_FILES,
  REFUSED_FILES,
} from '../../../support/vehicles/drive-file-cases.ts';

describe('files of drives as programs write them', () => {
  test('have a right result each', () => {
    const files = readdirSync(DRIVE_FILES).filter((name) => !name.endsWith('.yaml'));
    expect([...Object.keys(DRIVEN_FILES), ...Object.keys(REFUSED_FILES)].sort()).toEqual(files.sort());
  });

  test.each(Object.entries(DRIVEN_FILES))(
    '%s lasts 59 s at 36 km/h, and what was assumed is told',
    (name, { told, rpm, mileageKm, altitudeM }) => {
      const read = driveInFile(name, bytesOfDriveFile(name));
      if (read.fault !== undefined) throw new Error(placedSentence(name, read.fault));
      const { drive, corners } = read.route;
      expect(drive?.durationS).toBeCloseTo(59, 3);
      expect(drive?.wayM).toBeGreaterThan(585);
      expect(drive?.wayM).toBeLessThan(595);
      for (const { fromMps, toMps } of drive?.legs ?? []) {
        expect(fromMps).toBeCloseTo(10, 1);
        expect(toMps).toBeCloseTo(10, 1);
      }
      const remarks = read.remarks.map((remark) => remarkSentence('', remark));
      expect(remarks.filter((remark) => !remark.includes('is under way at 36 km/h'))).toEqual(told);
      expect(drive?.legs[20]?.rpm?.[0]).toBe(rpm);
      expect(drive?.fromEnergyPercent).toBeUndefined();
      if (mileageKm === undefined) expect(drive?.fromMileageKm).toBeUndefined();
      else expect(drive?.fromMileageKm).toBeCloseTo(mileageKm, 3);
      expect(corners[3]?.altitudeM).toBe(altitudeM ?? 0);
    },
  );

  test.each(Object.entries(REFUSED_FILES))('%s is refused with what is wrong with it', (name, reason) => {
    const { fault } = driveInFile(name, bytesOfDriveFile(name));
    expect(fault && placedSentence('', fault)).toBe(reason);
  });

  test('a GPX route leads along the points between two route points that an extension has', () => {
    const read = routeInFile('r', bytesOfDriveFile('gpx-garmin-rpt.gpx'));
    if (read.fault !== undefined) throw new Error(read.fault.reason);
    // There and back: 50 places on from the first one.
    expect(read.route.corners).toHaveLength(100);
    expect(read.route.corners[1]?.place).toEqual({ latitude: 51.001, longitude: 11.001 });
  });

  test.each([
    'gpx-plain.gpx',
    'gpx-latin1.gpx',
    'gpx-nan-ele.gpx',
    'gpx-no-time.gpx',
    'gpx-same-time.gpx',
    'gpx-space-before.gpx',
    'gpx-utf16.gpx',
    'geojson-line-and-waypoint.geojson',
    'geojson-null-altitude.geojson',
  ])('%s is a route, too, and what was assumed is told in the same words', (name) => {
    const read = routeInFile(name, bytesOfDriveFile(name));
    if (read.fault !== undefined) throw new Error(placedSentence(name, read.fault));
    expect(read.route.lengthM).toBeGreaterThan(2 * 580);
    expect(read.route.corners[0]?.altitudeM).toBe(200);
    expect(read.remarks.map((remark) => remarkSentence('', remark))).toEqual(DRIVEN_FILES[name]?.told ?? []);
  });

  test('docs/recorded-drives.md lists the programs whose files are tried here, each with its file', () => {
    const page = readFileSync(new URL('../../../../docs/recorded-drives.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| ([^|]+) \| `([\w.-]+\.(?:gpx|csv|json|geojson))` \|$/gm)];
    const named = Object.entries(DRIVEN_FILES).flatMap(([file, { program }]) =>
      program === undefined ? [] : [[program, file]],
    );
    expect(Object.fromEntries(listed.map(([, program, file]) => [program, file]))).toEqual(
      Object.fromEntries(named),
    );
  });
});
