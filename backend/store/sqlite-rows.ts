import type { Generation } from '../../protocol/message.ts';
import type { JournalPosition, SetupStatus, Vehicle, VehicleState } from './store.ts';

/** The columns of `vehicles` and `boxes` side by side, as `VEHICLE_COLUMNS` selects them. */
export interface VehicleRow {
  readonly id: string;
  readonly fleet_id: string;
  readonly box_id: string;
  readonly model: string;
  readonly setup_status: string;
  readonly master_data: string;
  readonly tags: string;
  readonly created_ms: number;
  readonly modified_ms: number;
  readonly version: number;
  readonly generation: number;
  readonly firmware_major: number | null;
  readonly firmware_minor: number | null;
  readonly hardware_revision: number | null;
  readonly connection_counter: number | null;
  readonly connection_open: number | null;
  readonly not_ready_until_ms: number | null;
  readonly last_contact_ms: number | null;
  readonly journal: string;
  readonly state: string;
}

/** Goes before the WHERE of every query for vehicles. */
export const SELECT_VEHICLE = `
  SELECT v.id, v.fleet_id, v.box_id, v.model, v.setup_status, v.master_data, v.tags, v.created_ms, v.modified_ms,
    b.version, b.generation, b.firmware_major, b.firmware_minor, b.hardware_revision, b.connection_counter,
    b.connection_open, b.not_ready_until_ms, b.last_contact_ms, b.journal, b.state
  FROM vehicles v JOIN boxes b ON b.id = v.box_id`;

/** A row as the port shows it. The JSON columns were written by this store, so their shape is not checked again. */
export function toVehicle(row: VehicleRow): Vehicle {
  return {
    id: row.id,
    fleetId: row.fleet_id,
    boxId: row.box_id,
    model: row.model,
    setupStatus: row.setup_status as SetupStatus,
    masterData: JSON.parse(row.master_data) as Vehicle['masterData'],
    tags: JSON.parse(row.tags) as readonly string[],
    createdMs: row.created_ms,
    modifiedMs: row.modified_ms,
    box: {
      generation: row.generation as Generation,
      firmware:
        row.firmware_major === null || row.firmware_minor === null
          ? undefined
          : [row.firmware_major, row.firmware_minor],
      hardwareRevision: row.hardware_revision ?? undefined,
      connection:
        row.connection_counter === null
          ? undefined
          : { counter: row.connection_counter, open: row.connection_open === 1 },
      notReadyUntilMs: row.not_ready_until_ms ?? undefined,
      lastContactMs: row.last_contact_ms ?? undefined,
      journal: JSON.parse(row.journal) as JournalPosition,
    },
    state: JSON.parse(row.state) as VehicleState,
  };
}
