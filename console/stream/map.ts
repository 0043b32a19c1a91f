/**
 * The ground of the map. `plain`: the streets of the routes alone; `archive`: a PMTiles file that this server has at
 * `/console/map.pmtiles`; `style`: an external MapLibre style.
 */
export type MapBase =
  | { readonly kind: 'plain' }
  | { readonly kind: 'archive' }
  | { readonly kind: 'style'; readonly url: string };

/** Streets as lines: longitude and latitude in degrees, in the order in which GeoJSON has them. */
export type Streets = readonly {
  readonly name: string;
  readonly places: readonly (readonly [longitude: number, latitude: number])[];
}[];

/** The mobile network in a rectangle, row by row from the north. */
export interface Coverage {
  readonly columns: number;
  readonly rows: number;
  /** +CSQ of each cell (3GPP TS 27.007, 8.5), 0 to 31; -1: a driving vehicle has no network there. */
  readonly csq: readonly number[];
}

/** A point, in degrees. */
export interface ZonePoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** The area without coverage: a circle, or a polygon of at least three corners. */
export type ZoneShape =
  | { readonly around: ZonePoint; readonly radiusM: number }
  | { readonly polygon: readonly ZonePoint[] };

/** A dead zone: a vehicle in it has no network, and regains it outside. */
export interface DeadZone {
  readonly id: string;
  readonly shape: ZoneShape;
  /** The boxes that are in it now. */
  readonly boxes: readonly string[];
}
