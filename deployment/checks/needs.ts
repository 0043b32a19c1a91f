import { limits as cliLimits } from '../shared/limits.ts';
import { limits } from './limits.ts';

/** A fleet of `up`. */
export interface FleetSize {
  readonly vehicles: number;
  /** Both ends of the boxes' connections are in one process. */
  readonly hasBothEnds: boolean;
  /** Brokers, service and fleet run in separate processes; absent: all of them run in one. */
  readonly isSeveral?: boolean;
  /** It has drivers, which use the service for every action. */
  readonly isDriven: boolean;
}

const MEGABYTE = 1_000_000;

/**
 * Measured memory and disk of `up`: megabytes by the number of vehicles, all of them online. The rows up to 3,500 are
 * with drivers, the others without. docs/performance.md says how.
 */
const MEASURED: readonly {
  readonly vehicles: number;
  readonly residentMb: number;
  readonly heapMb: number;
  readonly diskMb: number;
}[] = [
  { vehicles: 25, residentMb: 381, heapMb: 66, diskMb: 9 },
  { vehicles: 500, residentMb: 517, heapMb: 178, diskMb: 40 },
  { vehicles: 1_000, residentMb: 600, heapMb: 254, diskMb: 53 },
  { vehicles: 2_000, residentMb: 723, heapMb: 309, diskMb: 78 },
  { vehicles: 3_500, residentMb: 1_052, heapMb: 321, diskMb: 105 },
  { vehicles: 5_000, residentMb: 1_141, heapMb: 495, diskMb: 176 },
  { vehicles: 9_500, residentMb: 1_650, heapMb: 796, diskMb: 294 },
];

/**
 * The largest fleets that were observed completely online on two cores: in one process with drivers and without, and in
 * several.
 */
const SEEN_ONLINE = { driven: 3_500, undriven: 9_500, several: 10_000 };

/** Open files of the process. */
export function openFilesOf({ vehicles, hasBothEnds }: FleetSize): number {
  return vehicles * (hasBothEnds ? limits.filesPerBox : 1) + limits.otherFiles;
}

/** Local ports of the boxes' address. */
export function localPortsOf({ vehicles }: FleetSize): number {
  return vehicles + limits.otherPorts;
}

/** Resident memory in bytes. */
export function memoryBytesOf({ vehicles }: FleetSize): number {
  return interpolated(vehicles, 'residentMb');
}

/** Used bytes of Node's heap. */
export function heapBytesOf({ vehicles }: FleetSize): number {
  return interpolated(vehicles, 'heapMb');
}

/** Bytes of a data directory. */
export function diskBytesOf({ vehicles }: FleetSize): number {
  return interpolated(vehicles, 'diskMb') + limits.otherDiskBytes;
}

/** The largest number of vehicles of that kind observed online. */
export function seenOnline({
  isDriven,
  isSeveral = false,
}: Pick<FleetSize, 'isDriven' | 'isSeveral'>): number {
  if (isSeveral) return SEEN_ONLINE.several;
  return isDriven ? SEEN_ONLINE.driven : SEEN_ONLINE.undriven;
}

/**
 * The largest fleet of that kind that fits; 0 where none does. `fits` is monotonic: true up to some size, false beyond
 * it.
 */
export function mostVehicles(size: FleetSize, fits: (size: FleetSize) => boolean): number {
  let low = 0;
  let high = cliLimits.vehicles;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits({ ...size, vehicles: middle })) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Linear interpolation between the measured sizes; extrapolation beyond the largest. */
function interpolated(vehicles: number, figure: 'residentMb' | 'heapMb' | 'diskMb'): number {
  const above = Math.max(
    1,
    MEASURED.findIndex((row, index) => index === MEASURED.length - 1 || row.vehicles >= vehicles),
  );
  const [from, to] = [MEASURED[above - 1], MEASURED[above]];
  if (from === undefined || to === undefined) return 0;
  const slope = (to[figure] - from[figure]) / (to.vehicles - from.vehicles);
  return Math.ceil((from[figure] + slope * (Math.max(vehicles, from.vehicles) - from.vehicles)) * MEGABYTE);
}
