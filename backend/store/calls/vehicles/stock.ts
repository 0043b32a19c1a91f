import type { Generation } from '../../../../protocol/message.ts';
import type { VehicleStore } from '../../port/vehicle-store.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { type Calls, first, run } from '../../statements/transaction.ts';
import { type BoxValues, boxValues, insertBox, SAVED_AGAIN } from './box-writes.ts';
import { NO_JOURNAL, toSim } from './vehicle-rows.ts';

/** A box that is in a vehicle stays in the stock of the vehicle's fleet. */
const saveUnit = statement((dialect, value: ValueOf<BoxValues>) =>
  insertBox(dialect, value).onConflict((conflict) =>
    conflict.column('id').doUpdateSet((box) => ({
      ...SAVED_AGAIN,
      fleet_id: box.fn.coalesce(
        box.selectFrom('vehicles').select('vehicles.fleet_id').whereRef('box_id', '=', 'excluded.id'),
        'excluded.fleet_id',
      ),
      sim_provider: box.ref('excluded.sim_provider'),
      sim_iccid: box.ref('excluded.sim_iccid'),
    })),
  ),
);
const findUnit = statement(({ query, fixed }, value: ValueOf<{ boxId: string }>) =>
  query
    .selectFrom('boxes as b')
    .leftJoin('vehicles as v', 'v.box_id', 'b.id')
    .select([
      'b.id',
      'b.fleet_id',
      'b.secret_hash',
      'b.generation',
      'b.sim_provider',
      'b.sim_iccid',
      'v.id as vehicle_id',
    ])
    .where('b.id', '=', fixed(value('boxId'))),
);

type OfMaker = { readonly maker: string; readonly makerVehicleId: string };

/** A maker's vehicle that is linked stays in the stock of the vehicle's fleet. */
export const saveMakerUnit = statement(({ query }, value: ValueOf<OfMaker & { readonly fleetId: string }>) =>
  query
    .insertInto('maker_vehicles')
    .values({
      maker: value('maker'),
      maker_vehicle_id: value('makerVehicleId'),
      fleet_id: value('fleetId'),
    })
    .onConflict((conflict) =>
      conflict.columns(['maker', 'maker_vehicle_id']).doUpdateSet((unit) => ({
        fleet_id: unit.fn.coalesce(
          unit
            .selectFrom('vehicles')
            .select('vehicles.fleet_id')
            .whereRef('vehicles.maker', '=', 'excluded.maker')
            .whereRef('vehicles.maker_vehicle_id', '=', 'excluded.maker_vehicle_id'),
          'excluded.fleet_id',
        ),
      })),
    ),
);
export const findMakerUnit = statement(({ query }, value: ValueOf<OfMaker>) =>
  query
    .selectFrom('maker_vehicles')
    .select('fleet_id')
    .where('maker', '=', value('maker'))
    .where('maker_vehicle_id', '=', value('makerVehicleId')),
);

type StockCalls = Pick<VehicleStore, 'saveUnit' | 'findUnit' | 'saveMakerUnit' | 'findMakerUnit'>;

/** Fleets' boxes and makers' vehicles. */
export function stockCalls(): Calls<StockCalls> {
  return {
    *saveUnit(unit) {
      yield* run(saveUnit, boxValues(unit, NO_JOURNAL));
    },
    *findUnit(boxId) {
      const row = yield* first(findUnit, { boxId });
      if (row === undefined) return undefined;
      return {
        boxId: row.id,
        fleetId: row.fleet_id,
        boxSecretHash: row.secret_hash,
        generation: row.generation as Generation,
        sim: toSim(row),
        vehicleId: row.vehicle_id ?? undefined,
      };
    },
    *saveMakerUnit({ link, fleetId }) {
      yield* run(saveMakerUnit, { maker: link.name, makerVehicleId: link.vehicleId, fleetId });
    },
    *findMakerUnit(link) {
      const row = yield* first(findMakerUnit, { maker: link.name, makerVehicleId: link.vehicleId });
      return row === undefined ? undefined : { link, fleetId: row.fleet_id };
    },
  };
}
