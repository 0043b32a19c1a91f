import type { VehicleStore } from '../../port/vehicle-store.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { first, run, type Transaction } from '../../statements/transaction.ts';
import { overtakeByOffboarding } from '../bulk/bulk-overtaking.ts';
import { betweenVehicles } from './box-writes.ts';
import { saveMakerUnit } from './stock.ts';

const findVehicle = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query
    .selectFrom('vehicles')
    .select(['revision', 'shared_with', 'box_id', 'maker', 'maker_vehicle_id', 'fleet_id'])
    .where('id', '=', value('id')),
);
const returnToStock = statement((dialect, value: ValueOf<{ boxId: string; fleetId: string }>) =>
  dialect.query
    .updateTable('boxes')
    .set({ ...betweenVehicles(dialect), fleet_id: value('fleetId') })
    .where('id', '=', value('boxId')),
);
const deleteVehicle = statement(({ query }, value: ValueOf<{ id: string }>) =>
  query.deleteFrom('vehicles').where('id', '=', value('id')),
);

type Removed = Awaited<ReturnType<VehicleStore['remove']>>;

/** Offboards: its box or maker's vehicle is in the stock of its fleet again, and what bulk jobs have pending for it fails. */
export function* removeVehicle(
  vehicleId: string,
  expectedRevision: number | undefined,
): Transaction<Removed> {
  const found = yield* first(findVehicle, { id: vehicleId });
  if (found === undefined) return 'missing';
  if (expectedRevision !== undefined && found.revision !== expectedRevision) return 'modified';
  if (found.shared_with !== null) return 'shared';
  if (found.box_id !== null) yield* run(returnToStock, { boxId: found.box_id, fleetId: found.fleet_id });
  // A backend of an earlier version may have linked it without a stock.
  if (found.maker !== null && found.maker_vehicle_id !== null)
    yield* run(saveMakerUnit, {
      maker: found.maker,
      makerVehicleId: found.maker_vehicle_id,
      fleetId: found.fleet_id,
    });
  yield* overtakeByOffboarding(vehicleId);
  yield* run(deleteVehicle, { id: vehicleId });
  return 'removed';
}
