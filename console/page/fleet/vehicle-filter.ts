import type { FleetVehicle } from '../../stream/fleet-changes.ts';

/**
 * Whether a vehicle matches the search: words, each of which must occur in its id, plate, model, firmware or state;
 * `moving`, `parked` and `backlog` or `journal` (records wait) are keywords. Total.
 */
export function makeVehicleFilter(find: string): (vehicle: FleetVehicle) => boolean {
  const words = find
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return () => true;
  return (vehicle) => {
    const text = textOf(vehicle);
    return words.every((word) => {
      if (word === 'moving') return vehicle.speedKph > 0;
      if (word === 'parked') return !vehicle.ignitionOn;
      if (word === 'backlog' || word === 'journal') return vehicle.heldRecords > 0;
      return text.includes(word);
    });
  };
}

function textOf({ boxId, vehicleId, licensePlate, model, firmware, connectivity }: FleetVehicle): string {
  return `${vehicleId ?? ''} ${boxId} ${licensePlate} ${model} ${firmware} ${connectivity}`.toLowerCase();
}
