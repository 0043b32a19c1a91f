import type { ZonePoint } from '../../stream/map.ts';

/** The width of the world in pixels at zoom 0. */
const WORLD_PX = 512;
/** The length of the equator of WGS 84. */
const EQUATOR_M = 40_075_016.7;

/** The visible part: the middle, the zoom, and the size in pixels; the map is neither turned nor tilted. */
export interface MapView {
  readonly center: ZonePoint;
  readonly zoom: number;
  readonly width: number;
  readonly height: number;
}

/** Web Mercator (EPSG:3857) from degrees to pixels from the upper left corner. */
export function pixelsOf({
  center,
  zoom,
  width,
  height,
}: MapView): (place: ZonePoint) => readonly [number, number] {
  const worldPx = WORLD_PX * 2 ** zoom;
  const left = mercatorX(center.longitude) * worldPx - width / 2;
  const top = mercatorY(center.latitude) * worldPx - height / 2;
  return ({ latitude, longitude }) => [
    mercatorX(longitude) * worldPx - left,
    mercatorY(latitude) * worldPx - top,
  ];
}

/** The place at pixels from the upper left corner. */
export function placeOf({ center, zoom, width, height }: MapView, x: number, y: number): ZonePoint {
  const worldPx = WORLD_PX * 2 ** zoom;
  const across = mercatorX(center.longitude) + (x - width / 2) / worldPx;
  const down = mercatorY(center.latitude) + (y - height / 2) / worldPx;
  return {
    longitude: across * 360 - 180,
    latitude: (Math.atan(Math.sinh(Math.PI * (1 - 2 * down))) * 180) / Math.PI,
  };
}

/** How many metres a pixel is at that latitude. */
export function metresPerPixel({ zoom }: Pick<MapView, 'zoom'>, latitude: number): number {
  return (Math.cos((latitude * Math.PI) / 180) * EQUATOR_M) / (WORLD_PX * 2 ** zoom);
}

function mercatorX(longitude: number): number {
  return (180 + longitude) / 360;
}

function mercatorY(latitude: number): number {
  return (180 - (180 / Math.PI) * Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360))) / 360;
}
