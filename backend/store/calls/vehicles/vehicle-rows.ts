import type { Selectable } from 'kysely';
import type { Generation } from '../../../../protocol/message.ts';
import type {
  BoxConnection,
  BoxRecord,
  BoxVehicle,
  JournalPosition,
  LifeStatus,
  SetupStatus,
  Sim,
  Vehicle,
  VehicleState,
} from '../../port/stored-vehicle.ts';
import type { Dialect } from '../../statements/dialect.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import type { Tables } from '../../statements/tables.ts';
import { readState } from './state-text.ts';

/** The columns of `vehicles` (as `v`) of which a vehicle is made. */
export const VEHICLE_SELECTION = [
  'v.id',
  'v.fleet_id',
  'v.maker',
  'v.maker_vehicle_id',
  'v.maker_state',
  'v.maker_contact_ms',
  'v.maker_life',
  'v.maker_life_since_ms',
  'v.shared_with',
  'v.model',
  'v.setup_status',
  'v.setup_detail',
  'v.master_data',
  'v.custom_fields',
  'v.tags',
  'v.operation_status',
  'v.operation_status_ms',
  'v.rental_status',
  'v.rental_status_ms',
  'v.maintenance',
  'v.revision',
  'v.created_ms',
  'v.modified_ms',
] as const;

/** The columns of `boxes` (as `b`) for a box's record; its id goes with them as `box_id`. */
export const BOX_SELECTION = [
  'b.version',
  'b.generation',
  'b.sim_provider',
  'b.sim_iccid',
  'b.firmware_major',
  'b.firmware_minor',
  'b.hardware_revision',
  'b.connection_counter',
  'b.connection_open',
  'b.not_ready_until_ms',
  'b.last_contact_ms',
  'b.life',
  'b.life_since_ms',
  'b.standby_report_s',
  'b.sim_suspended_ms',
  'b.journal',
  'b.state',
] as const;

type ColumnOf<Reference> = Reference extends `${string}.${infer Column}` ? Column : never;

type VehicleColumns = Readonly<
  Pick<Selectable<Tables['vehicles']>, ColumnOf<(typeof VEHICLE_SELECTION)[number]>>
>;
export type BoxColumns = Readonly<
  { box_id: string } & Pick<Selectable<Tables['boxes']>, ColumnOf<(typeof BOX_SELECTION)[number]>>
>;

type WithoutBox = { readonly [Column in keyof BoxColumns]: null };

export type BoxVehicleRow = VehicleColumns & BoxColumns;
export type VehicleRow = VehicleColumns & (BoxColumns | WithoutBox);

/** Vehicles (as `v`), each with its box (as `b`) if it has one; the caller adds a condition. */
export function selectVehicles({ query }: Dialect) {
  return (
    query
      .selectFrom('vehicles as v')
      .leftJoin('boxes as b', 'b.id', 'v.box_id')
      .select([...VEHICLE_SELECTION, 'v.box_id', ...BOX_SELECTION])
      // Of the columns of a box there are all or none: a vehicle's box has a row.
      .$castTo<VehicleRow>()
  );
}

export const findVehicle = statement((dialect, value: ValueOf<{ id: string }>) =>
  selectVehicles(dialect).where('v.id', '=', dialect.fixed(value('id'))),
);

/** Vehicles that have a box, with their boxes. */
export function selectBoxVehicles({ query }: Dialect) {
  return (
    query
      .selectFrom('vehicles as v')
      .innerJoin('boxes as b', 'b.id', 'v.box_id')
      .select([...VEHICLE_SELECTION, ...BOX_SELECTION])
      // The id by the table of boxes is never null.
      .select('b.id as box_id')
  );
}

/** Boxes (as `b`), whether they are in vehicles or not. */
export function selectBoxes({ query }: Dialect) {
  return query.selectFrom('boxes as b').select(['b.id as box_id', ...BOX_SELECTION]);
}

/** The same columns for SQL as text. */
export const BOX_COLUMNS = BOX_SELECTION.join(', ');

/** The same query as text, before the WHERE. */
export const SELECT_VEHICLE = `
  SELECT ${VEHICLE_SELECTION.join(', ')}, v.box_id, ${BOX_COLUMNS}
  FROM vehicles v LEFT JOIN boxes b ON b.id = v.box_id`;

