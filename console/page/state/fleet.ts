import { signal } from '@preact/signals';
import { type FleetChanges, type FleetVehicle, vehicleOf } from '../../stream/fleet-changes.ts';
import { listenTo } from './event-stream.ts';

/** A vehicle with its previous position, so that it moves in between. */
export interface WatchedVehicle extends FleetVehicle {
  readonly from: { readonly latitude: number; readonly longitude: number };
  /** The time of its arrival, by the page's own clock. */
  readonly sinceMs: number;
}

/** By box id. It is one mutable map; `fleetVersion` counts its changes. */
export const vehicles = new Map<string, WatchedVehicle>();
export const fleetVersion = signal(0);
export const fleetSize = signal(0);
/** `lost`: the stream broke, and is being reopened. */
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

/** How long the movement of a vehicle to its new position takes: about as long as until the next event. */
const MOVE_MS = 600;

/** The displayed position of a vehicle at that moment of the page's clock, in degrees. */
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
