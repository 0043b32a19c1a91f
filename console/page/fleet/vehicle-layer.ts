import type { Map as MapLibre } from 'maplibre-gl';
import { coverage } from '../state/coverage.ts';
import { placeAt, vehicles, type WatchedVehicle } from '../state/fleet.ts';
import { drawnZone, zones } from '../state/zones.ts';
import { type MapView, metresPerPixel, pixelsOf } from './map-projection.ts';
import { type ColouredBy, colouredBy, VEHICLE_COLOURS } from './vehicle-colours.ts';

/** The hit radius of a vehicle, in pixels. */
const POINT_PX = 16;
/** Arrows from this zoom on, and always of a small fleet; points otherwise. */
const ARROW_ZOOM = 12;
const SMALL_FLEET = 500;
/** How long vehicles continue to move after an event, in milliseconds. */
const MOVING_MS = 700;

/**
 * Draws the vehicles on a canvas above the map. The map's own layers would index ten thousand positions for every
 * frame; here a position is two multiplications. It draws only while something moves.
 */
export class VehicleLayer {
  readonly #canvas: HTMLCanvasElement;
  readonly #map: MapLibre;
  #chosen = '';
  #by: ColouredBy = 'connection';
  #changedMs = 0;
  #frame: number | undefined;
  #isOver = false;

