import type { Setup } from '../../../../backend/store/port/setup-store.ts';
import type { MakerLink, Sim } from '../../../../backend/store/port/stored-vehicle.ts';
import type { CreatedVehicle, VehicleChange } from '../../../../backend/store/port/vehicle-store.ts';
import { partitionOf } from '../../../../protocol/partitions.ts';
import type { Row } from './contents.ts';
import { BOXES, callOf, type Draw, type Drawer, FLEETS, MAKERS, VEHICLES } from './draw.ts';
import { messageOf } from './message-of.ts';

const VINS = ['WVWZZZ1JZXW000001', 'WVWZZZ1JZXW000002', null] as const;
const TAGS = ['pool', 'électrique', 'spare', 'a"b'] as const;

function masterData(draw: Draw): Readonly<Record<string, string | number | null>> {
  return {
    vin: draw.pick(VINS),
    license_plate: draw.pick(['B-AB 123', 'M-ÄÖ 1', 'b-ab 9']),
    ...(draw.once(2) ? { vehicle_name: draw.pick(['Red', 'blue', 'a\0b', 'Straße']) } : {}),
    year_of_production: draw.whole(2000, 2030),
  };
}

function linkOf(draw: Draw): MakerLink {
  return { name: draw.pick(MAKERS), vehicleId: draw.pick(['m1', 'm2']) };
}

function sim(draw: Draw): Sim | undefined {
  return draw.once(2)
    ? undefined
    : { provider: 'nimbus', iccid: draw.pick(['8949000000000000001', '8949000000000000002']) };
}

const save: Drawer = (draw) => {
  const card = sim(draw);
  return callOf('vehicles', 'save', {
    id: draw.pick(VEHICLES),
    fleetId: draw.pick(FLEETS),
    boxId: draw.pick(BOXES),
    ...(card === undefined ? {} : { sim: card }),
    boxSecretHash: draw.pick(['hash-1', 'hash-2']),
    generation: draw.pick([1, 2] as const),
    model: draw.pick(['petrol-compact', 'electric-van']),
    setupStatus: draw.pick(['SUCCEEDED', 'PENDING'] as const),
    masterData: masterData(draw),
    tags: draw.some(TAGS),
    ...(draw.once(2) ? { maintenance: true } : {}),
    atMs: draw.nowMs,
  });
};

const create: Drawer = (draw) => {
  const inStock = draw.row('boxes');
  const unit = draw.row('maker_vehicles');
  let telematics: CreatedVehicle['telematics'] = { boxId: String(inStock?.['id'] ?? draw.pick(BOXES)) };
  let fleetId = String(inStock?.['fleet_id'] ?? '') || draw.pick(FLEETS);
  if (unit !== undefined && draw.once(3)) {
    telematics = { maker: { name: String(unit['maker']), vehicleId: String(unit['maker_vehicle_id']) } };
    fleetId = String(unit['fleet_id']);
  }
  if (draw.once(8)) fleetId = draw.pick(FLEETS);
  return callOf('vehicles', 'create', {
    id: draw.pick(VEHICLES),
    fleetId,
    telematics,
    model: 'petrol-compact',
    setupStatus: draw.pick(['SUCCEEDED', 'PENDING'] as const),
    masterData: masterData(draw),
    customFields: draw.once(2) ? {} : { cost_centre: '12', ключ: 'значение' },
    tags: draw.some(TAGS),
    atMs: draw.nowMs,
  });
};

const change: Drawer = (draw) => {
  const vehicle = draw.row('vehicles');
  const id = vehicle === undefined ? draw.pick(VEHICLES) : String(vehicle['id']);
  const what: VehicleChange = {
    ...(draw.once(2) ? { masterData: masterData(draw) } : {}),
    ...(draw.once(3) ? { customFields: { note: draw.pick(['x', 'y']) } } : {}),
    ...(draw.once(3) ? { tags: draw.some(TAGS) } : {}),
    ...(draw.once(3) ? { operationStatus: draw.pick(['OPERATING', 'GARAGE'] as const) } : {}),
    ...(draw.once(3) ? { rentalStatus: draw.pick(['IN_RENTAL', 'NOT_IN_RENTAL'] as const) } : {}),
    ...(draw.once(4) ? { maintenance: draw.once(2) } : {}),
    ...(draw.once(4) ? { sharedWith: draw.pick([...FLEETS, null]) } : {}),
  };
  const revision = draw.once(2) ? undefined : draw.number(vehicle, 'revision');
  const partition = partitionOf(String(vehicle?.['box_id'] ?? id));
  const messages = draw.once(2) ? [messageOf(draw, id, partition)] : undefined;
  return callOf('vehicles', 'change', id, what, revision, draw.nowMs, messages);
};

const remove: Drawer = (draw) => {
  const vehicle = draw.row('vehicles');
  if (vehicle === undefined) return undefined;
  const revision = draw.once(2) ? undefined : draw.number(vehicle, 'revision');
  return callOf('vehicles', 'remove', String(vehicle['id']), revision);
};

const saveUnit: Drawer = (draw) =>
  callOf('vehicles', 'saveUnit', {
    boxId: draw.pick(BOXES),
    fleetId: draw.pick(FLEETS),
    boxSecretHash: draw.pick(['hash-1', 'hash-2']),
    generation: draw.pick([1, 2] as const),
    sim: sim(draw),
  });

const saveMakerUnit: Drawer = (draw) =>
  callOf('vehicles', 'saveMakerUnit', { link: linkOf(draw), fleetId: draw.pick(FLEETS) });

