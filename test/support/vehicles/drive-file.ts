import { planFleet } from '../../../simulator/fleet/fleet-plan.ts';
import type { DriveReading, ReadDrive } from '../../../simulator/recorded-drives/drive.ts';
import { driveInFile } from '../../../simulator/recorded-drives/drive.ts';
import type { RouteReading } from '../../../simulator/routes/points.ts';
import { makeVehicle, type PersistentVehicle } from '../../../simulator/vehicle/vehicle.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { START_MS } from './any-vehicle.ts';

/** One moment of a drive along a meridian: seconds, metres to the north, and what else a row has. */
export type DriveRow = readonly [atS: number, northM: number, ...more: readonly (string | number)[]];

const METRES_PER_DEGREE = 111_194.93;

/** The latitude so many metres north of 52 degrees. */
export function latitudeAt(northM: number): number {
  return 52 + northM / METRES_PER_DEGREE;
}

/** A CSV file of such moments, with further columns behind time and place. */
export function csvOf(rows: readonly DriveRow[], columns: readonly string[] = []): string {
  return [
    ['time', 'latitude', 'longitude', ...columns].join(','),
    ...rows.map(([atS, northM, ...more]) => [atS, latitudeAt(northM), 13, ...more].join(',')),
  ].join('\n');
}

export function driveIn(text: string, reading: DriveReading = {}): RouteReading<ReadDrive> {
  return driveInFile('trip', new TextEncoder().encode(text), reading);
}

/** The drive in a text that is one. */
export function soundDrive(text: string, reading?: DriveReading): ReadDrive {
  const read = driveIn(text, reading);
  if (read.fault !== undefined) throw new Error(`${read.fault.place}: ${read.fault.reason}`);
  return read;
}

/** The remark about such a drive that begins so. */
export function remarkOf(text: string, start: string): string | undefined {
  return soundDrive(text).remarks.find(({ reason }) => reason.startsWith(start))?.reason;
}

/** A vehicle that begins to replay the drive in a text at that time. */
export function replayedDrive(text: string, model: string, atMs = START_MS): PersistentVehicle {
  const { route } = soundDrive(text);
  const random = seededRandom(7);
  const [plan] = planFleet(random, 1);
  if (plan === undefined) throw new Error('no plan');
  return makeVehicle(
    { ...plan, model, route: 'trip', driving: true },
    random,
    atMs,
    undefined,
    new Map([['trip', route]]),
  );
}