  constructor(canvas: HTMLCanvasElement, map: MapLibre) {
    this.#canvas = canvas;
    this.#map = map;
    map.on('move', this.#soon);
    map.on('resize', this.#soon);
  }

  /** The fleet has changed. */
  changed(): void {
    this.#changedMs = performance.now();
    this.#soon();
  }

  /** Marks that vehicle; the map moves to one that is out of sight. */
  choose(boxId: string): void {
    this.#chosen = boxId;
    const vehicle = vehicles.get(boxId);
    if (vehicle !== undefined) this.#bringIntoSight(vehicle);
    this.#soon();
  }

  #bringIntoSight(vehicle: WatchedVehicle): void {
    const view = this.view();
    const [x, y] = pixelsOf(view)(vehicle);
    if (x >= 0 && y >= 0 && x <= view.width && y <= view.height) return;
    this.#map.easeTo({ center: [vehicle.longitude, vehicle.latitude] });
  }

  /** The choice of colouring in the address. */
  colourBy(text: string | undefined): void {
    this.#by = colouredBy(text);
    this.#soon();
  }

  stop(): void {
    this.#isOver = true;
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  /** The vehicle at these pixels of the map; undefined: there is none near. */
  nearest(x: number, y: number): string | undefined {
    const toPixel = pixelsOf(this.view());
    const nowMs = performance.now();
    let best = POINT_PX * POINT_PX;
    let found: string | undefined;
    for (const [boxId, vehicle] of vehicles) {
      const [px, py] = toPixel(placeAt(vehicle, nowMs));
      const distance = (px - x) * (px - x) + (py - y) * (py - y);
      if (distance >= best) continue;
      best = distance;
      found = boxId;
    }
    return found;
  }

  readonly #soon = (): void => {
    if (this.#isOver || this.#frame !== undefined) return;
    this.#frame = requestAnimationFrame((nowMs) => {
      this.#frame = undefined;
      this.#draw(nowMs);
      if (nowMs - this.#changedMs < MOVING_MS) this.#soon();
    });
  };

  /** The visible part of the map. */
  view(): MapView {
    const { width, height } = this.#canvas.getBoundingClientRect();
    const { lng, lat } = this.#map.getCenter();
    return { center: { longitude: lng, latitude: lat }, zoom: this.#map.getZoom(), width, height };
  }

  #draw(nowMs: number): void {
    const canvas = this.#canvas;
    const context = canvas.getContext('2d');
    if (context === null) return;
    const { width, height } = canvas.getBoundingClientRect();
    const scale = devicePixelRatio;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const view = this.view();
    const toPixel = pixelsOf(view);
    drawCoverage(context, view);
    drawZones(context, view);
    const isNear = this.#map.getZoom() >= ARROW_ZOOM || vehicles.size <= SMALL_FLEET;
    const looks = VEHICLE_COLOURS[this.#by].map((look) => ({ ...look, path: new Path2D() }));
    for (const vehicle of vehicles.values()) {
      const [x, y] = toPixel(placeAt(vehicle, nowMs));
      if (x < -POINT_PX || y < -POINT_PX || x > width + POINT_PX || y > height + POINT_PX) continue;
      const path = looks.find((look) => look.isOf(vehicle))?.path;
      if (path === undefined) continue;
      if (isNear) addArrow(path, x, y, vehicle);
      else path.rect(x - 1.5, y - 1.5, 3, 3);
      if (vehicle.boxId === this.#chosen) ring(context, x, y);
    }
    for (const { name, colour, path } of looks) {
      context.fillStyle = colour;
      context.fill(path);
      if (!isNear || name !== 'offline') continue;
      context.strokeStyle = '#000';
      context.stroke(path);
    }
  }
}

/** An arrow towards the heading; a stationary vehicle is a square, and one with records in its journal is larger. */
function addArrow(path: Path2D, x: number, y: number, vehicle: WatchedVehicle): void {
  const size = 6 + Math.min(6, Math.log2(1 + vehicle.heldRecords));
  if (vehicle.speedKph === 0) {
    path.rect(x - size / 2, y - size / 2, size, size);
    return;
  }
  const angle = (vehicle.headingDegrees * Math.PI) / 180;
  const [forth, right] = [
    [Math.sin(angle), -Math.cos(angle)],
    [Math.cos(angle), Math.sin(angle)],
  ] as const;
  path.moveTo(x + forth[0] * size * 1.3, y + forth[1] * size * 1.3);
  path.lineTo(x - forth[0] * size + right[0] * size * 0.8, y - forth[1] * size + right[1] * size * 0.8);
  path.lineTo(x - forth[0] * size - right[0] * size * 0.8, y - forth[1] * size - right[1] * size * 0.8);
  path.closePath();
}

function ring(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.beginPath();
  context.arc(x, y, 14, 0, 2 * Math.PI);
  context.lineWidth = 3;
  context.strokeStyle = '#cc79a7';
  context.stroke();
  context.lineWidth = 1;
}

/** The network: the better, the fainter; where a driving vehicle has none, in the colour of offline vehicles. */
function drawCoverage(context: CanvasRenderingContext2D, view: MapView): void {
  const shown = coverage.value;
  if (shown === undefined) return;
  const { bounds, columns, rows, csq } = shown;
  const toPixel = pixelsOf(view);
  const across = (bounds.east - bounds.west) / columns;
  const down = (bounds.north - bounds.south) / rows;
  csq.forEach((level, index) => {
    const longitude = bounds.west + (index % columns) * across;
    const latitude = bounds.north - Math.floor(index / columns) * down;
    const [left, top] = toPixel({ latitude, longitude });
    const [right, bottom] = toPixel({ latitude: latitude - down, longitude: longitude + across });
    context.fillStyle = level < 0 ? 'rgba(213, 94, 0, 0.4)' : `rgba(0, 114, 178, ${0.3 * (1 - level / 31)})`;
    context.fillRect(left, top, right - left, bottom - top);
  });
}

/** The existing zones, and the one that is being drawn. */
function drawZones(context: CanvasRenderingContext2D, view: MapView): void {
  const toPixel = pixelsOf(view);
  const drawn = drawnZone.value;
  for (const shape of [...zones.value.map((zone) => zone.shape), ...(drawn === undefined ? [] : [drawn])]) {
    context.beginPath();
    if ('around' in shape) {
      const [x, y] = toPixel(shape.around);
      context.arc(x, y, shape.radiusM / metresPerPixel(view, shape.around.latitude), 0, 2 * Math.PI);
    } else {
      for (const corner of shape.polygon) context.lineTo(...toPixel(corner));
      context.closePath();
    }
    context.fillStyle = 'rgba(213, 94, 0, 0.22)';
    context.fill();
    context.strokeStyle = '#a12d00';
    context.setLineDash(shape === drawn ? [6, 4] : []);
    context.stroke();
    context.setLineDash([]);
  }
}
