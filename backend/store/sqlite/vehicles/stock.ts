import type { Database } from 'better-sqlite3';
import type { Generation } from '../../../../protocol/message.ts';
import { overtakeByOffboarding } from '../../calls/bulk/bulk-overtaking.ts';
import type { MakerLink } from '../../port/stored-vehicle.ts';
import type { CreatedVehicle, StockUnit, VehicleStore } from '../../port/vehicle-store.ts';
import type { Synchronous } from '../call.ts';
import { atOnce, stepper } from '../carry-out.ts';
import { boxColumns, toSim } from '../rows.ts';
import { searchText, vinTaken } from './vehicle-search.ts';

interface UnitRow {
  readonly id: string;
  readonly fleet_id: string;
  readonly secret_hash: string;
  readonly generation: number;
  readonly sim_provider: string | null;
  readonly sim_iccid: string | null;
  readonly vehicle_id: string | null;
}

/** Fleets' boxes, and onboarding to them and offboarding, in SQLite. */
export function sqliteStock(
  database: Database,
): Pick<Synchronous<VehicleStore>, 'saveUnit' | 'findUnit' | 'create' | 'remove'> {
  const saveUnit = database.prepare(`
    INSERT INTO boxes (id, version, fleet_id, secret_hash, generation, sim_provider, sim_iccid, journal, state)
    VALUES (@boxId, 1, @fleetId, @boxSecretHash, @generation, @simProvider, @simIccid, @journal, '{}')
    ON CONFLICT (id) DO UPDATE SET version = version + 1,
      fleet_id = coalesce((SELECT fleet_id FROM vehicles WHERE box_id = excluded.id), excluded.fleet_id),
      secret_hash = excluded.secret_hash, sim_provider = excluded.sim_provider, sim_iccid = excluded.sim_iccid,
      generation = CASE WHEN last_contact_ms IS NULL THEN excluded.generation ELSE generation END`);
  const findUnit = database.prepare<[string], UnitRow>(`
    SELECT b.id, b.fleet_id, b.secret_hash, b.generation, b.sim_provider, b.sim_iccid, v.id AS vehicle_id
    FROM boxes b LEFT JOIN vehicles v ON v.box_id = b.id WHERE b.id = (SELECT ?)`);
  const create = vehicleCreator(database);
  const remove = vehicleRemover(database);

  return {
    saveUnit: (unit) => void saveUnit.run(boxColumns(unit)),
    findUnit: (boxId) => {
      const row = findUnit.get(boxId);
      return row === undefined ? undefined : { ...toUnit(row), vehicleId: row.vehicle_id ?? undefined };
    },
    create: (vehicle) => create(vehicle),
    remove: (vehicleId, expectedRevision) => remove(vehicleId, expectedRevision),
  };
}

function toUnit(row: UnitRow): StockUnit {
  return {
    boxId: row.id,
    fleetId: row.fleet_id,
    boxSecretHash: row.secret_hash,
    generation: row.generation as Generation,
    sim: toSim(row),
  };
}

type Created = Awaited<ReturnType<VehicleStore['create']>>;

