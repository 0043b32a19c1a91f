import { type GpxElement, readGpxElements, textOf } from '../../routes/gpx.ts';
import type { RouteReading } from '../../routes/points.ts';
import type { Remarks } from '../../routes/remarks.ts';
import { findColumns } from '../column-names.ts';
import type { DriveTable } from '../drive-table.ts';

/** GPX has the speed in metres per second: as an element of version 1.0, or in the extension of a maker. */
const { columns } = findColumns(['lat', 'lon', 'ele', 'time', 'speed (m/s)']);
const OF_POINTS = ['ele', 'time', 'speed'];

/** The table of the one track of a GPX file: places, heights, times, and speeds where there are some. */
export function readDriveGpx(text: string, remarks: Remarks): RouteReading<DriveTable> {
  const way = readGpxElements(text, remarks);
  if (way.fault !== undefined) return way;
  const rows = way.elements.map((element, index) => {
    const placeOf = () => way.placeOf(index);
    for (const name of OF_POINTS)
      if (Array.isArray(element[name]))
        remarks.add(
          `several ${name}`,
          placeOf,
          () => `has several elements <${name}>: the first one counts.`,
        );
    const values = OF_POINTS.map((name) => valueIn(element, name));
    return { cells: [element['@lat'], element['@lon'], ...values], placeOf };
  });
  return { columns, rows, noun: 'point' };
}

/** The element of that name in a point, in its extensions, or in one of those. */
function valueIn(element: GpxElement, name: string): string | undefined {
  const own = textOf(element, name);
  if (own !== undefined) return own;
  const extensions = membersOf(element['extensions']);
  const extended = textOf(extensions, name);
  if (extended !== undefined) return extended;
  return Object.values(extensions)
    .flatMap((extension) => textOf(membersOf(extension), name) ?? [])
    .at(0);
}

function membersOf(value: unknown): GpxElement {
  return typeof value === 'object' && value !== null ? (value as GpxElement) : {};
}
