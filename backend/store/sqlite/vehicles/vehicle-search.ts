import type { Database } from 'better-sqlite3';
import type { Vehicle } from '../../port/stored-vehicle.ts';

/**
 * The text that a search of vehicles looks through, in lower case: id, the id of its box or at its maker, and
 * the three names by which people know a vehicle; one line each.
 */
export function searchText(
  vehicleId: string,
  telematicsId: string,
  masterData: Vehicle['masterData'],
): string {
  return [vehicleId, telematicsId, masterData['vin'], masterData['license_plate'], masterData['custom_name']]
    .filter((part) => part !== undefined && part !== null)
    .join('\n')
    .toLowerCase();
}

/** Whether another vehicle of the fleet has that VIN. */
export function vinTaken(
  database: Database,
): (fleetId: string, vehicleId: string, vin: string | number | null | undefined) => boolean {
  const find = database.prepare<[string, string, string], unknown>(
    `SELECT 1 FROM vehicles WHERE fleet_id = ? AND id <> ? AND json_extract(master_data, '$.vin') = ?`,
  );
  return (fleetId, vehicleId, vin) =>
    typeof vin === 'string' && find.get(fleetId, vehicleId, vin) !== undefined;
}
