import type { Database } from 'better-sqlite3';
import { call } from './sqlite-call.ts';
import { SELECT_VEHICLE, toVehicle, type VehicleRow } from './sqlite-rows.ts';
import { BoxTaken, type JournalPosition, type NewVehicle, type VehicleStore } from './store.ts';

const NO_JOURNAL: JournalPosition = { epoch: 0, contiguous: 0, ranges: [] };

interface ListQuery {
  readonly fleetId: string;
  readonly afterId: string;
  readonly search: string | null;
  readonly tag: string | null;
  readonly limit: number;
}

/** Vehicles and what was onboarded of their boxes, in SQLite. */
export function sqliteVehicles(database: Database): VehicleStore {
  const ownerOfBox = database.prepare<[string], { readonly id: string }>(
    'SELECT id FROM vehicles WHERE box_id = ?',
  );
  const saveVehicle = database.prepare(`
    INSERT INTO vehicles (id, fleet_id, box_id, model, setup_status, master_data, tags, search_text, created_ms, modified_ms)
    VALUES (@id, @fleetId, @boxId, @model, @setupStatus, @masterData, @tags, @searchText, @atMs, @atMs)
    ON CONFLICT (id) DO UPDATE SET fleet_id = excluded.fleet_id, box_id = excluded.box_id, model = excluded.model,
      setup_status = excluded.setup_status, master_data = excluded.master_data, tags = excluded.tags,
      search_text = excluded.search_text, modified_ms = excluded.modified_ms`);
  const saveBox = database.prepare(`
    INSERT INTO boxes (id, version, secret_hash, generation, journal, state)
    VALUES (@boxId, 1, @boxSecretHash, @generation, @journal, '{}')
    ON CONFLICT (id) DO UPDATE SET version = version + 1, secret_hash = excluded.secret_hash,
      generation = CASE WHEN last_contact_ms IS NULL THEN excluded.generation ELSE generation END`);
  // What ingest has in mind of a box that leaves its vehicle must become stale.
  const touchOldBox = database.prepare(
    'UPDATE boxes SET version = version + 1 WHERE id = (SELECT box_id FROM vehicles WHERE id = ?) AND id <> ?',
  );
  const find = database.prepare<[string], VehicleRow>(`${SELECT_VEHICLE} WHERE v.id = ?`);
  const list = database.prepare<[ListQuery], VehicleRow>(`
    ${SELECT_VEHICLE}
    WHERE v.fleet_id = @fleetId AND v.id > @afterId
      AND (@search IS NULL OR instr(v.search_text, @search) > 0)
      AND (@tag IS NULL OR EXISTS (SELECT 1 FROM json_each(v.tags) WHERE value = @tag))
    ORDER BY v.id LIMIT @limit`);

  const save = database.transaction((vehicle: NewVehicle) => {
    const owner = ownerOfBox.get(vehicle.boxId);
    if (owner !== undefined && owner.id !== vehicle.id) {
      throw new BoxTaken(`Box ${vehicle.boxId} belongs to vehicle ${owner.id}.`);
    }
    touchOldBox.run(vehicle.id, vehicle.boxId);
    saveBox.run({
      boxId: vehicle.boxId,
      boxSecretHash: vehicle.boxSecretHash,
      generation: vehicle.generation,
      journal: JSON.stringify(NO_JOURNAL),
    });
    saveVehicle.run({
      id: vehicle.id,
      fleetId: vehicle.fleetId,
      boxId: vehicle.boxId,
      model: vehicle.model,
      setupStatus: vehicle.setupStatus,
      masterData: JSON.stringify(vehicle.masterData),
      tags: JSON.stringify(vehicle.tags),
      searchText: searchText(vehicle),
      atMs: vehicle.atMs,
    });
  });

  return {
    save: (vehicle) => call(database, () => save.immediate(vehicle)),
    find: (vehicleId) =>
      call(database, () => {
        const row = find.get(vehicleId);
        return row === undefined ? undefined : toVehicle(row);
      }),
    list: (query) =>
      call(database, () =>
        list
          .all({
            fleetId: query.fleetId,
            afterId: query.afterId ?? '',
            search: query.search?.toLowerCase() ?? null,
            tag: query.tag ?? null,
            limit: query.limit,
          })
          .map(toVehicle),
      ),
  };
}

/** Id, box id, and the three names by which people know a vehicle. */
function searchText(vehicle: NewVehicle): string {
  const { masterData } = vehicle;
  return [
    vehicle.id,
    vehicle.boxId,
    masterData['vin'],
    masterData['license_plate'],
    masterData['custom_name'],
  ]
    .filter((part) => part !== undefined && part !== null)
    .join('\n')
    .toLowerCase();
}
