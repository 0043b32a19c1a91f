import { changedVehicle } from '../../port/changed-vehicle.ts';
import type { OutgoingMessage } from '../../port/outbox-store.ts';
import { StoreFailed } from '../../port/store.ts';
import type { VehicleChange, VehicleStore } from '../../port/vehicle-store.ts';
import { columnJson } from '../../statements/column-json.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import { first, run, type Transaction, writeMessages } from '../../statements/transaction.ts';
import { touchBox } from './box-writes.ts';
import { findVehicle, toVehicle } from './vehicle-rows.ts';
import { isVinTaken, searchText } from './vehicle-search.ts';

const writeVehicle = statement(
  (
    { query },
    value: ValueOf<{
      id: string;
      createdMs: number;
      before: number;
      masterData: string;
      customFields: string;
      tags: string;
      operationStatus: string;
      operationStatusMs: number;
      rentalStatus: string;
      rentalStatusMs: number;
      sharedWith: string | null;
      maintenance: number;
      revision: number;
      searchText: string;
      modifiedMs: number;
    }>,
  ) =>
    query
      .updateTable('vehicles')
      .set({
        master_data: value('masterData'),
        custom_fields: value('customFields'),
        tags: value('tags'),
        operation_status: value('operationStatus'),
        operation_status_ms: value('operationStatusMs'),
        rental_status: value('rentalStatus'),
        rental_status_ms: value('rentalStatusMs'),
        shared_with: value('sharedWith'),
        maintenance: value('maintenance'),
        revision: value('revision'),
        search_text: value('searchText'),
        modified_ms: value('modifiedMs'),
      })
      .where('id', '=', value('id'))
      .where('created_ms', '=', value('createdMs'))
      .where('revision', '=', value('before')),
);

/** How often a change is recomputed because another one was written meanwhile. */
const DECISIONS = 20;

/** Reads a vehicle, decides, and writes what its owner changes. */
export function* changeVehicle(...given: Parameters<VehicleStore['change']>): Transaction<Changed> {
  for (let decided = 0; decided < DECISIONS; decided += 1) {
    const outcome = yield* changeOnce(...given);
    if (outcome !== 'overtaken') return outcome;
  }
  throw new StoreFailed(`The vehicle ${given[0]} was changed by others ${DECISIONS} times in a row.`);
}

type Changed = Awaited<ReturnType<VehicleStore['change']>>;

/** `overtaken`: a concurrent writer has changed it since it was read, and nothing was written. */
function* changeOnce(
  vehicleId: string,
  change: VehicleChange,
  expectedRevision: number | undefined,
  atMs: number,
  messages: readonly OutgoingMessage[] = [],
): Transaction<Changed | 'overtaken'> {
  const row = yield* first(findVehicle, { id: vehicleId });
  if (row === undefined) return 'missing';
  const before = toVehicle(row);
  if (expectedRevision !== undefined && before.revision !== expectedRevision) return 'modified';
  const after = changedVehicle(before, change, atMs);
  const vin = after.masterData['vin'];
  if (vin !== before.masterData['vin'] && (yield* isVinTaken(after.fleetId, after.id, vin)))
    return 'vin-taken';
  // The box before its vehicle, as in every call and in ingest: another order could cause a deadlock.
  if (after.boxId !== undefined) yield* run(touchBox, { boxId: after.boxId });
  const written = yield* run(writeVehicle, {
    id: after.id,
    createdMs: before.createdMs,
    before: before.revision,
    masterData: columnJson(after.masterData),
    customFields: JSON.stringify(after.customFields),
    tags: columnJson(after.tags),
    operationStatus: after.operationStatus.value,
    operationStatusMs: after.operationStatus.modifiedMs,
    rentalStatus: after.rentalStatus.value,
    rentalStatusMs: after.rentalStatus.modifiedMs,
    sharedWith: after.sharedWith ?? null,
    maintenance: after.maintenance ? 1 : 0,
    revision: after.revision,
    searchText: searchText(after.id, after.boxId, after.masterData),
    modifiedMs: after.modifiedMs,
  });
  if (written === 0) return 'overtaken';
  yield* writeMessages(messages);
  return after;
}