function vehicleCreator(database: Database): (vehicle: CreatedVehicle) => Created {
  const hasId = database.prepare<[string], unknown>('SELECT 1 FROM vehicles WHERE id = ?');
  const hasUnit = database.prepare<[string, string], unknown>(
    'SELECT 1 FROM boxes WHERE id = ? AND fleet_id = ?',
  );
  const usesUnit = database.prepare<[string], unknown>('SELECT 1 FROM vehicles WHERE box_id = ?');
  const usesMaker = database.prepare<[string, string], unknown>(
    'SELECT 1 FROM vehicles WHERE maker = ? AND maker_vehicle_id = ?',
  );
  // Nothing that the box reported of another vehicle is kept; it is set up again.
  const takeUnit = database.prepare(`
    UPDATE boxes SET version = version + 1, state = '{}', journal = json_remove(journal, '$.setUpAt') WHERE id = ?`);
  const insert = database.prepare(`
    INSERT INTO vehicles (id, fleet_id, box_id, maker, maker_vehicle_id, model, setup_status, master_data,
      custom_fields, tags, maintenance, operation_status_ms, rental_status_ms, search_text, created_ms, modified_ms)
    VALUES (@id, @fleetId, @boxId, @maker, @makerVehicleId, @model, @setupStatus, @masterData,
      @customFields, @tags, @maintenance, @atMs, @atMs, @searchText, @atMs, @atMs)`);

  const hasVin = vinTaken(database);

  /** The reason why it cannot be created; undefined: none. */
  function obstacle(fleetId: string, telematics: CreatedVehicle['telematics']): Created | undefined {
    if ('maker' in telematics) {
      const { name, vehicleId } = telematics.maker;
      return usesMaker.get(name, vehicleId) === undefined ? undefined : 'maker-vehicle-taken';
    }
    const { boxId } = telematics;
    if (hasUnit.get(boxId, fleetId) === undefined) return 'unit-unknown';
    return usesUnit.get(boxId) === undefined ? undefined : 'unit-taken';
  }

  const create = database.transaction((vehicle: CreatedVehicle): Created => {
    const { id, fleetId, telematics } = vehicle;
    if (hasId.get(id) !== undefined) return 'id-taken';
    const found = obstacle(fleetId, telematics);
    if (found !== undefined) return found;
    if (hasVin(fleetId, id, vehicle.masterData['vin'])) return 'vin-taken';
    const boxId = 'boxId' in telematics ? telematics.boxId : null;
    const maker: MakerLink | undefined = 'maker' in telematics ? telematics.maker : undefined;
    if (boxId !== null) takeUnit.run(boxId);
    insert.run({
      id,
      fleetId,
      boxId,
      maker: maker?.name ?? null,
      makerVehicleId: maker?.vehicleId ?? null,
      model: vehicle.model,
      setupStatus: vehicle.setupStatus,
      masterData: JSON.stringify(vehicle.masterData),
      customFields: JSON.stringify(vehicle.customFields),
      tags: JSON.stringify(vehicle.tags),
      maintenance: vehicle.maintenance === true ? 1 : 0,
      searchText: searchText(id, boxId ?? maker?.vehicleId ?? '', vehicle.masterData),
      atMs: vehicle.atMs,
    });
    return 'created';
  });
  return (vehicle) => create.immediate(vehicle);
}

type Removed = Awaited<ReturnType<VehicleStore['remove']>>;

function vehicleRemover(
  database: Database,
): (vehicleId: string, expectedRevision: number | undefined) => Removed {
  const find = database.prepare<[string], { readonly revision: number; readonly shared_with: string | null }>(
    'SELECT revision, shared_with FROM vehicles WHERE id = ?',
  );
  const returnToStock = database.prepare(`
    UPDATE boxes SET version = version + 1, state = '{}', journal = json_remove(journal, '$.setUpAt'),
      fleet_id = (SELECT fleet_id FROM vehicles WHERE id = @vehicleId)
    WHERE id = (SELECT box_id FROM vehicles WHERE id = @vehicleId)`);
  const take = stepper(database);
  const removeVehicle = database.prepare('DELETE FROM vehicles WHERE id = @vehicleId');
  const remove = database.transaction((vehicleId: string, expectedRevision: number | undefined): Removed => {
    const found = find.get(vehicleId);
    if (found === undefined) return 'missing';
    if (expectedRevision !== undefined && found.revision !== expectedRevision) return 'modified';
    if (found.shared_with !== null) return 'shared';
    returnToStock.run({ vehicleId });
    atOnce(take, overtakeByOffboarding(vehicleId));
    removeVehicle.run({ vehicleId });
    return 'removed';
  });
  return (vehicleId, expectedRevision) => remove.immediate(vehicleId, expectedRevision);
}
