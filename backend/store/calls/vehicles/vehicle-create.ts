import type { CreatedVehicle, VehicleStore } from '../../port/vehicle-store.ts';
import { columnJson } from '../../statements/column-json.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { first, run, type Transaction } from '../../statements/transaction.ts';
import { betweenVehicles } from './box-writes.ts';
import { findMakerUnit } from './stock.ts';
import { isVinTaken, searchText } from './vehicle-search.ts';

const findId = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.selectFrom('vehicles').select('id').where('id', '=', value('id')),
);
const findOwnUnit = statement(({ query }, value: ValueOf<{ boxId: string; fleetId: string }>) =>
  query
    .selectFrom('boxes')
    .select('id')
    .where('id', '=', value('boxId'))
    .where('fleet_id', '=', value('fleetId')),
);
/** The vehicle that has a box. */
export const findOwner = statement(({ query }, value: ValueOf<{ boxId: string }>) =>
  query.selectFrom('vehicles').select('id').where('box_id', '=', value('boxId')),
);
const findOfMaker = statement(({ query }, value: ValueOf<{ maker: string; makerVehicleId: string }>) =>
  query
    .selectFrom('vehicles')
    .select('id')
    .where('maker', '=', value('maker'))
    .where('maker_vehicle_id', '=', value('makerVehicleId')),
);
const takeUnit = statement((dialect, value: ValueOf<{ boxId: string }>) =>
  dialect.query.updateTable('boxes').set(betweenVehicles(dialect)).where('id', '=', value('boxId')),
);
const insertVehicle = statement(
  (
    { query },
    value: ValueOf<{
      id: string;
      fleetId: string;
      boxId: string | null;
      maker: string | null;
      makerVehicleId: string | null;
      model: string;
      setupStatus: string;
      masterData: string;
      customFields: string;
      tags: string;
      maintenance: number;
      searchText: string;
      atMs: number;
    }>,
  ) =>
    query.insertInto('vehicles').values({
      id: value('id'),
      fleet_id: value('fleetId'),
      box_id: value('boxId'),
      maker: value('maker'),
      maker_vehicle_id: value('makerVehicleId'),
      model: value('model'),
      setup_status: value('setupStatus'),
      master_data: value('masterData'),
      custom_fields: value('customFields'),
      tags: value('tags'),
      maintenance: value('maintenance'),
      operation_status_ms: value('atMs'),
      rental_status_ms: value('atMs'),
      search_text: value('searchText'),
      created_ms: value('atMs'),
      modified_ms: value('atMs'),
    }),
);

type Created = Awaited<ReturnType<VehicleStore['create']>>;

/**
 * Onboards. All unique values are checked first: so of two calls for the same in PostgreSQL one fails as not
 * serializable, is retried, and finds the row of the other. An insert there may also fail by the unique index (23505),
 * which means the same and has the same result when retried.
 */
export function* createVehicle(vehicle: CreatedVehicle): Transaction<Created> {
  const { id, fleetId, telematics } = vehicle;
  if ((yield* first(findId, { id })) !== undefined) return 'id-taken';
  const obstacle = yield* obstacleOf(fleetId, telematics);
  if (obstacle !== undefined) return obstacle;
  if (yield* isVinTaken(fleetId, id, vehicle.masterData['vin'])) return 'vin-taken';
  const boxId = 'boxId' in telematics ? telematics.boxId : null;
  const maker = 'maker' in telematics ? telematics.maker : undefined;
  if (boxId !== null) yield* run(takeUnit, { boxId });
  yield* run(insertVehicle, {
    id,
    fleetId,
    boxId,
    maker: maker?.name ?? null,
    makerVehicleId: maker?.vehicleId ?? null,
    model: vehicle.model,
    setupStatus: vehicle.setupStatus,
    masterData: columnJson(vehicle.masterData),
    customFields: JSON.stringify(vehicle.customFields),
    tags: columnJson(vehicle.tags),
    maintenance: vehicle.maintenance === true ? 1 : 0,
    searchText: searchText(id, boxId ?? undefined, vehicle.masterData),
    atMs: vehicle.atMs,
  });
  return 'created';
}

/** The reason why it cannot be created; undefined: none. */
function* obstacleOf(
  fleetId: string,
  telematics: CreatedVehicle['telematics'],
): Transaction<Created | undefined> {
  if ('maker' in telematics) {
    const ofMaker = { maker: telematics.maker.name, makerVehicleId: telematics.maker.vehicleId };
    if ((yield* first(findMakerUnit, ofMaker))?.fleet_id !== fleetId) return 'maker-vehicle-unknown';
    return (yield* first(findOfMaker, ofMaker)) === undefined ? undefined : 'maker-vehicle-taken';
  }
  const { boxId } = telematics;
  if ((yield* first(findOwnUnit, { boxId, fleetId })) === undefined) return 'unit-unknown';
  return (yield* first(findOwner, { boxId })) === undefined ? undefined : 'unit-taken';
}
