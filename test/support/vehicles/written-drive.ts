import fc from 'fast-check';
import type { DrivenMoment } from './drawn-drive.ts';

/** How times are written. `zones`: minutes before UTC that the moments have in turn, as of a phone on a journey. */
export interface TimeForm {
  readonly form: 'iso' | 'german' | 'seconds' | 'milliseconds' | 'elapsed' | 'local';
  readonly startMs: number;
  readonly zones: readonly number[];
}

/**
 * Some seconds before clocks change in these zones: to UTC, in the zone itself as the files of others write it, and at the
 * midnight after it. None of them is a jump of a drive.
 */
export const CLOCK_CHANGES: readonly (readonly [zone: string, startMs: number])[] = [
  ['Europe/Berlin', Date.UTC(2026, 2, 29, 0, 59, 55)],
  ['Europe/Berlin', Date.UTC(2026, 2, 29, 1, 59, 55)],
  ['Europe/Berlin', Date.UTC(2026, 2, 29, 23, 59, 55)],
  ['Europe/Berlin', Date.UTC(2026, 9, 25, 2, 59, 55)],
  ['America/New_York', Date.UTC(2026, 2, 8, 6, 59, 55)],
  ['America/New_York', Date.UTC(2026, 2, 8, 1, 59, 55)],
  ['America/New_York', Date.UTC(2026, 10, 1, 1, 59, 55)],
  ['UTC', Date.UTC(2026, 11, 31, 23, 59, 55)],
];

const STARTS = [...CLOCK_CHANGES.map(([, startMs]) => startMs), Date.UTC(2026, 4, 4, 8, 15, 0)];

export const anyTimeForm: fc.Arbitrary<TimeForm> = fc.record({
  form: fc.constantFrom('iso', 'german', 'seconds', 'milliseconds', 'elapsed', 'local'),
  startMs: fc.constantFrom(...STARTS),
  zones: fc.array(fc.constantFrom(0, 60, 120, -300, 330, -210, 765), { minLength: 1, maxLength: 4 }),
});

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');

function timeText({ form, startMs, zones }: TimeForm, atS: number, index: number): string {
  const ms = startMs + atS * 1_000;
  if (form === 'seconds') return String(ms / 1_000);
  if (form === 'milliseconds') return String(ms);
  if (form === 'elapsed') return String(atS + 10);
  const text = new Date(ms).toISOString();
  // Without a zone.
  if (form === 'local') return text.slice(0, 19).replace('T', ' ');
  if (form === 'german')
    return `${text.slice(8, 10)}.${text.slice(5, 7)}.${text.slice(0, 4)} ${text.slice(11, 19)}`;
  const zone = zones[index % zones.length] ?? 0;
  const there = new Date(ms + zone * 60_000).toISOString().slice(0, 19);
  if (zone === 0) return `${there}Z`;
  const away = Math.abs(zone);
  return `${there}${zone < 0 ? '-' : '+'}${two(away / 60)}:${two(away % 60)}`;
}

/** The names and units of columns: how much of the column's unit one of ours is. */
const SPEEDS = {
  'Speed (km/h)': 3.6,
  speed_mps: 1,
  'speed (mph)': 3_600 / 1_609.344,
  'Speed [knots]': 3_600 / 1_852,
  speed: 3.6,
};
const HEIGHTS = { altitude: 1, 'alt (ft)': 1 / 0.3048, elevation_m: 1 };
const MILEAGES = { odometer: 1, 'Odometer (miles)': 1 / 1.609344, odo_m: 1_000 };

export interface TableForm {
  readonly delimiter: ',' | ';' | '\t';
  readonly hasDecimalComma: boolean;
  readonly end: '\n' | '\r\n';
  readonly speed: keyof typeof SPEEDS | undefined;
  readonly height: keyof typeof HEIGHTS;
  readonly mileage: keyof typeof MILEAGES;
  readonly isJson: boolean;
  /** So many seconds before the first fix there are rows without a place. */
  readonly leadS: number;
}