export const NO_JOURNAL: JournalPosition = { epoch: 0, contiguous: 0, ranges: [] };

/** A row in the port's form. This store wrote the JSON columns, so their shape is not checked again. */
export function toVehicle(row: VehicleRow): Vehicle {
  return row.box_id === null ? ofMaker(row) : toBoxVehicle(row);
}

/** The same for a row with a box. Its state is parsed on demand: a list of vehicles does not need it. */
export function toBoxVehicle(row: BoxVehicleRow): BoxVehicle {
  let state: VehicleState | undefined;
  return {
    ...ofVehicle(row),
    boxId: row.box_id,
    maker: undefined,
    sim: toSim(row),
    box: toBox(row),
    get state() {
      state ??= readState(row.state);
      return state;
    },
  };
}

/** The SIM of a box, from its two columns: both are set or none is. */
export function toSim(row: Pick<BoxColumns, 'sim_provider' | 'sim_iccid'>): Sim | undefined {
  const { sim_provider: provider, sim_iccid: iccid } = row;
  return provider === null || iccid === null ? undefined : { provider, iccid };
}

function ofMaker(row: VehicleColumns): Vehicle {
  return {
    ...ofVehicle(row),
    boxId: undefined,
    maker: { name: row.maker ?? '', vehicleId: row.maker_vehicle_id ?? '' },
    sim: undefined,
    box: {
      generation: 1,
      firmware: undefined,
      hardwareRevision: undefined,
      // Its maker's cloud counts as always connected.
      connection: row.maker_contact_ms === null ? undefined : { counter: 0, open: true },
      notReadyUntilMs: undefined,
      lastContactMs: row.maker_contact_ms ?? undefined,
      journal: NO_JOURNAL,
      ...toLife(row.maker_life, row.maker_life_since_ms),
    },
    state: JSON.parse(row.maker_state) as VehicleState,
  };
}

function ofVehicle(row: VehicleColumns): Omit<Vehicle, 'boxId' | 'maker' | 'sim' | 'box' | 'state'> {
  return {
    id: row.id,
    fleetId: row.fleet_id,
    sharedWith: row.shared_with ?? undefined,
    model: row.model,
    setupStatus: row.setup_status as SetupStatus,
    setupDetail: row.setup_detail,
    masterData: JSON.parse(row.master_data) as Vehicle['masterData'],
    customFields: JSON.parse(row.custom_fields) as Vehicle['customFields'],
    tags: JSON.parse(row.tags) as readonly string[],
    operationStatus: {
      value: row.operation_status as Vehicle['operationStatus']['value'],
      modifiedMs: row.operation_status_ms,
    },
    rentalStatus: {
      value: row.rental_status as Vehicle['rentalStatus']['value'],
      modifiedMs: row.rental_status_ms,
    },
    maintenance: row.maintenance === 1,
    revision: row.revision,
    createdMs: row.created_ms,
    modifiedMs: row.modified_ms,
  };
}

/** The record of a box, in a vehicle or in stock. */
export function toBox(row: BoxColumns): BoxRecord {
  return {
    generation: row.generation as Generation,
    firmware:
      row.firmware_major === null || row.firmware_minor === null
        ? undefined
        : [row.firmware_major, row.firmware_minor],
    hardwareRevision: row.hardware_revision ?? undefined,
    connection: toConnection(row),
    notReadyUntilMs: row.not_ready_until_ms ?? undefined,
    lastContactMs: row.last_contact_ms ?? undefined,
    journal: JSON.parse(row.journal) as JournalPosition,
    ...toLife(row.life, row.life_since_ms),
    ...(row.standby_report_s === null ? {} : { standbyReportS: row.standby_report_s }),
    ...(row.sim_suspended_ms === null ? {} : { simSuspendedMs: row.sim_suspended_ms }),
  };
}

function toLife(value: string | null, sinceMs: number | null): Pick<BoxRecord, 'life'> {
  return value === null || sinceMs === null ? {} : { life: { value: value as LifeStatus['value'], sinceMs } };
}

function toConnection(row: BoxColumns): BoxConnection | undefined {
  const { connection_counter: counter } = row;
  return counter === null ? undefined : { counter, open: row.connection_open === 1 };
}
