import { distanceM } from '../arithmetic.ts';
import { textInFile } from '../routes/file.ts';
import { type RouteReading, routeFault } from '../routes/points.ts';
import type { Route } from '../routes/route.ts';
import { shownS, timedSamples } from './clock.ts';
import type { DriveMapping } from './columns.ts';
import { readDriveCsv } from './csv.ts';
import { type DriveRemark, type DriveSamples, Remarks } from './drive-sample.ts';
import { fixesOf } from './fixes.ts';
import { readDriveGeoJson } from './geojson.ts';
import { readDriveGpx } from './gpx.ts';
import { channelsOf, legsOf } from './legs.ts';
import { limits } from './limits.ts';
import { nodesOf } from './nodes.ts';
import type { RecordedLeg } from './recorded-drive.ts';
import { recordedRoute } from './recorded-route.ts';
import { speedsAt } from './speeds.ts';

/** A route that is driven as somebody has driven it, and what was bridged to make it one. */
export interface ReadDrive {
  /** It has a `drive`. */
  readonly route: Route;
  readonly remarks: readonly DriveRemark[];
}

/** What a file of recorded drives needs beside its bytes. */
export interface DriveReading {
  /** Which columns of a table hold what; absent: their names tell. */
  readonly mapping?: DriveMapping | undefined;
}

/** Whether a file of this text is a table, which takes a mapping. */
export function isDriveTable(bytes: Uint8Array): boolean {
  const read = textInFile(bytes);
  return read.fault === undefined && read.first !== '<' && read.first !== '{' && read.first !== '[';
}

/**
 * The drive in a file, GPX, GeoJSON or CSV by what stands in it; or what is wrong with it, and where. The route is
 * called `name`. Never throws.
 */
export function driveInFile(
  name: string,
  bytes: Uint8Array,
  { mapping = {} }: DriveReading = {},
): RouteReading<ReadDrive> {
  const read = textInFile(bytes);
  if (read.fault !== undefined) return read;
  const { text, first } = read;
  const remarks = new Remarks();
  const samples =
    first === '<'
      ? readDriveGpx(text, remarks)
      : first === '{' || first === '['
        ? readDriveGeoJson(text, remarks)
        : readDriveCsv(text, mapping, remarks);
  if (samples.fault !== undefined) return samples;
  const route = routeOf(name, samples, remarks);
  return route.fault === undefined ? { route: route.route, remarks: remarks.list() } : route;
}

function routeOf(
  name: string,
  samples: DriveSamples,
  remarks: Remarks,
): RouteReading<{ readonly route: Route }> {
  const timed = timedSamples(samples, remarks);
  const found = fixesOf(timed, samples.placeOf, remarks);
  if (found.fault !== undefined) return found;
  const [from] = found.fixes;
  const startS = from?.atS ?? 0;
  const channels = channelsOf(timed);
  const nodes = nodesOf(found.fixes, channels.hasReadings ? 1 : undefined);
  const lastS = nodes.at(-1)?.atS ?? startS;
  if (lastS - startS > limits.longestS)
    return routeFault(
      '',
      `lasts ${shownS(lastS - startS)}; at most ${shownS(limits.longestS)} are replayed.`,
    );
  const ways = nodes.slice(1).map((node, index) => distanceM(nodes[index]?.point ?? node.point, node.point));
  const wayM = ways.reduce((sum, one) => sum + one, 0);
  if (wayM < limits.shortestWayM)
    return routeFault('', `is ${Math.floor(wayM)} m long; a drive has ${limits.shortestWayM} m at least.`);
  const placeAt = (atS: number) => () =>
    samples.placeOf(timed.find((sample) => sample.atS >= atS)?.index ?? 0);
  const speeds = speedsAt(nodes, ways, (index) =>
    remarks.add(
      'speed',
      placeAt(nodes[index]?.atS ?? 0),
      () => 'has a speed that no vehicle reaches from those beside it: it is lowered.',
    ),
  );
  if ((speeds[0] ?? 0) > 0)
    remarks.add(
      'begins',
      placeAt(startS),
      () => `is under way at ${kph(speeds[0])}: the drive begins with that speed at once.`,
    );
  const legs: RecordedLeg[] = [];
  for (const [index, lengthM] of ways.entries()) {
    const [fromMps = 0, toMps = 0] = [speeds[index], speeds[index + 1]];
    const stretch = {
      fromS: nodes[index]?.atS ?? 0,
      untilS: nodes[index + 1]?.atS ?? 0,
      lengthM,
      fromMps,
      toMps,
    };
    if (lengthM > 0 && !channels.ignitionAt(stretch.fromS, 0))
      remarks.add('off', placeAt(stretch.fromS), () => 'moves with its ignition off: it counts as on.');
    legs.push(...legsOf(stretch, channels));
  }
  const fromEnergyPercent = channels.energyPercentAt(startS);
  const drive = {
    ...{ legs, durationS: lastS - startS, wayM },
    ...(fromEnergyPercent === undefined ? {} : { fromEnergyPercent }),
    ...(channels.fromMileageKm === undefined ? {} : { fromMileageKm: channels.fromMileageKm }),
  };
  return { route: recordedRoute(name, nodes, speeds, drive) };
}

function kph(mps = 0): string {
  return `${Math.round(mps * 3.6)} km/h`;
}

/** A drive's fault or remark as a sentence about its file: `trip.csv, line 12, has no time: left out.` */
export function driveSentence(
  file: string,
  { place, reason }: { readonly place: string; readonly reason: string },
): string {
  return `${file}${place === '' ? '' : `, ${place},`} ${reason}`;
}

/** A remark of a file, with how many others there are. */
export function remarkSentence(file: string, remark: DriveRemark): string {
  const sentence = driveSentence(file, remark);
  if (remark.others === 0) return sentence;
  return `${sentence.replace(/\.$/, '')} (and ${remark.others} more).`;
}