export const anyTableForm: fc.Arbitrary<TableForm> = fc
  .record({
    delimiter: fc.constantFrom(',' as const, ';' as const, '\t' as const),
    hasDecimalComma: fc.boolean(),
    end: fc.constantFrom('\n' as const, '\r\n' as const),
    speed: fc.constantFrom(...(Object.keys(SPEEDS) as (keyof typeof SPEEDS)[])),
    height: fc.constantFrom(...(Object.keys(HEIGHTS) as (keyof typeof HEIGHTS)[])),
    mileage: fc.constantFrom(...(Object.keys(MILEAGES) as (keyof typeof MILEAGES)[])),
    isJson: fc.boolean(),
    leadS: fc.constantFrom(0, 0, 1, 4),
  })
  .map((form) => ({ ...form, hasDecimalComma: form.hasDecimalComma && form.delimiter === ';' }));

/** A table of a drive, in CSV or with one JSON object a line. */
export function tableText(moments: readonly DrivenMoment[], table: TableForm, time: TimeForm): string {
  const { speed, height, mileage } = table;
  const names = [
    'time',
    'latitude',
    'longitude',
    height,
    'rpm',
    'fuel',
    mileage,
    ...(speed === undefined ? [] : [speed]),
  ];
  const [first] = moments;
  const lead = first === undefined ? [] : Array.from({ length: table.leadS }, () => first);
  const rows = [...lead, ...moments].map((moment, index) => {
    const isLead = index < lead.length;
    const one = isLead ? { ...moment, atS: index - lead.length } : moment;
    const cells = [
      timeText(time, one.atS, index),
      isLead ? '' : one.latitude.toFixed(7),
      isLead ? '' : one.longitude.toFixed(7),
      (one.altitudeM * HEIGHTS[height]).toFixed(2),
      one.rpm.toFixed(2),
      one.energyPercent.toFixed(3),
      (one.mileageKm * MILEAGES[mileage]).toFixed(4),
    ];
    return speed === undefined ? cells : [...cells, (one.speedMps * SPEEDS[speed]).toFixed(3)];
  });
  if (table.isJson)
    return rows
      .map((cells) => JSON.stringify(Object.fromEntries(names.map((name, index) => [name, cells[index]]))))
      .join(table.end);
  const text = (cell: string, index: number): string =>
    table.hasDecimalComma && index > 0 ? cell.replace('.', ',') : cell;
  return [names, ...rows.map((cells) => cells.map(text))]
    .map((cells) => cells.join(table.delimiter))
    .join(table.end);
}

/** A GPX track of it, with heights, times and speeds in metres per second. */
export function gpxText(moments: readonly DrivenMoment[], time: TimeForm): string {
  const points = moments.map(
    (one, index) =>
      `<trkpt lat="${one.latitude.toFixed(7)}" lon="${one.longitude.toFixed(7)}"><ele>${one.altitudeM}</ele><time>${timeText({ ...time, form: 'iso' }, one.atS, index)}</time><speed>${one.speedMps}</speed></trkpt>`,
  );
  return `<?xml version="1.0"?>\n<gpx version="1.0">\n<trk><trkseg>\n${points.join('\n')}\n</trkseg></trk>\n</gpx>\n`;
}

/** A GeoJSON line of it, with lists of times, and of speeds in kilometres per hour. */
export function geoJsonText(moments: readonly DrivenMoment[], time: TimeForm): string {
  const times = moments.map((one, index) => timeText({ ...time, form: 'iso' }, one.atS, index));
  return JSON.stringify({
    type: 'Feature',
    properties: { coordinateProperties: { times, speeds: moments.map(({ speedMps }) => speedMps * 3.6) } },
    geometry: {
      type: 'LineString',
      coordinates: moments.map((one) => [one.longitude, one.latitude, one.altitudeM]),
    },
  });
}
