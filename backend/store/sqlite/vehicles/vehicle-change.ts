import type { Database } from 'better-sqlite3';
import { SELECT_VEHICLE, toVehicle, type VehicleRow } from '../../calls/vehicles/vehicle-rows.ts';
import { changedVehicle } from '../../port/changed-vehicle.ts';
import type { OutgoingMessage } from '../../port/outbox-store.ts';
import type { Vehicle } from '../../port/stored-vehicle.ts';
import type { VehicleChange } from '../../port/vehicle-store.ts';
import { messageWriter } from '../outbox/outbox.ts';
import { searchText, vinTaken } from './vehicle-search.ts';

type Changer = (
  vehicleId: string,
  change: VehicleChange,
  expectedRevision: number | undefined,
  atMs: number,
  messages: readonly OutgoingMessage[],
) => Vehicle | 'modified' | 'missing' | 'vin-taken';

/** Changes vehicles in SQLite: reads, decides, and writes in one transaction. */
export function vehicleChanger(database: Database): Changer {
  const find = database.prepare<[string], VehicleRow>(`${SELECT_VEHICLE} WHERE v.id = (SELECT ?)`);
  const write = database.prepare(`
    UPDATE vehicles SET master_data = @masterData, custom_fields = @customFields, tags = @tags,
      operation_status = @operationStatus, operation_status_ms = @operationStatusMs,
      rental_status = @rentalStatus, rental_status_ms = @rentalStatusMs, shared_with = @sharedWith,
      maintenance = @maintenance, revision = @revision, search_text = @searchText, modified_ms = @modifiedMs
    WHERE id = @id`);
  const hasVin = vinTaken(database);
  const writeMessages = messageWriter(database);
  const touchBox = database.prepare('UPDATE boxes SET version = version + 1 WHERE id = ?');

  const change = database.transaction(
    (...[vehicleId, what, expectedRevision, atMs, messages]: Parameters<Changer>) => {
      const row = find.get(vehicleId);
      if (row === undefined) return 'missing';
      const before = toVehicle(row);
      if (expectedRevision !== undefined && before.revision !== expectedRevision) return 'modified';
      const after = changedVehicle(before, what, atMs);
      const vin = after.masterData['vin'];
      if (vin !== before.masterData['vin'] && hasVin(after.fleetId, after.id, vin)) return 'vin-taken';
      write.run({
        id: after.id,
        masterData: JSON.stringify(after.masterData),
        customFields: JSON.stringify(after.customFields),
        tags: JSON.stringify(after.tags),
        operationStatus: after.operationStatus.value,
        operationStatusMs: after.operationStatus.modifiedMs,
        rentalStatus: after.rentalStatus.value,
        rentalStatusMs: after.rentalStatus.modifiedMs,
        sharedWith: after.sharedWith ?? null,
        maintenance: after.maintenance ? 1 : 0,
        revision: after.revision,
        searchText: searchText(after.id, after.boxId ?? after.maker?.vehicleId ?? '', after.masterData),
        modifiedMs: after.modifiedMs,
      });
      // docs/store.md, One writer.
      if (after.boxId !== undefined) touchBox.run(after.boxId);
      writeMessages(messages);
      return after;
    },
  );
  return (...parameters) => change.immediate(...parameters);
}
