import { signal } from '@preact/signals';
import { type FleetChanges, type FleetVehicle, vehicleOf } from '../../stream/fleet-changes.ts';
import { listenTo } from './event-stream.ts';

/** A vehicle with where it was shown before, so that it moves in between. */
export interface WatchedVehicle extends FleetVehicle {
  readonly from: { readonly latitude: number; readonly longitude: number };
  /** When this came, by the page's own clock. */
  readonly sinceMs: number;
}

/** By box id. It is one map that changes; `fleetVersion` counts its changes. */
export const vehicles = new Map<string, WatchedVehicle>();
export const fleetVersion = signal(0);
export const fleetSize = signal(0);
/** `lost`: the stream broke, and is tried again. */
export const stream = signal<'opening' | 'open' | 'lost'>('opening');

/** Listens to the fleet from now on. */
export function watchFleet(): void {
  let isFirst = true;
  listenTo({
    path: '/console/fleet',
    opened: () => {
      stream.value = 'open';
      isFirst = true;
    },
    events: {
      fleet: (data) => {
        take(data as FleetChanges, isFirst);
        isFirst = false;
      },
    },
    lost: () => {
      stream.value = 'lost';
    },
  });
}

function take({ boxes, rows, gone }: FleetChanges, isWhole: boolean): void {
  const nowMs = performance.now();
  if (isWhole) vehicles.clear();
  for (const id of gone) vehicles.delete(id);
  for (const row of rows) {
    const vehicle = vehicleOf(row);
    const before = vehicles.get(vehicle.boxId);
    vehicles.set(vehicle.boxId, {
      ...vehicle,
      from: before === undefined ? vehicle : placeAt(before, nowMs),
      sinceMs: nowMs,
    });
  }
  fleetSize.value = boxes;
  fleetVersion.value += 1;
}

/** How long a vehicle takes on the map to where it is: about as long as until the next event. */
const MOVE_MS = 600;

/** Where a vehicle is shown at that moment of the page's clock, in degrees. */
export function placeAt(
  vehicle: WatchedVehicle,
  nowMs: number,
): { readonly latitude: number; readonly longitude: number } {
  const part = Math.min(1, (nowMs - vehicle.sinceMs) / MOVE_MS);
  const { from } = vehicle;
  return {
    latitude: from.latitude + (vehicle.latitude - from.latitude) * part,
    longitude: from.longitude + (vehicle.longitude - from.longitude) * part,
  };
}
