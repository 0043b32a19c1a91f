import type { Vehicle } from '../../../backend/store/port/stored-vehicle.ts';
import type { DrivenVehicle } from '../../../deployment/demo/drivers/driver.ts';
import { startDrivers } from '../../../deployment/demo/drivers/drivers.ts';
import { VehicleTurns } from '../../../deployment/demo/drivers/vehicle-turns.ts';
import { MODELS } from '../../../protocol/models/models.ts';
import { petrolCompact } from '../../../protocol/models/petrol-compact.ts';
import { driverPlan } from '../../../simulator/drivers/driver-plan.ts';
import { makeVehicle } from '../../../simulator/vehicle/vehicle.ts';
import { VirtualLoop } from '../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../world/loop/virtual-process-scope.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { sleep } from '../../../world/time/time.ts';
import { virtualTime } from '../../../world/time/virtual-time.ts';
import { boxVehicle } from '../backend/ingest-input.ts';

/** Something that the drivers did with a vehicle, as it was just before. */
export interface Deed {
  readonly id: string;
  readonly atMs: number;
  readonly what: 'drive' | 'park' | 'operate' | 'rent' | 'return' | 'command';
  /** Of an operation: its kind; of a command: its name. */
  readonly detail: string;
  readonly truth: Readonly<Record<string, unknown>>;
  readonly rental: Vehicle['rentalStatus']['value'];
  /** Of an operation: why the vehicle refused it. */
  readonly refusal?: string | undefined;
}

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * Vehicles of all models with little energy, their drivers, and a service that takes some time for each answer. `fails`: the
 * status of an answer that is none. Every deed is written down.
 */
export function drivenScene(seed: number, count: number, fails: (path: string) => number | undefined) {
  const loop = new VirtualLoop();
  const clock = virtualTime(loop, new ProcessScope('drivers'));
  const random = seededRandom(seed);
  const chance = random.stream('service');
  const records = new Map<string, Vehicle>();
  const deeds: Deed[] = [];
  const turns = new VehicleTurns();
  const made = new Map<string, ReturnType<typeof makeVehicle>>();
  const truthOf = (id: string) => {
    const vehicle = made.get(id);
    vehicle?.advance(loop.nowMs);
    return vehicle?.truth() ?? {};
  };
  const note = (id: string, what: Deed['what'], detail: string, refusal?: string) => {
    const rental = records.get(id)?.rentalStatus.value ?? 'NOT_IN_RENTAL';
    deeds.push({ id, atMs: loop.nowMs, what, detail, truth: truthOf(id), rental, refusal });
  };
  const fleet = Array.from({ length: count }, (_, place): DrivenVehicle => {
    const vehicleId = `V${String(place).padStart(4, '0')}`;
    const model = [...MODELS.values()][(seed + place) % MODELS.size] ?? petrolCompact;
    const plan = {
      boxId: vehicleId,
      model: model.name,
      route: 'berlin-west',
      startFraction: 0,
      driving: false,
    };
    const first = makeVehicle(plan, random, loop.nowMs).memory();
    const energy = (model.body.energyCapacity * chance.whole(20, 40)) / 100;
    const vehicle = makeVehicle(plan, random, loop.nowMs, { ...first, energy });
    made.set(vehicleId, vehicle);
    records.set(vehicleId, boxVehicle({ id: vehicleId, fleetId: 'FLEET1', model: model.name }));
    return {
      vehicleId,
      model,
      plan: driverPlan(random, vehicleId, place),
      otherIds: [`box-${place}`],
      truth: () => truthOf(vehicleId),
      isReachable: () => true,
      drive: () => {
        note(vehicleId, 'drive', '');
        vehicle.drive();
      },
      park: () => {
        note(vehicleId, 'park', '');
        vehicle.park();
      },
      operate: (operation) => {
        const before = truthOf(vehicleId);
        const refusal = vehicle.operate(operation);
        note(vehicleId, 'operate', operation.kind, refusal);
        const last = deeds.pop();
        if (last !== undefined) deeds.push({ ...last, truth: before });
      },
    };
  });
  const setRental = (id: string, value: Vehicle['rentalStatus']['value']): void => {
    const before = records.get(id);
    if (before === undefined) return;
    const rentalStatus = { value, modifiedMs: loop.nowMs };
    records.set(id, { ...before, rentalStatus, revision: before.revision + 1 });
  };
  const answered = async (method: string, path: string, value: unknown, revision: number | undefined) => {
    const [, , id = '', , command = ''] = path.split('/');
    const to = value === 'IN_RENTAL' ? 'rent' : 'return';
    note(id, method === 'PATCH' ? to : 'command', command);
    await sleep(clock, chance.whole(20, 2_500));
    const status = fails(path);
    if (status !== undefined) return new Response(null, { status });
    if (method === 'PATCH') {
      if (revision !== records.get(id)?.revision) return new Response(null, { status: 412 });
      setRental(id, value as Vehicle['rentalStatus']['value']);
      return new Response(null, { status: 200 });
    }
    const isOpening = command.includes('unlock') || command.startsWith('enable');
    made.get(id)?.advance(loop.nowMs);
    if (command.includes('lock')) made.get(id)?.actuate({ set: 'locked', to: !isOpening });
    made.get(id)?.actuate({ set: 'drivingEnabled', to: isOpening });
    return new Response(null, { status: 200 });
  };
  const drivers = startDrivers({
    time: clock,
    log: silent as never,
    fleet,
    turns,
    service: {
      find: async (id) => records.get(id),
      capabilitiesOf: () => ['UNLOCK_AND_ENABLE_DRIVING', 'LOCK_AND_DISABLE_DRIVING'],
      call: async (
        method,
        path,
        { body, revision, inTurn = (send: () => Promise<Response>) => send() } = {},
      ) => {
        const value = (body as { rental_status?: { value?: unknown } } | undefined)?.rental_status?.value;
        return inTurn(() => answered(method, path, value, revision));
      },
    },
  });
  return {
    fleet,
    drivers,
    turns,
    deeds,
    truthOf,
    setRental,
    rentalOf: (id: string) => records.get(id)?.rentalStatus.value,
    nowMs: () => loop.nowMs,
    pass: (ms: number) => loop.runUntil(loop.nowMs + ms),
  };
}
