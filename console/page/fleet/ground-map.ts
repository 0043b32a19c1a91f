import {
  AttributionControl,
  Map as MapLibre,
  NavigationControl,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type { Streets } from '../../stream/map.ts';
import { askUntil } from '../state/ask-until.ts';
import { vehicles } from '../state/fleet.ts';

setWorkerUrl(workerUrl);

/** A map in that frame that is neither turned nor tilted, with the routes of the fleet above its ground. */
export function openGroundMap(frame: HTMLElement, style: StyleSpecification | string): MapLibre {
  const map = new MapLibre({
    container: frame,
    attributionControl: false,
    style,
    center: [13.37, 52.515],
    zoom: 12,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
  });
  map.keyboard.disableRotation();
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(new AttributionControl({ compact: true }), 'bottom-right');
  map.getCanvas().setAttribute('aria-label', 'Map of the fleet: arrow keys move it, plus and minus zoom');
  map.on('load', () => {
    const giveUp = askUntil<Streets>({
      path: '/console/streets',
      take: (streets) => addStreets(map, streets),
      failed: () => true,
    });
    map.once('remove', giveUp);
  });
  return map;
}

function addStreets(map: MapLibre, streets: Streets): void {
  if (map.getSource('streets') !== undefined) return;
  const features = streets.map(({ name, places }) => ({
    type: 'Feature' as const,
    properties: { name },
    geometry: { type: 'LineString' as const, coordinates: places.map(([lon, lat]) => [lon, lat]) },
  }));
  map.addSource('streets', { type: 'geojson', data: { type: 'FeatureCollection', features } });
  map.addLayer({
    id: 'streets',
    type: 'line',
    source: 'streets',
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': '#8fa3b5', 'line-width': ['interpolate', ['linear'], ['zoom'], 10, 1.5, 16, 10] },
  });
}

/** Shows where most vehicles are: those within a degree of the middle one. */
export function fitFleet(map: MapLibre): void {
  const places = [...vehicles.values()].filter(
    ({ latitude, longitude }) => latitude !== 0 || longitude !== 0,
  );
  const middle = places.toSorted((a, b) => a.latitude - b.latitude)[Math.floor(places.length / 2)];
  if (middle === undefined) return;
  const near = places.filter(
    ({ latitude, longitude }) =>
      Math.abs(latitude - middle.latitude) < 1 && Math.abs(longitude - middle.longitude) < 1,
  );
  const longitudes = near.map(({ longitude }) => longitude);
  const latitudes = near.map(({ latitude }) => latitude);
  map.fitBounds(
    [
      [Math.min(...longitudes), Math.min(...latitudes)],
      [Math.max(...longitudes), Math.max(...latitudes)],
    ],
    { padding: 40, maxZoom: 15, animate: false },
  );
}
