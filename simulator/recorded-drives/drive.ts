import { distanceM } from '../arithmetic.ts';
import { textInFile } from '../routes/file.ts';
import { type RouteReading, routeFault } from '../routes/points.ts';
import type { RecordedLeg } from '../routes/recorded-drive.ts';
import { type Remark, Remarks } from '../routes/remarks.ts';
import type { Route } from '../routes/route.ts';
import { shownS, timedSamples } from './clock.ts';
import type { DriveMapping } from './columns.ts';
import type { DriveSamples } from './drive-sample.ts';
import { samplesOfTable } from './drive-table.ts';
import { fixesOf } from './fixes.ts';
import { readDriveCsv } from './formats/csv.ts';
import { readDriveGpx } from './formats/gpx.ts';
import { readDriveJson } from './formats/json.ts';
import { channelsOf, legsOf } from './legs.ts';
import { limits } from './limits.ts';
import { type Node, nodesOf } from './nodes.ts';
import { recordedRoute } from './recorded-route.ts';
import { withComparedUnits } from './recorded-units.ts';
import { isUsualSpeed, usualSpeedMps } from './usual-speed.ts';

/** A route that is driven as recorded, and the repairs that were necessary. */
export interface ReadDrive {
  /** It has a `drive`. */
  readonly route: Route;
  readonly remarks: readonly Remark[];
}

/** The parameters of a file of recorded drives, in addition to its bytes. */
export interface DriveReading {
  /** The mapping of a table's columns; absent: by their names. */
  readonly mapping?: DriveMapping | undefined;
}

/** Whether a file of this text is a table, which takes a mapping. */
export function isDriveTable(bytes: Uint8Array): boolean {
  const read = textInFile(bytes, new Remarks());
  return read.fault === undefined && read.first !== '<' && read.first !== '{' && read.first !== '[';
}

/**
 * The drive in a file, GPX, JSON or CSV by its content; or its fault, and the place. `content`: its bytes, or its
 * text where it was decoded already. The route is called `name`. Never throws.
 */
export function driveInFile(
  name: string,
  content: Uint8Array | string,
  { mapping = {} }: DriveReading = {},
): RouteReading<ReadDrive> {
  const remarks = new Remarks();
  const read = textInFile(content, remarks);
  if (read.fault !== undefined) return read;
  const { text, first } = read;
  const table =
    first === '<'
      ? readDriveGpx(text, remarks)
      : first === '{' || first === '['
        ? readDriveJson(text, remarks)
        : readDriveCsv(text, mapping, remarks);
  if (table.fault !== undefined) return table;
  const samples = samplesOfTable(table, remarks);
  if (samples.fault !== undefined) return samples;
  const route = untimedFault(samples) ?? routeOf(name, samples, remarks);
  return route.fault === undefined ? { route: route.route, remarks: remarks.list() } : route;
}

/** The fault of all times together. */
function untimedFault({ samples, noun }: DriveSamples): ReturnType<typeof routeFault> | undefined {
  if (samples.length < 2) return undefined;
  const times = new Set(samples.flatMap(({ atMs }) => atMs ?? []));
  if (times.size === 0) {
    const along = noun === 'point' ? '; drive along it with --route' : '';
    return routeFault('', `is no recorded drive: none of its ${samples.length} ${noun}s has a time${along}.`);
  }
  return times.size === 1 ? routeFault('', 'cannot be replayed: all its times are the same.') : undefined;
}

function routeOf(
  name: string,
  samples: DriveSamples,
  remarks: Remarks,
): RouteReading<{ readonly route: Route }> {
  const timed = withComparedUnits(timedSamples(samples, remarks), samples, remarks);
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
  if (found.fixes.every(({ speedMps }) => speedMps === undefined)) remarkUsualSpeed(nodes, ways, remarks);
  const placeAt = (atS: number) => () =>
    samples.placeOf(timed.find((sample) => sample.atS >= atS)?.index ?? 0);
  const speeds = speedsAt(nodes, ways, (index) =>
    remarks.add(
      'speed',
      placeAt(nodes[index]?.atS ?? 0),
      () => 'has an impossible speed for its neighbours: it is lowered.',
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
    legs,
    durationS: lastS - startS,
    wayM,
    ...(fromEnergyPercent === undefined ? {} : { fromEnergyPercent }),
    ...(channels.fromMileageKm === undefined ? {} : { fromMileageKm: channels.fromMileageKm }),
  };
  return { route: recordedRoute(name, nodes, speeds, drive) };
}

/** Without recorded speeds, implausible times show in those of the way only. */
function remarkUsualSpeed(nodes: readonly Node[], ways: readonly number[], remarks: Remarks): void {
  const mps = usualSpeedMps(
    ways.map((wayM, index) => ({
      wayM,
      passedS: (nodes[index + 1]?.atS ?? 0) - (nodes[index]?.atS ?? 0),
    })),
  );
  if (mps === undefined || isUsualSpeed(mps)) return;
  remarks.add(
    'usual speed',
    () => '',
    () =>
      `moves at ${Number((mps * 3.6).toPrecision(2))} km/h for half of its way: its times are implausible. A mapping gives their unit or format.`,
  );
}

function kph(mps = 0): string {
  return `${Math.round(mps * 3.6)} km/h`;
}

/**
 * The speed at each node: as recorded, or calculated from the ways before and behind it; and never one that a vehicle
 * cannot reach from the adjacent ones. `ways`: the length from each node to the next. `slowed` is called with a node
 * whose recorded speed cannot be.
 */
function speedsAt(
  nodes: readonly Node[],
  ways: readonly number[],
  slowed: (index: number) => void,
): readonly number[] {
  const last = nodes.length - 1;
  const timeS = (index: number): number => (nodes[index + 1]?.atS ?? 0) - (nodes[index]?.atS ?? 0);
  const speeds = nodes.map(({ speedMps }, index) => {
    if (speedMps !== undefined) return Math.min(speedMps, limits.fastestMps);
    if (index === 0 || index === last) {
      const at = index === 0 ? 0 : last - 1;
      const meanMps = (ways[at] ?? 0) / timeS(at);
      // A drive that is recorded from kerb to kerb begins and ends at rest.
      return (2 * meanMps) / timeS(at) <= limits.beginningMps2 ? 0 : meanMps;
    }
    return ((ways[index - 1] ?? 0) + (ways[index] ?? 0)) / (timeS(index - 1) + timeS(index));
  });
  const rateAt = (index: number): number =>
    nodes[index]?.speedMps === undefined ? limits.calculatedMps2 : limits.recordedMps2;
  const lower = (index: number, beside: number, passedS: number): void => {
    const mostMps = (speeds[beside] ?? 0) + rateAt(index) * passedS;
    if ((speeds[index] ?? 0) <= mostMps) return;
    if (nodes[index]?.speedMps !== undefined) slowed(index);
    speeds[index] = mostMps;
  };
  for (let index = 1; index <= last; index += 1) lower(index, index - 1, timeS(index - 1));
  for (let index = last - 1; index >= 0; index -= 1) lower(index, index + 1, timeS(index));
  return speeds;
}
