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

/** Fleets' boxes. */
export function stockCalls(): Calls<Pick<VehicleStore, 'saveUnit' | 'findUnit'>> {
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
  };
}
