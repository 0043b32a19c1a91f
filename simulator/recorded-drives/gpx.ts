import { readGpxElements, readGpxPoint } from '../routes/gpx.ts';
import { type RouteReading, routeFault } from '../routes/points.ts';
import { type FoundColumn, findColumns } from './columns.ts';
import type { DriveSample, DriveSamples, Remarks } from './drive-sample.ts';
import { limits } from './limits.ts';
import { sampleOf } from './sample-of.ts';

type Members = Readonly<Record<string | symbol, unknown>>;

/** GPX has the speed in metres per second: as an element of version 1.0, or in the extension of a maker. */
const { columns } = findColumns(['time', 'speed (m/s)']);

/** The samples of the one track of a GPX file: places, times, and speeds where there are some. */
export function readDriveGpx(text: string, remarks: Remarks): RouteReading<DriveSamples> {
  const way = readGpxElements(text);
  if (way.fault !== undefined) return way;
  const { elements, placeOf } = way;
  if (elements.length > limits.samples)
    return routeFault('', `has ${elements.length} points; at most ${limits.samples} are read. Cut it.`);
  const samples: DriveSample[] = [];
  for (const [index, element] of elements.entries()) {
    const point = readGpxPoint(element);
    if (typeof point === 'string') return routeFault(placeOf(index), point);
    const sample = sampleOf(
      columns,
      (column) => valueIn(element, column),
      remarks,
      () => placeOf(index),
    );
    if ('fault' in sample) return routeFault(placeOf(index), sample.fault);
    samples.push({ ...sample, ...point });
  }
  return { samples, placeOf };
}

/** The element of that name in a point, in its extensions, or in one of those. */
function valueIn(element: Members, { what }: FoundColumn): unknown {
  if (element[what] !== undefined) return element[what];
  const extensions = membersOf(element['extensions']);
  if (extensions[what] !== undefined) return extensions[what];
  return Object.values(extensions)
    .map((extension) => membersOf(extension)[what])
    .find((value) => value !== undefined);
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}
