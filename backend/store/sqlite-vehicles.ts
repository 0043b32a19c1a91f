import type { Database } from 'better-sqlite3';
import { afterCardAct } from '../vehicles/card.ts';
import type { NewVehicle } from './onboarding.ts';
import { call } from './sqlite-call.ts';
import {
  BOX_COLUMNS,
  type BoxColumns,
  NO_JOURNAL,
  SELECT_VEHICLE,
  toBox,
  toVehicle,
  type VehicleRow,
} from './sqlite-rows.ts';
import { searchText } from './sqlite-search.ts';
import { sqliteStock } from './sqlite-stock.ts';
import { vehicleChanger } from './sqlite-vehicle-change.ts';
import { BoxTaken, type CardAct, type VehicleStore } from './vehicle-store.ts';

interface ListQuery {
  readonly fleetId: string;
  readonly afterId: string;
  readonly search: string | null;
  readonly tag: string | null;
  readonly operationStatus: string | null;
  readonly limit: number;
}

/** What a list asks of a vehicle, beside whose it is, and by which text it is searched. */
const listed = (text: string) => `id > @afterId
      AND (@search IS NULL OR instr(${text}, @search) > 0)
      AND (@operationStatus IS NULL OR operation_status = @operationStatus)
    ORDER BY id LIMIT @limit + 0`;

/** What a partner can find a vehicle by: what it sees of it. */
const SHARED_TEXT = `lower(id || char(10) || coalesce(box_id, '') || char(10) ||
      coalesce(json_extract(master_data, '$.vin'), '') || char(10) ||
      coalesce(json_extract(master_data, '$.license_plate'), ''))`;

/** Vehicles and what was onboarded of their boxes, in SQLite. */
export function sqliteVehicles(database: Database): VehicleStore {
  // A bare parameter beside a join makes SQLite prepare the statement anew at each call, which takes 30 times as long.
  const find = database.prepare<[string], VehicleRow>(`${SELECT_VEHICLE} WHERE v.id = (SELECT ?)`);
  // Each part comes in order from an index of its own, so that no page sorts a whole fleet.
  const list = database.prepare<[ListQuery], VehicleRow>(`
    ${SELECT_VEHICLE} WHERE v.id IN (
      SELECT id FROM (SELECT id FROM vehicles WHERE fleet_id = @fleetId
        AND (@tag IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = @tag)) AND ${listed('search_text')})
      UNION
      SELECT id FROM (SELECT id FROM vehicles WHERE shared_with = @fleetId
        AND @tag IS NULL AND ${listed(SHARED_TEXT)}))
    ORDER BY v.id LIMIT @limit + 0`);
  const save = vehicleSaver(database);
  const change = vehicleChanger(database);
  const recordCardAct = cardWriter(database);

  return {
    ...sqliteStock(database),
    save: (vehicle) => call(database, () => save(vehicle)),
    find: (vehicleId) =>
      call(database, () => {
        const row = find.get(vehicleId);
        return row === undefined ? undefined : toVehicle(row);
      }),
    change: (vehicleId, what, expectedRevision, atMs, messages = []) =>
      call(database, () => change(vehicleId, what, expectedRevision, atMs, messages)),
    cardActed: (act) => call(database, () => recordCardAct(act)),
    list: (query) =>
      call(database, () =>
        list
          .all({
            fleetId: query.fleetId,
            afterId: query.afterId ?? '',
            search: query.search?.toLowerCase() ?? null,
            tag: query.tag ?? null,
            operationStatus: query.operationStatus ?? null,
            limit: query.limit,
          })
          .map(toVehicle),
      ),
  };
}

