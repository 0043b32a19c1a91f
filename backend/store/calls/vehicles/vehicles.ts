import { afterSimAction } from '../../port/life-status.ts';
import type { VehicleStore } from '../../port/vehicle-store.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { all, type Calls, first, run } from '../../statements/transaction.ts';
import { RAISED_VERSION } from './box-writes.ts';
import { stockCalls } from './stock.ts';
import { changeVehicle } from './vehicle-change.ts';
import { createVehicle } from './vehicle-create.ts';
import { listVehicles } from './vehicle-list.ts';
import { removeVehicle } from './vehicle-remove.ts';
import { findVehicle, selectBoxes, toBox, toListedVehicle, toVehicle } from './vehicle-rows.ts';
import { saveVehicle } from './vehicle-save.ts';

const findBox = statement((dialect, value: ValueOf<{ boxId: string }>) =>
  selectBoxes(dialect).where('b.id', '=', value('boxId')),
);
const writeSimAction = statement(
  (
    { query },
    value: ValueOf<{
      boxId: string;
      isOpen: number | null;
      notReadyUntilMs: number | null;
      simSuspendedMs: number | null;
      life: string | null;
      lifeSinceMs: number | null;
    }>,
  ) =>
    query
      .updateTable('boxes')
      .set({
        version: RAISED_VERSION,
        connection_open: value('isOpen'),
        not_ready_until_ms: value('notReadyUntilMs'),
        sim_suspended_ms: value('simSuspendedMs'),
        life: value('life'),
        life_since_ms: value('lifeSinceMs'),
      })
      .where('id', '=', value('boxId')),
);

/** Vehicles and what was onboarded of their boxes. */
export function vehicleCalls(): Calls<VehicleStore> {
  return {
    ...stockCalls(),
    save: saveVehicle,
    create: createVehicle,
    *find(vehicleId) {
      const row = yield* first(findVehicle, { id: vehicleId });
      return row === undefined ? undefined : toVehicle(row);
    },
    change: changeVehicle,
    remove: removeVehicle,
    *simActionDone(act) {
      const row = yield* first(findBox, { boxId: act.boxId });
      if (row === undefined) return;
      const { connection, notReadyUntilMs, simSuspendedMs, life } = afterSimAction(toBox(row), act, act.atMs);
      yield* run(writeSimAction, {
        boxId: act.boxId,
        isOpen: connection === undefined ? null : Number(connection.open),
        notReadyUntilMs: notReadyUntilMs ?? null,
        simSuspendedMs: simSuspendedMs ?? null,
        life: life?.value ?? null,
        lifeSinceMs: life?.sinceMs ?? null,
      });
    },
    *list(query) {
      const rows = yield* all(listVehicles, {
        fleetId: query.fleetId,
        afterId: query.afterId ?? '',
        search: query.search?.toLowerCase() ?? null,
        tag: query.tag ?? null,
        operationStatus: query.operationStatus ?? null,
        limit: query.limit,
      });
      return rows.map(toListedVehicle);
    },
  };
}
