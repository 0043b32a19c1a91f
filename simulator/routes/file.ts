import { readGeoJson } from './geojson.ts';
import { readGpx } from './gpx.ts';
import { limits } from './limits.ts';
import { type RouteReading, routeAlong, routeFault } from './points.ts';
import type { Route } from './route.ts';
import { shownText } from './text.ts';

/**
 * The route in a file of that name, GPX or GeoJSON by what stands in it; or what is wrong with it, and where. The
 * route is called as the file is.
 */
export function routeInFile(name: string, bytes: Uint8Array): RouteReading<{ readonly route: Route }> {
  const decoded = textInFile(bytes);
  if (decoded.fault !== undefined) return decoded;
  const { text, first } = decoded;
  if (first !== '<' && first !== '{' && first !== '[')
    return routeFault(
      'line 1',
      `is neither GPX nor GeoJSON: it begins with ${shownText(text.trimStart().slice(0, 9))}.`,
    );
  const read = first === '<' ? readGpx(text) : readGeoJson(text);
  return read.fault === undefined ? routeAlong(name, read) : read;
}

/** The text of a file and its first character, which tells its form. */
export function textInFile(
  bytes: Uint8Array,
): RouteReading<{ readonly text: string; readonly first: string }> {
  if (bytes.length > limits.fileBytes)
    return routeFault('', `has ${bytes.length} bytes; at most ${limits.fileBytes} are read.`);
  const text = decode(bytes);
  if (text === undefined) return routeFault('', 'is no text in UTF-8.');
  const first = text.trimStart().charAt(0);
  return first === '' ? routeFault('', 'is empty.') : { text, first };
}

/** A byte order mark is left out. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
