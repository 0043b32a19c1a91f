import type { Selectable } from 'kysely';
import type { Generation } from '../../../../protocol/message.ts';
import { readState } from '../../port/state-text.ts';
import type {
  BoxConnection,
  BoxRecord,
  BoxVehicle,
  FoundVehicle,
  JournalPosition,
  LifeStatus,
  ListedBox,
  ListedVehicle,
  SetupStatus,
  Sim,
  Vehicle,
  VehicleState,
} from '../../port/stored-vehicle.ts';
import type { Dialect } from '../../statements/dialect.ts';
import { statement, type ValueOf } from '../../statements/statement.ts';
import type { Tables } from '../../statements/tables.ts';

/** The columns of `vehicles` (as `v`) of which a vehicle in a list is made. */
const LISTED_VEHICLE_SELECTION = [
  'v.id',
  'v.fleet_id',
  'v.maker',
  'v.maker_vehicle_id',
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

/** Those of which a whole vehicle is made. */
export const VEHICLE_SELECTION = [...LISTED_VEHICLE_SELECTION, 'v.maker_state'] as const;

/** The columns of `boxes` (as `b`) for what a list has of a box's record; its id goes with them as `box_id`. */
const LISTED_BOX_SELECTION = [
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
] as const;

/** Those for a box's record and its vehicle's state: the two texts are most of a row. */
export const BOX_SELECTION = [...LISTED_BOX_SELECTION, 'b.version', 'b.journal', 'b.state'] as const;

type ColumnOf<Reference> = Reference extends `${string}.${infer Column}` ? Column : never;

type VehicleColumns = Readonly<
  Pick<Selectable<Tables['vehicles']>, ColumnOf<(typeof VEHICLE_SELECTION)[number]>>
>;
export type BoxColumns = Readonly<
  { box_id: string } & Pick<Selectable<Tables['boxes']>, ColumnOf<(typeof BOX_SELECTION)[number]>>
>;

type ListedVehicleColumns = Omit<VehicleColumns, 'maker_state'>;
type ListedBoxColumns = Omit<BoxColumns, 'version' | 'journal' | 'state'>;

type NoneOf<Columns> = { readonly [Column in keyof Columns]: null };

export type BoxVehicleRow = VehicleColumns & BoxColumns;
// Of the columns of a box there are all or none: a vehicle's box has a row.
export type VehicleRow = VehicleColumns & (BoxColumns | NoneOf<BoxColumns>);
type ListedVehicleRow = ListedVehicleColumns & (ListedBoxColumns | NoneOf<ListedBoxColumns>);

/** Vehicles (as `v`), each with its box (as `b`) if it has one; the caller adds a condition. */
export function selectVehicles(dialect: Dialect) {
  return vehiclesAndBoxes(dialect)
    .select([...VEHICLE_SELECTION, 'v.box_id', ...BOX_SELECTION])
    .$castTo<VehicleRow>();
}

/** The same with the columns of which a list is made. */
export function selectListedVehicles(dialect: Dialect) {
  return vehiclesAndBoxes(dialect)
    .select([...LISTED_VEHICLE_SELECTION, 'v.box_id', ...LISTED_BOX_SELECTION])
    .$castTo<ListedVehicleRow>();
}

function vehiclesAndBoxes({ query }: Dialect) {
  return query.selectFrom('vehicles as v').leftJoin('boxes as b', 'b.id', 'v.box_id');
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
export function toVehicle(row: VehicleRow): FoundVehicle {
  if (row.box_id !== null) return toBoxVehicle(row);
  const listed = ofMaker(row);
  const box = { ...listed.box, journal: NO_JOURNAL };
  const { maker_state: stateText } = row;
  return { ...listed, box, stateText, state: JSON.parse(stateText) as VehicleState };
}

/** The same for a row with a box. Its state is parsed on demand: many calls do not need it. */
export function toBoxVehicle(row: BoxVehicleRow): BoxVehicle & FoundVehicle {
  let state: VehicleState | undefined;
  return {
    ...withBox(row),
    box: toBox(row),
    stateText: row.state,
    get state() {
      state ??= readState(row.state);
      return state;
    },
  };
}

/** The same for a row of a list. */
export function toListedVehicle(row: ListedVehicleRow): ListedVehicle {
  return row.box_id === null ? ofMaker(row) : { ...withBox(row), box: toListedBox(row) };
}

/** The SIM of a box, from its two columns: both are set or none is. */
export function toSim(row: Pick<BoxColumns, 'sim_provider' | 'sim_iccid'>): Sim | undefined {
  const { sim_provider: provider, sim_iccid: iccid } = row;
  return provider === null || iccid === null ? undefined : { provider, iccid };
}

function withBox(row: ListedVehicleColumns & ListedBoxColumns) {
  return { ...ofVehicle(row), boxId: row.box_id, maker: undefined, sim: toSim(row) };
}

function ofMaker(row: ListedVehicleColumns): ListedVehicle {
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
      ...toLife(row.maker_life, row.maker_life_since_ms),
    },
  };
}

function ofVehicle(row: ListedVehicleColumns): Omit<ListedVehicle, 'boxId' | 'maker' | 'sim' | 'box'> {
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
  return { ...toListedBox(row), journal: JSON.parse(row.journal) as JournalPosition };
}

function toListedBox(row: ListedBoxColumns): ListedBox {
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
    ...toLife(row.life, row.life_since_ms),
    ...(row.standby_report_s === null ? {} : { standbyReportS: row.standby_report_s }),
    ...(row.sim_suspended_ms === null ? {} : { simSuspendedMs: row.sim_suspended_ms }),
  };
}

function toLife(value: string | null, sinceMs: number | null): Pick<BoxRecord, 'life'> {
  return value === null || sinceMs === null ? {} : { life: { value: value as LifeStatus['value'], sinceMs } };
}

function toConnection(row: ListedBoxColumns): BoxConnection | undefined {
  const { connection_counter: counter } = row;
  return counter === null ? undefined : { counter, open: row.connection_open === 1 };
}
