import { sql } from 'kysely';
import { BoxTaken, type NewVehicle } from '../../port/vehicle-store.ts';
import { columnJson } from '../../statements/column-json.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { first, run, type Transaction } from '../../statements/transaction.ts';
import { type BoxValues, boxValues, insertBox, RAISED_VERSION, SAVED_AGAIN } from './box-writes.ts';
import { findOwner } from './vehicle-create.ts';
import { NO_JOURNAL } from './vehicle-rows.ts';
import { searchText } from './vehicle-search.ts';

const saveRow = statement(
  (
    { query },
    value: ValueOf<{
      id: string;
      fleetId: string;
      boxId: string;
      model: string;
      setupStatus: string;
      masterData: string;
      tags: string;
      maintenance: number;
      searchText: string;
      atMs: number;
    }>,
  ) =>
    query
      .insertInto('vehicles')
      .values({
        id: value('id'),
        fleet_id: value('fleetId'),
        box_id: value('boxId'),
        model: value('model'),
        setup_status: value('setupStatus'),
        master_data: value('masterData'),
        tags: value('tags'),
        maintenance: value('maintenance'),
        operation_status_ms: value('atMs'),
        rental_status_ms: value('atMs'),
        search_text: value('searchText'),
        created_ms: value('atMs'),
        modified_ms: value('atMs'),
      })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((row) => ({
          fleet_id: row.ref('excluded.fleet_id'),
          box_id: row.ref('excluded.box_id'),
          maker: sql.lit(null),
          maker_vehicle_id: sql.lit(null),
          model: row.ref('excluded.model'),
          setup_status: row.ref('excluded.setup_status'),
          setup_detail: sql.lit(''),
          master_data: row.ref('excluded.master_data'),
          tags: row.ref('excluded.tags'),
          maintenance: row.ref('excluded.maintenance'),
          revision: row('vehicles.revision', '+', sql.lit(1)),
          search_text: row.ref('excluded.search_text'),
          modified_ms: row.ref('excluded.modified_ms'),
        })),
      ),
);
const saveBox = statement((dialect, value: ValueOf<BoxValues>) =>
  insertBox(dialect, value).onConflict((conflict) =>
    conflict.column('id').doUpdateSet((box) => ({
      ...SAVED_AGAIN,
      fleet_id: box.ref('excluded.fleet_id'),
      sim_provider: box.fn.coalesce('excluded.sim_provider', 'boxes.sim_provider'),
      sim_iccid: box.fn.coalesce('excluded.sim_iccid', 'boxes.sim_iccid'),
    })),
  ),
);
/** What the box reported is deleted with its vehicle. */
const shelveOldBox = statement(({ query }, value: ValueOf<{ vehicleId: string; newBoxId: string }>) =>
  query
    .updateTable('boxes')
    .set({ version: RAISED_VERSION, state: sql.lit('{}') })
    .where('id', '=', (some) =>
      some.selectFrom('vehicles').select('box_id').where('vehicles.id', '=', value('vehicleId')),
    )
    .where('id', '<>', value('newBoxId')),
);

/** Stores a vehicle together with its box, or replaces it. Throws `BoxTaken`. */
export function* saveVehicle(vehicle: NewVehicle): Transaction<void> {
  const owner = yield* first(findOwner, { boxId: vehicle.boxId });
  if (owner !== undefined && owner.id !== vehicle.id) {
    throw new BoxTaken(`Box ${vehicle.boxId} belongs to vehicle ${owner.id}.`);
  }
  yield* run(shelveOldBox, { vehicleId: vehicle.id, newBoxId: vehicle.boxId });
  // A new box, in a vehicle that needs no setup, has no previous vehicle: all that it sends belongs to this one.
  const isSetUp = vehicle.setupStatus === 'SUCCEEDED';
  yield* run(saveBox, boxValues(vehicle, isSetUp ? { ...NO_JOURNAL, setUpAt: 0 } : NO_JOURNAL));
  yield* run(saveRow, {
    id: vehicle.id,
    fleetId: vehicle.fleetId,
    boxId: vehicle.boxId,
    model: vehicle.model,
    setupStatus: vehicle.setupStatus,
    masterData: columnJson(vehicle.masterData),
    tags: columnJson(vehicle.tags),
    maintenance: vehicle.maintenance === true ? 1 : 0,
    searchText: searchText(vehicle.id, vehicle.boxId, vehicle.masterData),
    atMs: vehicle.atMs,
  });
}