/** Writes a vehicle that comes with its box, or writes it over. Throws `BoxTaken`. */
function vehicleSaver(database: Database): (vehicle: NewVehicle) => void {
  const ownerOfBox = database.prepare<[string], { readonly id: string }>(
    'SELECT id FROM vehicles WHERE box_id = ?',
  );
  const saveVehicle = database.prepare(`
    INSERT INTO vehicles (id, fleet_id, box_id, model, setup_status, master_data, tags, maintenance,
      operation_status_ms, rental_status_ms, search_text, created_ms, modified_ms)
    VALUES (@id, @fleetId, @boxId, @model, @setupStatus, @masterData, @tags, @maintenance,
      @atMs, @atMs, @searchText, @atMs, @atMs)
    ON CONFLICT (id) DO UPDATE SET fleet_id = excluded.fleet_id, box_id = excluded.box_id, maker = NULL,
      maker_vehicle_id = NULL, model = excluded.model, setup_status = excluded.setup_status, setup_detail = '',
      master_data = excluded.master_data, tags = excluded.tags,
      maintenance = excluded.maintenance, revision = revision + 1,
      search_text = excluded.search_text, modified_ms = excluded.modified_ms`);
  const saveBox = database.prepare(`
    INSERT INTO boxes (id, version, fleet_id, secret_hash, generation, sim_provider, sim_iccid, journal, state)
    VALUES (@boxId, 1, @fleetId, @boxSecretHash, @generation, @simProvider, @simIccid, @journal, '{}')
    ON CONFLICT (id) DO UPDATE SET version = version + 1, fleet_id = excluded.fleet_id,
      secret_hash = excluded.secret_hash,
      sim_provider = coalesce(excluded.sim_provider, sim_provider),
      sim_iccid = coalesce(excluded.sim_iccid, sim_iccid),
      generation = CASE WHEN last_contact_ms IS NULL THEN excluded.generation ELSE generation END`);
  // What ingest has in mind of a box that leaves its vehicle must become stale, and what it told goes with it.
  const shelveOldBox = database.prepare(`
    UPDATE boxes SET version = version + 1, state = '{}'
    WHERE id = (SELECT box_id FROM vehicles WHERE id = ?) AND id <> ?`);

  const save = database.transaction((vehicle: NewVehicle) => {
    const owner = ownerOfBox.get(vehicle.boxId);
    if (owner !== undefined && owner.id !== vehicle.id) {
      throw new BoxTaken(`Box ${vehicle.boxId} belongs to vehicle ${owner.id}.`);
    }
    shelveOldBox.run(vehicle.id, vehicle.boxId);
    saveBox.run({
      boxId: vehicle.boxId,
      fleetId: vehicle.fleetId,
      boxSecretHash: vehicle.boxSecretHash,
      generation: vehicle.generation,
      simProvider: vehicle.sim?.provider ?? null,
      simIccid: vehicle.sim?.iccid ?? null,
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
      maintenance: vehicle.maintenance === true ? 1 : 0,
      searchText: searchText(vehicle.id, vehicle.boxId, vehicle.masterData),
      atMs: vehicle.atMs,
    });
  });
  return (vehicle) => save.immediate(vehicle);
}

/** Reads a box, decides what follows from what was done to its card, and writes that. */
function cardWriter(database: Database): (act: CardAct) => void {
  const find = database.prepare<[string], BoxColumns>(
    `SELECT b.id AS box_id, ${BOX_COLUMNS} FROM boxes b WHERE b.id = ?`,
  );
  const write = database.prepare(`
    UPDATE boxes SET version = version + 1, connection_open = ?, not_ready_until_ms = ?, sim_suspended_ms = ?,
      life = ?, life_since_ms = ?
    WHERE id = ?`);
  const record = database.transaction((act: CardAct) => {
    const row = find.get(act.boxId);
    if (row === undefined) return;
    const { connection, notReadyUntilMs, simSuspendedMs, life } = afterCardAct(toBox(row), act, act.atMs);
    write.run(
      connection === undefined ? null : Number(connection.open),
      notReadyUntilMs ?? null,
      simSuspendedMs ?? null,
      life?.value ?? null,
      life?.sinceMs ?? null,
      act.boxId,
    );
  });
  return (act) => record.immediate(act);
}