const simActionDone: Drawer = (draw) => {
  const box = draw.row('boxes');
  const counter = box?.['connection_counter'];
  return callOf('vehicles', 'simActionDone', {
    boxId: String(box?.['id'] ?? BOXES[0]),
    made: draw.pick(['suspended', 'active', 'detached'] as const),
    connection: typeof counter === 'number' ? draw.number(box, 'connection_counter') : undefined,
    atMs: draw.nowMs,
  });
};

/** The vehicle of a setup, as far as the calls of setups look at it. */
function setupOf(draw: Draw, vehicle: Row): Setup {
  const part = {
    id: String(vehicle['id']),
    boxId: String(vehicle['box_id']),
    createdMs: Number(vehicle['created_ms']),
  };
  return {
    vehicle: part as unknown as Setup['vehicle'],
    attempts: draw.number(vehicle, 'setup_attempts'),
    dueMs: Number(vehicle['setup_due_ms']),
  };
}

const beginSetup: Drawer = (draw) => {
  const vehicle = draw.row('vehicles', (row) => row['setup_status'] === 'PENDING');
  if (vehicle === undefined) return undefined;
  return callOf('setup', 'begin', setupOf(draw, vehicle), draw.later(), draw.nowMs);
};

const endSetup: Drawer = (draw) => {
  const vehicle = draw.row('vehicles', (row) => row['setup_status'] === 'RUNNING');
  if (vehicle === undefined) return undefined;
  const setup = setupOf(draw, vehicle);
  return draw.once(3)
    ? callOf('setup', 'end', setup, { to: 'FAILED', detail: 'no answer' }, draw.nowMs)
    : callOf(
        'setup',
        'end',
        setup,
        { to: 'PENDING', dueMs: draw.later(), detail: 'again', ...(draw.once(2) ? { isVoid: true } : {}) },
        draw.nowMs,
      );
};

/** What a maker has said of a vehicle. */
export const commitThirdParty: Drawer = (draw) => {
  const vehicle = draw.row('vehicles', (row) => row['maker'] !== null);
  if (vehicle === undefined) return undefined;
  const id = String(vehicle['id']);
  const progress = draw.rows('third_party').find((row) => row['vehicle_id'] === id);
  const command = draw.row('commands', (row) => row['vehicle_id'] === id);
  const { nowMs } = draw;
  return callOf('thirdParty', 'commit', {
    vehicleId: id,
    version: draw.number(progress ?? { version: 1 }, 'version'),
    atMs: nowMs,
    ...(draw.once(2) ? { takenMs: nowMs - 1_000 } : {}),
    ...(draw.once(2) ? { lastContactMs: nowMs - draw.whole(0, 90_000) } : {}),
    ...(draw.once(3) ? { life: { value: 'ONLINE', sinceMs: nowMs } } : {}),
    ...(draw.once(2)
      ? { state: { mileage: { timestampMs: nowMs, value: draw.whole(1, 9), epoch: 0, sequence: 0 } } }
      : {}),
    ...(draw.once(2) ? { message: messageOf(draw, id, partitionOf(id)) } : {}),
    ...(command !== undefined && draw.once(2) ? { requestId: String(command['request_id']) } : {}),
  });
};

const refuseThirdParty: Drawer = (draw) => {
  const command = draw.row('commands');
  if (command === undefined) return undefined;
  const outcome = draw.pick(['failed', 'conflicting-state'] as const);
  return callOf('thirdParty', 'refuse', String(command['request_id']), outcome, 'says no', draw.nowMs);
};

/** One of these in a group, and nothing beside it: it leaves out what others have locked. */
export const claimThirdParty: Drawer = (draw) =>
  callOf('thirdParty', 'claim', {
    makers: draw.some(MAKERS),
    nowMs: draw.nowMs,
    leasedUntilMs: draw.later(),
    limit: draw.whole(1, 3),
  });

const postpone: Drawer = (draw) =>
  callOf('thirdParty', 'postpone', draw.value('third_party', 'vehicle_id'), draw.later(), draw.whole(0, 3));

/** Calls that write vehicles and what belongs to them. */
export const VEHICLE_WRITES: readonly Drawer[] = [
  save,
  create,
  create,
  change,
  change,
  change,
  remove,
  saveUnit,
  saveUnit,
  saveMakerUnit,
  simActionDone,
  beginSetup,
  endSetup,
  commitThirdParty,
  commitThirdParty,
  refuseThirdParty,
  postpone,
];

/** Calls that read them. */
export const VEHICLE_READS: readonly Drawer[] = [
  (draw) => callOf('vehicles', 'find', draw.pick(VEHICLES)),
  (draw) => callOf('vehicles', 'findUnit', draw.pick(BOXES)),
  (draw) => callOf('vehicles', 'findMakerUnit', linkOf(draw)),
  (draw) =>
    callOf('vehicles', 'list', {
      fleetId: draw.pick(FLEETS),
      afterId: draw.once(3) ? draw.pick(VEHICLES) : undefined,
      limit: draw.whole(1, 5),
      search: draw.pick([undefined, undefined, 'b-ab', 'STRASSE', '000001', 'veh', 'Ä']),
      tag: draw.pick([undefined, undefined, ...TAGS]),
      operationStatus: draw.pick([undefined, undefined, 'GARAGE'] as const),
    }),
  (draw) =>
    callOf('setup', 'due', {
      nowMs: draw.nowMs,
      limit: draw.whole(1, 3),
      ...(draw.once(2) ? { afterMs: draw.nowMs - 3_600_000 } : {}),
    }),
  (draw) => callOf('setup', 'ofBoxes', draw.some(BOXES)),
  (draw) => callOf('setup', 'nextDueMs', draw.once(2) ? draw.nowMs : 0),
  (draw) => callOf('thirdParty', 'findLinked', draw.pick(MAKERS), draw.pick(['m1', 'm2'])),
  (draw) => callOf('thirdParty', 'nextDue', draw.some(MAKERS)),
];
