import { useEffect, useMemo, useRef } from 'preact/hooks';
import { CONNECTIVITY_LOOKS } from '../fleet/vehicle-colours.ts';
import { useRedraw } from '../state/use-redraw.ts';
import type { Place, RunIndex, RunVehicle } from './run-index.ts';

const MARGIN_PX = 24;
const POINT_PX = 14;

/**
 * The positions of the vehicles at the moment, over their routes in the run. It needs no map: a saved replay has none.
 */
export function PlaceMap(map: {
  readonly run: RunIndex;
  readonly atMs: number;
  readonly chosen: number | undefined;
  choose(vehicle: number | undefined): void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { run, atMs, chosen } = map;
  const sizes = useRedraw(canvas);
  const bounds = useMemo(() => boundsOf(run), [run]);
  useEffect(() => {
    void sizes;
    if (canvas.current !== null && bounds !== undefined) draw(canvas.current, run, atMs, chosen, bounds);
  }, [run, atMs, chosen, bounds, sizes]);
  if (bounds === undefined)
    return <p class="silence places">This trace contains no positions: an earlier version wrote it.</p>;
  return (
    <canvas
      ref={canvas}
      class="places"
      role="img"
      aria-label="Where the vehicles were; the table has their speeds"
      onClick={(event) => {
        const frame = event.currentTarget.getBoundingClientRect();
        const toPixel = projection(frame, bounds);
        let best = POINT_PX;
        let found: number | undefined;
        for (const vehicle of run.vehicles.values()) {
          const place = vehicle.places.at(atMs);
          if (place === undefined) continue;
          const [x, y] = toPixel(place);
          const away = Math.hypot(x - (event.clientX - frame.left), y - (event.clientY - frame.top));
          if (away < best) [best, found] = [away, vehicle.number];
        }
        map.choose(found);
      }}
    />
  );
}

interface Bounds {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

function boundsOf(run: RunIndex): Bounds | undefined {
  let [south, north, west, east] = [90, -90, 180, -180];
  for (const { places } of run.vehicles.values())
    for (const { latitude, longitude } of places.values) {
      south = Math.min(south, latitude);
      north = Math.max(north, latitude);
      west = Math.min(west, longitude);
      east = Math.max(east, longitude);
    }
  return south > north ? undefined : { south, north, west, east };
}

/** Degrees to pixels, with the length of a degree of longitude at that latitude. */
function projection(
  frame: { readonly width: number; readonly height: number },
  { south, north, west, east }: Bounds,
): (place: Pick<Place, 'latitude' | 'longitude'>) => readonly [x: number, y: number] {
  const stretch = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const wide = Math.max(0.002, (east - west) * stretch);
  const high = Math.max(0.002, north - south);
  const perDegree = Math.min((frame.width - 2 * MARGIN_PX) / wide, (frame.height - 2 * MARGIN_PX) / high);
  const middle = [(west + east) / 2, (south + north) / 2] as const;
  return ({ latitude, longitude }) => [
    frame.width / 2 + (longitude - middle[0]) * stretch * perDegree,
    frame.height / 2 - (latitude - middle[1]) * perDegree,
  ];
}

function draw(
  canvas: HTMLCanvasElement,
  run: RunIndex,
  atMs: number,
  chosen: number | undefined,
  bounds: Bounds,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const { width, height } = canvas.getBoundingClientRect();
  const scale = devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const toPixel = projection({ width, height }, bounds);
  context.strokeStyle = '#8fa3b5';
  context.lineWidth = 2;
  for (const { places } of run.vehicles.values()) {
    context.beginPath();
    for (const place of places.values) context.lineTo(...toPixel(place));
    context.stroke();
  }
  for (const vehicle of run.vehicles.values()) {
    const place = placeAt(vehicle, atMs);
    if (place === undefined) continue;
    const [x, y] = toPixel(place);
    context.fillStyle = CONNECTIVITY_LOOKS[vehicle.connectivity.at(atMs) ?? 'off'].colour;
    context.beginPath();
    context.arc(x, y, 5, 0, 2 * Math.PI);
    context.fill();
    if (vehicle.number !== chosen) continue;
    context.strokeStyle = '#cc79a7';
    context.lineWidth = 3;
    context.beginPath();
    context.arc(x, y, 11, 0, 2 * Math.PI);
    context.stroke();
  }
}

/** Linear interpolation between two rows. */
function placeAt({ places }: RunVehicle, atMs: number): Place | undefined {
  const index = places.indexAt(atMs);
  const [before, behind] = [places.values[Math.max(0, index)], places.values[index + 1]];
  if (before === undefined || behind === undefined || index < 0) return before;
  const [fromMs = atMs, toMs = atMs] = [places.times[index], places.times[index + 1]];
  // A vehicle that does not move sends no positions: it moves only shortly before its next one.
  const part = Math.max(0, 1 - (toMs - atMs) / Math.min(toMs - fromMs, 5_000) || 0);
  return {
    ...before,
    latitude: before.latitude + (behind.latitude - before.latitude) * part,
    longitude: before.longitude + (behind.longitude - before.longitude) * part,
  };
}
