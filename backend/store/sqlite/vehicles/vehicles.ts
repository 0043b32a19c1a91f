import type { Database } from 'better-sqlite3';
import { afterSimAction } from '../../../vehicles/life-status.ts';
import {
  BOX_COLUMNS,
  type BoxColumns,
  boxColumns,
  NO_JOURNAL,
  SELECT_VEHICLE,
  toBox,
  toVehicle,
  type VehicleRow,
} from '../../calls/vehicles/vehicle-rows.ts';
import { BoxTaken, type NewVehicle, type SimAction, type VehicleStore } from '../../port/vehicle-store.ts';
import type { Synchronous } from '../call.ts';
import { sqliteStock } from './stock.ts';
import { vehicleChanger } from './vehicle-change.ts';
import { searchText } from './vehicle-search.ts';

interface ListQuery {
  readonly fleetId: string;
  readonly afterId: string;
  readonly search: string | null;
  readonly tag: string | null;
  readonly operationStatus: string | null;
  readonly limit: number;
}

/** The conditions of a list besides the fleet; `text` is searched. */
const listed = (text: string) => `id > @afterId
      AND (@search IS NULL OR instr(${text}, @search) > 0)
      AND (@operationStatus IS NULL OR operation_status = @operationStatus)
    ORDER BY id LIMIT @limit + 0`;

/** The text in which a partner's search looks: what it can see of the vehicle. */
const SHARED_TEXT = `lower(id || char(10) || coalesce(box_id, '') || char(10) ||
      coalesce(json_extract(master_data, '$.vin'), '') || char(10) ||
      coalesce(json_extract(master_data, '$.license_plate'), ''))`;

/** Vehicles and what was onboarded of their boxes, in SQLite. */
export function sqliteVehicles(database: Database): Synchronous<VehicleStore> {
  const find = database.prepare<[string], VehicleRow>(`${SELECT_VEHICLE} WHERE v.id = (SELECT ?)`);
  // Each part comes in order from its own index, so that no page sorts a whole fleet.
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
  const recordCardAct = simActionWriter(database);

  return {
    ...sqliteStock(database),
    save: (vehicle) => save(vehicle),
    find: (vehicleId) => {
      const row = find.get(vehicleId);
      return row === undefined ? undefined : toVehicle(row);
    },
    change: (vehicleId, what, expectedRevision, atMs, messages = []) =>
      change(vehicleId, what, expectedRevision, atMs, messages),
    simActionDone: (act) => recordCardAct(act),
    list: (query) =>
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
  };
}

/** Stores a vehicle together with its box, or replaces it. Throws `BoxTaken`. */
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
  // What the box reported is deleted with its vehicle. The version: docs/store.md, One writer.
  const shelveOldBox = database.prepare(`
    UPDATE boxes SET version = version + 1, state = '{}'
    WHERE id = (SELECT box_id FROM vehicles WHERE id = ?) AND id <> ?`);

  const save = database.transaction((vehicle: NewVehicle) => {
    const owner = ownerOfBox.get(vehicle.boxId);
    if (owner !== undefined && owner.id !== vehicle.id) {
      throw new BoxTaken(`Box ${vehicle.boxId} belongs to vehicle ${owner.id}.`);
    }
    shelveOldBox.run(vehicle.id, vehicle.boxId);
    // A box that is new here, in a vehicle that needs no setup, has no vehicle before it: all that it sends is of this one.
    const isSetUp = vehicle.setupStatus === 'SUCCEEDED';
    const journal = JSON.stringify(isSetUp ? { ...NO_JOURNAL, setUpAt: 0 } : NO_JOURNAL);
    saveBox.run({ ...boxColumns(vehicle), journal });
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

/** Reads a box, decides what follows from an action on its SIM, and writes that. */
function simActionWriter(database: Database): (act: SimAction) => void {
  const find = database.prepare<[string], BoxColumns>(
    `SELECT b.id AS box_id, ${BOX_COLUMNS} FROM boxes b WHERE b.id = ?`,
  );
  const write = database.prepare(`
    UPDATE boxes SET version = version + 1, connection_open = ?, not_ready_until_ms = ?, sim_suspended_ms = ?,
      life = ?, life_since_ms = ?
    WHERE id = ?`);
  const record = database.transaction((act: SimAction) => {
    const row = find.get(act.boxId);
    if (row === undefined) return;
    const { connection, notReadyUntilMs, simSuspendedMs, life } = afterSimAction(toBox(row), act, act.atMs);
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
