import { failed, type Judgement, ok, warning } from './check.ts';
import { limits } from './limits.ts';
import {
  diskBytesOf,
  type FleetSize,
  heapBytesOf,
  localPortsOf,
  memoryBytesOf,
  mostVehicles,
  openFilesOf,
  seenOnline,
} from './needs.ts';
import { count, megabytes } from './wording.ts';

/** How many files this process may have open. Undefined: the system does not report it. */
export interface OpenFilesFacts {
  /** `Infinity`: unlimited. */
  readonly soft: number | undefined;
  readonly hard: number | undefined;
}

/** How many local ports one address has for connections to another. Undefined: the system does not report it. */
export interface LocalPortsFacts {
  readonly ports: number | undefined;
}

export interface MemoryFacts {
  /** Of the machine, or the limit of this process where that is lower. */
  readonly boundBytes: number;
  /** The free part of it. */
  readonly freeBytes: number;
}

export interface HeapFacts {
  /** Of Node's JavaScript heap. */
  readonly boundBytes: number;
}

export interface DiskSpaceFacts {
  readonly path: string;
  readonly freeBytes: number;
}

/**
 * Whether such a fleet has ever been observed completely online: one process uses one core, which saturates at some
 * size.
 */
export function judgeSize(size: FleetSize): Judgement {
  const seen = seenOnline(size);
  const kind = size.isDriven
    ? 'with drivers'
    : 'without drivers (four of five drive round their routes, the others are parked)';
  const text = `${count(size.vehicles, 'vehicle')} ${kind}; ${count(seen)} have been seen online in ${size.isSeveral === true ? 'several processes' : 'one process'} on two cores.`;
  if (size.vehicles <= seen) return ok(text);
  const less = size.isDriven ? '--drivers off --radio ideal takes less; or ' : '';
  return warning(
    text,
    `The processor may be too slow for more, and boxes are late then: ${less}take at most --vehicles ${seen}.`,
  );
}

/** Whether this process may open enough files for the sockets of such a fleet. */
export function judgeOpenFiles(size: FleetSize, { soft, hard }: OpenFilesFacts): Judgement {
  const needed = openFilesOf(size);
  const need = `${count(size.vehicles, 'vehicle')} need ${count(needed)} open files`;
  const raise = `ulimit -n ${needed}`;
  if (soft === undefined) {
    return needed <= limits.unknownFiles
      ? ok(`${need}; how many this process may have is unknown.`)
      : warning(`${need}; how many this process may have is unknown.`, `Make sure of it: ${raise}`);
  }
  if (needed <= soft) return ok(`${need}; this process may have ${count(soft)}.`);
  const fitting = mostVehicles(size, (one) => openFilesOf(one) <= soft);
  const byRoot = `or, past what your user may have, nofile in /etc/security/limits.conf, LimitNOFILE= of a unit, --ulimit nofile= of a container`;
  return failed(
    `${need}; this process may have ${count(soft)}.`,
    `Raise it: ${raise}${hard !== undefined && hard >= needed ? '' : ` (${byRoot})`}, then start again; or take at most --vehicles ${fitting}.`,
  );
}

/** Whether there is a local port for each box of such a fleet. */
export function judgeLocalPorts(size: FleetSize, { ports }: LocalPortsFacts): Judgement {
  const needed = localPortsOf(size);
  const need = `${count(size.vehicles, 'vehicle')} need ${count(needed)} local ports`;
  const widen = "sysctl -w net.ipv4.ip_local_port_range='15000 60999'";
  if (ports === undefined) {
    return needed <= limits.unknownPorts
      ? ok(`${need}; how many there are is unknown.`)
      : warning(`${need}; how many there are is unknown.`, `Make sure of it. On Linux: ${widen}`);
  }
  if (needed <= ports) return ok(`${need}; there are ${count(ports)}.`);
  const fitting = mostVehicles(size, (one) => localPortsOf(one) <= ports);
  return failed(
    `${need}; there are ${count(ports)}.`,
    `Widen their range. On Linux: ${widen}. Then start again; or take at most --vehicles ${fitting}.`,
  );
}

/** Whether such a fleet fits into the memory: the total, and the free part. */
export function judgeMemory(size: FleetSize, { boundBytes, freeBytes }: MemoryFacts): Judgement {
  const needed = memoryBytesOf(size);
  const need = `${count(size.vehicles, 'vehicle')} need about ${megabytes(needed)} of memory`;
  const text = `${need}; ${megabytes(freeBytes)} of ${megabytes(boundBytes)} are free.`;
  const fitsInto = (bytes: number) => mostVehicles(size, (one) => memoryBytesOf(one) <= bytes);
  if (needed > boundBytes) {
    return failed(
      text,
      `Take a machine, or a container, with more memory; or ${fewer(fitsInto(boundBytes))}.`,
    );
  }
  if (needed > freeBytes) {
    return warning(text, `End other programs, or ${fewer(fitsInto(freeBytes))}: swapping makes boxes late.`);
  }
  return ok(text);
}

/** Whether Node's heap is large enough for such a fleet. */
export function judgeHeap(size: FleetSize, { boundBytes }: HeapFacts): Judgement {
  const needed = Math.ceil(heapBytesOf(size) / limits.heapShare);
  const text = `${count(size.vehicles, 'vehicle')} need about ${megabytes(needed)} of Node's heap; it may grow to ${megabytes(boundBytes)}.`;
  if (needed <= boundBytes) return ok(text);
  const fitting = mostVehicles(size, (one) => Math.ceil(heapBytesOf(one) / limits.heapShare) <= boundBytes);
  return failed(
    text,
    `Let it grow: NODE_OPTIONS=--max-old-space-size=${Math.ceil(needed / MEBIBYTE)}, then start again; or ${fewer(fitting)}.`,
  );
}

/** Whether Node's heap is large enough for so many boxes with broker and flash in memory (`fleet --link memory`). */
export function judgeMemoryLink(boxes: number, { boundBytes }: HeapFacts): Judgement {
  const needed = boxes * limits.memoryLinkHeapBytes + limits.memoryLinkBaseBytes;
  const text = `${count(boxes)} boxes in memory need about ${megabytes(needed)} of Node's heap; it may grow to ${megabytes(boundBytes)}.`;
  if (needed <= boundBytes) return ok(text);
  const fitting = Math.max(
    0,
    Math.floor((boundBytes - limits.memoryLinkBaseBytes) / limits.memoryLinkHeapBytes),
  );
  return failed(
    text,
    `Let it grow: NODE_OPTIONS=--max-old-space-size=${Math.ceil(needed / MEBIBYTE)}, then start again; or ${fewer(fitting)}.`,
  );
}

/** Whether the disk has room for the data directory of such a fleet. */
export function judgeDiskSpace(size: FleetSize, { path, freeBytes }: DiskSpaceFacts): Judgement {
  const needed = diskBytesOf(size);
  const text = `${megabytes(freeBytes)} are free at ${path}; ${count(size.vehicles, 'vehicle')} and a full outbox need about ${megabytes(needed)}.`;
  if (freeBytes < limits.leastDiskBytes)
    return failed(text, 'Free space, or give a directory on another disk with --data.');
  if (freeBytes < needed)
    return warning(
      text,
      'Free space, or give a directory on another disk with --data: once it is full, nothing is stored.',
    );
  return ok(text);
}

const MEBIBYTE = 1_048_576;

function fewer(fitting: number): string {
  return fitting > 0 ? `take at most --vehicles ${fitting}` : 'take another machine';
}
