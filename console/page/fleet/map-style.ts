import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { addProtocol } from 'maplibre-gl';
import { PMTiles, Protocol, TileType } from 'pmtiles';
import type { MapBase } from '../../stream/map.ts';

/** Colours of a ground, by day and by night. */
interface Palette {
  readonly ground: string;
  readonly water: string;
  readonly green: string;
  readonly built: string;
  readonly road: string;
  readonly border: string;
  readonly text: string;
  readonly halo: string;
}

const DAY: Palette = {
  ground: '#eef1f4',
  water: '#bcd4e6',
  green: '#d9e6d2',
  built: '#dcdfe3',
  road: '#ffffff',
  border: '#9aa5b1',
  text: '#333f4b',
  halo: '#ffffff',
};
const NIGHT: Palette = {
  ground: '#1a2129',
  water: '#12283a',
  green: '#1d2b22',
  built: '#262e37',
  road: '#3a4653',
  border: '#57636f',
  text: '#c5ced7',
  halo: '#1a2129',
};

/**
 * The style of the layers of an archive, by their names in the schemas of Protomaps and OpenMapTiles; from bottom to
 * top.
 */
const LOOKS: readonly {
  readonly layers: readonly string[];
  readonly as: 'fill' | 'line' | 'text';
  readonly colour: keyof Palette;
}[] = [
  { layers: ['earth'], as: 'fill', colour: 'ground' },
  { layers: ['landcover', 'landuse', 'park', 'natural'], as: 'fill', colour: 'green' },
  { layers: ['water'], as: 'fill', colour: 'water' },
  { layers: ['waterway', 'physical_line'], as: 'line', colour: 'water' },
  { layers: ['buildings', 'building'], as: 'fill', colour: 'built' },
  { layers: ['boundaries', 'boundary'], as: 'line', colour: 'border' },
  { layers: ['roads', 'transportation', 'transit'], as: 'line', colour: 'road' },
  { layers: ['places', 'place'], as: 'text', colour: 'text' },
];

/** The style of a ground; a URL for an external style. Rejects where the archive cannot be read. */
export async function styleOf(base: MapBase, isDark: boolean): Promise<StyleSpecification | string> {
  if (base.kind === 'style') return base.url;
  const palette = isDark ? NIGHT : DAY;
  return base.kind === 'archive' ? archiveStyle(palette) : plainStyle(palette);
}

function plainStyle({ ground }: Palette): StyleSpecification {
  const background: LayerSpecification = {
    id: 'ground',
    type: 'background',
    paint: { 'background-color': ground },
  };
  return { version: 8, sources: {}, layers: [background] };
}

async function archiveStyle(palette: Palette): Promise<StyleSpecification> {
  const archive = new PMTiles(new URL('/console/map.pmtiles', location.href).href);
  const protocol = new Protocol({ metadata: true });
  protocol.add(archive);
  addProtocol('pmtiles', protocol.tile);
  const [{ tileType }, metadata] = await Promise.all([archive.getHeader(), archive.getMetadata()]);
  const url = `pmtiles://${archive.source.getKey()}`;
  const plain = plainStyle(palette);
  if (tileType !== TileType.Mvt)
    return {
      ...plain,
      sources: { base: { type: 'raster', url, tileSize: 256 } },
      layers: [...plain.layers, { id: 'base', type: 'raster', source: 'base' }],
    };
  const names = layersOf(metadata);
  return {
    ...plain,
    sources: { base: { type: 'vector', url } },
    layers: [...plain.layers, ...LOOKS.flatMap((look) => drawn(look, names, palette))],
  };
}

/** The names of the layers of an archive of vector tiles. */
function layersOf(metadata: unknown): readonly string[] {
  const { vector_layers: layers } = metadata as {
    readonly vector_layers?: readonly { readonly id: string }[];
  };
  return (layers ?? []).map(({ id }) => id);
}

function drawn(
  { layers, as, colour }: (typeof LOOKS)[number],
  there: readonly string[],
  palette: Palette,
): readonly LayerSpecification[] {
  return layers
    .filter((name) => there.includes(name))
    .map((name): LayerSpecification => {
      const of = { id: `base-${name}`, source: 'base', 'source-layer': name };
      if (as === 'fill')
        return { ...of, type: 'fill', filter: POLYGONS, paint: { 'fill-color': palette[colour] } };
      if (as === 'line')
        return {
          ...of,
          type: 'line',
          filter: ['!=', ['geometry-type'], 'Point'],
          layout: { 'line-join': 'round', 'line-cap': 'round' },
          paint: {
            'line-color': palette[colour],
            'line-width': ['interpolate', ['exponential', 1.6], ['zoom'], 8, 0.5, 13, 2, 17, 12],
          },
        };
      return {
        ...of,
        type: 'symbol',
        // No glyphs are loaded: the browser's own font draws them.
        layout: { 'text-field': ['coalesce', ['get', 'name'], ''], 'text-size': 13 },
        paint: {
          'text-color': palette[colour],
          'text-halo-color': palette.halo,
          'text-halo-width': 1.5,
        },
      };
    });
}

const POLYGONS: ['==', ['geometry-type'], 'Polygon'] = ['==', ['geometry-type'], 'Polygon'];
