/**
 * What the map shows below the vehicles. `plain`: the streets of the routes alone; `archive`: a PMTiles file that this server
 * has at `/console/map.pmtiles`; `style`: a MapLibre style elsewhere.
 */
export type MapBase =
  | { readonly kind: 'plain' }
  | { readonly kind: 'archive' }
  | { readonly kind: 'style'; readonly url: string };
