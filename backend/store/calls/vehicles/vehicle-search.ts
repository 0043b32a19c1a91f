import { sql } from 'kysely';
import type { Vehicle } from '../../port/stored-vehicle.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { first, type Transaction } from '../../statements/transaction.ts';

/**
 * The text that a search of vehicles covers, in lower case: id, the id of its box, and the three names by which people
 * know a vehicle; one line each. Not its id at its maker, which no answer shows: a match would have no visible reason.
 */
export function searchText(
  vehicleId: string,
  boxId: string | undefined,
  masterData: Vehicle['masterData'],
): string {
  return [vehicleId, boxId ?? '', masterData['vin'], masterData['license_plate'], masterData['custom_name']]
    .filter((part) => part !== undefined && part !== null)
    .join('\n')
    .toLowerCase();
}

const findVin = statement(
  ({ query, member }, value: ValueOf<{ fleetId: string; vehicleId: string; vin: string }>) =>
    query
      .selectFrom('vehicles')
      .select('id')
      .where('fleet_id', '=', value('fleetId'))
      .where('id', '<>', value('vehicleId'))
      .where(member(sql.ref('master_data'), 'vin'), '=', value('vin')),
);

/** Whether another vehicle of the fleet has that VIN. */
export function* isVinTaken(
  fleetId: string,
  vehicleId: string,
  vin: string | number | null | undefined,
): Transaction<boolean> {
  return typeof vin === 'string' && (yield* first(findVin, { fleetId, vehicleId, vin })) !== undefined;
}
