import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { errorText } from '../../world/error-text.ts';
import { type RoutePoint, type RoutePoints, type RouteReading, routeFault } from './points.ts';
import { type Remarks, readAltitude } from './remarks.ts';
import { lineAt, numberIn, shownText } from './text.ts';

const LISTS = ['trk', 'trkseg', 'trkpt', 'rte', 'rtept', 'rpt', 'wpt'];

/** Entities are neither declared nor replaced, values stay texts, and each point has its offset in the text. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  captureMetaData: true,
  isArray: (name) => LISTS.includes(name),
});

/** The library declares the type of its object instead of that of the value. */
const META = XMLParser.getMetaDataSymbol() as unknown as symbol;

/** An element with its children and attributes (`@lat`) by name, without prefixes. */
export type GpxElement = Readonly<Record<string | symbol, unknown>>;

/** The points of the one track, or else of the one route, of a GPX file. The segments of a track are one way. */
export function readGpx(text: string, remarks: Remarks): RouteReading<RoutePoints> {
  const way = readGpxElements(text, remarks);
  if (way.fault !== undefined) return way;
  const points: RoutePoint[] = [];
  const indexes: number[] = [];
  for (const [index, element] of way.elements.entries()) {
    const placeOf = () => way.placeOf(index);
    const point = readPoint(element, remarks, placeOf);
    remarks.seen('point');
    if (typeof point === 'string') {
      remarks.unreadable('point', placeOf, () => point, 'it is left out');
      continue;
    }
    points.push(point);
    indexes.push(index);
  }
  const fault = remarks.unreadableFault();
  return fault ?? { points, placeOf: (index) => way.placeOf(indexes[index] ?? 0) };
}

/** The same points as elements, with all that they hold. */
export function readGpxElements(
  document: string,
  remarks: Remarks,
): RouteReading<{ readonly elements: readonly GpxElement[]; placeOf(index: number): string }> {
  const text = withoutSpaceBefore(document, remarks);
  // A document that declares entities can make any amount of text of a few lines.
  const declaration = text.search(/<!DOCTYPE/i);
  if (declaration >= 0)
    return routeFault(lineAt(text, declaration), 'has a DOCTYPE, which GPX has no use for. Take it out.');
  const parsed = parse(text);
  if (parsed.fault !== undefined) return parsed;
  const gpx = parsed.root['gpx'];
  if (gpx === undefined) {
    const [root = 'nothing'] = Object.keys(parsed.root).filter((name) => !name.startsWith('?'));
    return routeFault('', `is no GPX: its outermost element is <${shownText(root)}>, not <gpx>.`);
  }
  const ways = waysOf(asElement(gpx));
  if (ways.fault !== undefined) return ways;
  return {
    elements: ways.elements,
    placeOf: (index) => placeIn(text, ways.elements[index] ?? {}),
  };
}

/** White space before the XML declaration is an error of XML 1.0, 2.8, and harmless: the declaration is left out then. */
function withoutSpaceBefore(document: string, remarks: Remarks): string {
  const declaration = /^\s+<\?xml[^>]*\?>/.exec(document)?.[0];
  if (declaration === undefined) return document;
  remarks.add(
    'space before',
    () => 'line 1',
    () => 'has white space before its XML declaration: it is ignored.',
  );
  // The lines keep their numbers.
  return declaration.replace(/[^\n]/g, '') + document.slice(declaration.length);
}

function parse(text: string): RouteReading<{ readonly root: GpxElement }> {
  try {
    const verdict = XMLValidator.validate(text);
    if (verdict !== true) return routeFault(`line ${verdict.err.line}`, `is broken XML: ${verdict.err.msg}`);
    return { root: asElement(parser.parse(text)) };
  } catch (error) {
    return routeFault('', `is broken XML: ${errorText(error)}.`);
  }
}

/** The elements of all points of the one way in the file. */
function waysOf(gpx: GpxElement): RouteReading<{ readonly elements: readonly GpxElement[] }> {
  const tracks = listOf(gpx, 'trk').map((track) =>
    listOf(track, 'trkseg').flatMap((segment) => listOf(segment, 'trkpt')),
  );
  const routes = listOf(gpx, 'rte').map((route) =>
    listOf(route, 'rtept').flatMap((point) => [point, ...pointsBehind(point)]),
  );
  for (const [kind, ways] of [
    ['tracks', tracks.filter((way) => way.length > 0)],
    ['routes', routes.filter((way) => way.length > 0)],
  ] as const) {
    const [only, ...others] = ways;
    if (others.length > 0) return routeFault('', `has ${ways.length} ${kind}. Keep the one to drive.`);
    if (only !== undefined) return { elements: only };
  }
  const marks = listOf(gpx, 'wpt').length;
  if (marks > 0)
    return routeFault('', `has ${marks} waypoints and neither a track nor a route: it is not a line.`);
  return routeFault('', 'is empty: it has neither a track nor a route with points.');
}

/** The way from a route point to the next one, as Garmin's extension of route points has it (GpxExtensions v3). */
function pointsBehind(point: GpxElement): readonly GpxElement[] {
  const extension = asElement(asElement(point['extensions'])['RoutePointExtension']);
  return listOf(extension, 'rpt');
}

/** The text of a child element; the first one where it is there several times. Undefined: it is not there, or empty. */
export function textOf(element: GpxElement, name: string): string | undefined {
  const child = element[name];
  const [first]: readonly unknown[] = Array.isArray(child) ? child : [child];
  // With attributes, or with child elements, it is an object.
  const text = typeof first === 'object' && first !== null ? asElement(first)['#text'] : first;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The point, or its fault. An altitude that cannot be read is none. */
function readPoint(element: GpxElement, remarks: Remarks, placeOf: () => string): RoutePoint | string {
  const [latitude, longitude] = [numberIn(element['@lat']), numberIn(element['@lon'])];
  for (const [name, value] of [
    ['lat', latitude],
    ['lon', longitude],
  ] as const) {
    const raw = element[`@${name}`];
    if (raw === undefined) return `is a point without ${name}.`;
    if (value === undefined) return `has a point whose ${name} is no number: ${shownText(raw)}.`;
  }
  if (latitude === undefined || longitude === undefined) return 'is a point without a place.';
  const height = textOf(element, 'ele');
  const altitudeM = readAltitude(height, remarks, placeOf);
  return altitudeM === undefined ? { latitude, longitude } : { latitude, longitude, altitudeM };
}

function placeIn(text: string, element: GpxElement): string {
  const meta: unknown = element[META];
  const start = typeof meta === 'object' && meta !== null && 'startIndex' in meta ? meta.startIndex : 0;
  return lineAt(text, typeof start === 'number' ? start : 0);
}

function listOf(element: GpxElement, name: string): readonly GpxElement[] {
  const list = element[name];
  return Array.isArray(list) ? list.map(asElement) : [];
}

/** An element without children and attributes is read as a text. */
function asElement(value: unknown): GpxElement {
  return typeof value === 'object' && value !== null ? (value as GpxElement) : {};
}
