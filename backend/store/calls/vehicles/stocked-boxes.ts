import { sql } from 'kysely';
import type { KnownVehicle } from '../../port/ingest-store.ts';
import { type ListOf, statement } from '../../statements/statement.ts';
import { all, type Transaction } from '../../statements/transaction.ts';
import { type BoxColumns, selectBoxes, toBox, toSim } from './vehicle-rows.ts';

const NO_VEHICLE = '';

const findInStock = statement((dialect, _value, list: ListOf<{ boxIds: readonly string[] }>) =>
  selectBoxes(dialect)
    .select('b.fleet_id')
    .where('b.id', 'in', dialect.texts(list('boxIds')))
    .where('b.fleet_id', '<>', sql.lit(''))
    .where((some) =>
      some.not(
        some.exists(
          some.selectFrom('vehicles').select('vehicles.id').whereRef('vehicles.box_id', '=', 'b.id'),
        ),
      ),
    ),
);

/**
 * Those of the boxes that are in a fleet's stock, in the form for ingest: like one in a vehicle without a model that is
 * not set up. So their connections and journals are stored and their records get receipts, but nothing is translated
 * and no message is written. When such a box is onboarded, its connection is known already.
 */
export function* stockedBoxes(boxIds: readonly string[]): Transaction<readonly KnownVehicle[]> {
  if (boxIds.length === 0) return [];
  return (yield* all(findInStock, { boxIds })).map(asKnown);
}

function asKnown(row: BoxColumns & { readonly fleet_id: string }): KnownVehicle {
  const since = { modifiedMs: 0 } as const;
  return {
    version: row.version,
    vehicle: {
      id: NO_VEHICLE,
      fleetId: row.fleet_id,
      boxId: row.box_id,
      maker: undefined,
      sim: toSim(row),
      sharedWith: undefined,
      model: NO_VEHICLE,
      setupStatus: 'PENDING',
      setupDetail: '',
      masterData: {},
      customFields: {},
      tags: [],
      operationStatus: { ...since, value: 'OPERATING' },
      rentalStatus: { ...since, value: 'NOT_IN_RENTAL' },
      maintenance: false,
      revision: 0,
      createdMs: 0,
      modifiedMs: 0,
      box: toBox(row),
      state: {},
    },
  };
}
