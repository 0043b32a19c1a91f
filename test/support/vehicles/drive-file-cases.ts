import { readFileSync } from 'node:fs';

export const DRIVE_FILES = new URL('../../vectors/drives/', import.meta.url);

/** A file as a program writes it, and what is right for it. Each drive lasts 59 s, at 36 km/h, for 590 m. */
export interface DriveFileCase {
  /** The program whose files have this form, as docs/recorded-drives.md names it. */
  readonly program?: string;
  /** The expected remarks, apart from a drive that begins under way. */
  readonly told: readonly string[];
  /** Readings beside time and place. */
  readonly rpm?: number;
  readonly mileageKm?: number;
  readonly altitudeM?: number;
}

const MISREAD_TIME = 'is no time: 2026-05-04T08:15:00Z, 08:15:00, seconds or milliseconds';

/** The files that are driven. */
export const DRIVEN_FILES: Readonly<Record<string, DriveFileCase>> = {
  'csv-car-scanner.csv': { program: 'Car Scanner', told: [], rpm: 2_100 },
  'csv-cp1252.csv': { told: [' is no text in UTF-8: it is read as Windows-1252.'] },
  'csv-decimal-comma-quoted.csv': { told: [] },
  'csv-gpslogger-ms.csv': {
    program: 'GPSLogger',
    told: [
      ' has speeds that agree with its way in m/s, not in km/h: they are read in m/s, 3.6 times as much.',
    ],
    altitudeM: 200.3,
  },
  'csv-header-twice.csv': { told: [', line 32, has the names of the columns again: left out.'] },
  'csv-midnight.csv': {
    told: [', line 32, is on a clock that was set back by 24 h: the drive goes on after 1 s.'],
  },
  'csv-one-bad-row.csv': {
    told: [`, line 42, has a time that cannot be read: logging paused ${MISREAD_TIME}; the row is left out.`],
  },
  'csv-racechrono.csv': { program: 'RaceChrono', told: [] },
  'csv-sep-line.csv': { program: 'spreadsheets, with a line `sep=;`', told: [] },
  'csv-time-eu-date.csv': {
    told: [
      ' has dates that can be read in two ways, such as 04.05.2026 08:15:30: it is assumed that the day comes first. A mapping can give the format.',
    ],
  },
  'csv-time-micros.csv': { told: [] },
  'csv-time-slash-date.csv': { told: [] },
  'csv-time-us-date.csv': {
    told: [
      ' has dates that can be read in two ways, such as 05/04/2026 08:15:30: it is assumed that the month comes first. A mapping can give the format.',
    ],
  },
  'csv-traccar-knots.csv': {
    program: 'Traccar',
    told: [
      ' has speeds that agree with its way in knots, not in km/h: they are read in knots, 1.85 times as much.',
      ' has odometers that agree with its way in m, not in km: they are read in m, 0.001 times as much.',
    ],
    mileageKm: 1_234.567,
    altitudeM: 200.3,
  },
  'csv-traccar-shift.csv': {
    told: [
      ', line 2, has 11 cells for 10 columns: only its time and place are read. Texts with the delimiter in them take quotes (and 59 more).',
    ],
  },
  'csv-units-row.csv': { told: [], rpm: 2_100 },
  'geojson-4th.geojson': {
    told: [' has no times with its positions: their fourth number, which grows like one, is the time.'],
    altitudeM: 200.3,
  },
  'geojson-coordTimes.geojson': { program: 'toGeoJSON', told: [], altitudeM: 200.3 },
  'geojson-line-and-waypoint.geojson': {
    told: [', features, has 1 feature in addition to its line: left out.'],
    altitudeM: 200.3,
  },
  'geojson-null-altitude.geojson': {
    told: [', geometry.coordinates[7], has null in place of an altitude: left out.'],
    altitudeM: 200.3,
  },
  'gpx-latin1.gpx': { told: [], altitudeM: 200.3 },
  'gpx-nan-ele.gpx': {
    told: [', line 11, has NaN in place of an altitude: left out.'],
    altitudeM: 200.3,
  },
  'gpx-one-bad-time.gpx': {
    told: [
      `, line 11, has a time that cannot be read: 0000-00-00T00:00:00Z ${MISREAD_TIME}; the point is left out.`,
    ],
    altitudeM: 200.3,
  },
  'gpx-plain.gpx': { program: 'any that writes GPX 1.1', told: [], altitudeM: 200.3 },
  'gpx-short-zone.gpx': { told: [], altitudeM: 200.3 },
  'gpx-space-before.gpx': {
    told: [', line 1, has white space before its XML declaration: it is ignored.'],
    altitudeM: 200.3,
  },
  'gpx-speed-kmh.gpx': {
    told: [
      ' has speeds that agree with its way in km/h, not in m/s: they are read in km/h, 0.278 times as much.',
    ],
    altitudeM: 200.3,
  },
  'gpx-speed-twice.gpx': {
    told: [', line 4, has several elements <speed>: the first one counts (and 59 more).'],
    altitudeM: 200.3,
  },
  'gpx-utf16.gpx': { told: [], altitudeM: 200.3 },
  'openxc.json': { program: 'OpenXC', told: [] },
  'torque.csv': { program: 'Torque', told: [], rpm: 2_100, altitudeM: 200.3 },
};

/** The files that are refused as drives, and why. */
export const REFUSED_FILES: Readonly<Record<string, string>> = {
  'gpx-garmin-rpt.gpx':
    ' is no recorded drive: none of its 51 points has a time; drive along it with --route.',
  'gpx-no-time.gpx': ' is no recorded drive: none of its 60 points has a time; drive along it with --route.',
  'gpx-same-time.gpx': ' cannot be replayed: all its times are the same.',
};

export function bytesOfDriveFile(name: string): Uint8Array {
  return readFileSync(new URL(name, DRIVE_FILES));
}
