import { decodedText } from './decode.ts';
import { readGeoJson } from './geojson.ts';
import { readGpx } from './gpx.ts';
import { limits } from './limits.ts';
import { type RouteReading, routeAlong, routeFault } from './points.ts';
import { type Remark, Remarks } from './remarks.ts';
import type { Route } from './route.ts';

/**
 * The route in a file of that name, GPX or GeoJSON by its content, with its remarks; or its fault, and the
 * place. The route is called as the file is.
 */
export function routeInFile(
  name: string,
  bytes: Uint8Array,
): RouteReading<{ readonly route: Route; readonly remarks: readonly Remark[] }> {
  const remarks = new Remarks();
  const decoded = textInFile(bytes, remarks);
  if (decoded.fault !== undefined) return decoded;
  const { text, first } = decoded;
  if (first !== '<' && first !== '{' && first !== '[')
    return routeFault('line 1', 'is neither GPX nor GeoJSON: those begin with < or {.');
  const read = first === '<' ? readGpx(text, remarks) : readGeoJson(text, remarks);
  if (read.fault !== undefined) return read;
  const along = routeAlong(name, read);
  return along.fault === undefined ? { route: along.route, remarks: remarks.list() } : along;
}

/**
 * The text of a file and its first character, which determines its form. `content`: its bytes, or its text where
 * it was decoded already.
 */
export function textInFile(
  content: Uint8Array | string,
  remarks: Remarks,
): RouteReading<{ readonly text: string; readonly first: string }> {
  if (content.length > limits.fileBytes)
    return routeFault('', `has ${content.length} bytes; at most ${limits.fileBytes} are read.`);
  const decoded = typeof content === 'string' ? { text: content } : decodedText(content);
  if (decoded.text === undefined) return routeFault('', decoded.reason);
  const { text, assumed } = decoded;
  if (assumed !== undefined)
    remarks.add(
      'encoding',
      () => '',
      () => assumed,
    );
  const first = text.trimStart().charAt(0);
  return first === '' ? routeFault('', 'is empty.') : { text, first };
}
