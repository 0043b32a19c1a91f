import { z } from 'zod';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { nearestOrSome } from '../../scenarios/language/document/nearest.ts';
import { limits } from './limits.ts';
import {
  type CallSimulator,
  type SimulatorOptions,
  simulatorClient,
  simulatorRefusal,
} from './simulator-client.ts';

/** A vehicle of the running fleet, or a device that is in none. */
export interface RunningVehicle {
  /** Null: an unassigned device. */
  readonly vehicleId: string | null;
  /** Null: the vehicle is connected by its maker, without a box. */
  readonly boxId: string | null;
  readonly model: string;
  readonly licensePlate: string;
  /** Of the connection: `ready`, `no coverage`, the state of its session, or the maker's name. */
  readonly state: string;
  readonly speedKph: number;
  /** Records that the box still holds; null: there is no box. */
  readonly backlog: number | null;
}

const page = z.looseObject({
  items: z.array(
    z.looseObject({
      boxId: z.string(),
      vehicleId: z.string().nullable(),
      model: z.string(),
      licensePlate: z.string(),
      speedKph: z.number(),
      hasCoverage: z.boolean(),
      session: z.string(),
      heldRecords: z.int(),
    }),
  ),
  next: z.string().optional(),
});

const cars = z.looseObject({
  items: z.array(
    z.looseObject({
      maker: z.string(),
      vehicleId: z.string(),
      model: z.string(),
      licensePlate: z.string(),
      asleep: z.boolean(),
      truth: z.looseObject({ speedKph: z.number() }),
    }),
  ),
});

/** What to do about an id that no vehicle and no box has: the nearest id or some that exist, and how to list them. */
export async function unknownVehicleText(given: string, options: SimulatorOptions): Promise<string> {
  return unknownAmong(given, await runningVehicles(options));
}

/** As `unknownVehicleText`, of these vehicles. */
export function unknownAmong(given: string, running: readonly RunningVehicle[]): string {
  // Ids of vehicles first: these are the ones that people type.
  const ids = [...running.map(({ vehicleId }) => vehicleId), ...running.map(({ boxId }) => boxId)].filter(
    (id) => id !== null,
  );
  const meant = [nearestOrSome(given, ids) ?? '', '"boxtwin vehicles" lists them.'].filter(
    (text) => text !== '',
  );
  return `No box and no vehicle has the id ${JSON.stringify(given)}. ${meant.join(' ')}`;
}

/** All of the running fleet: vehicles with a box, vehicles of makers, unassigned devices; each by id. */
export async function runningVehicles(options: SimulatorOptions): Promise<readonly RunningVehicle[]> {
  const call = await simulatorClient(options);
  const withBoxes = await vehiclesWithBoxes(call);
  const ofMakers = await vehiclesOfMakers(call);
  const byId = (one: RunningVehicle, other: RunningVehicle): number =>
    (one.vehicleId ?? '') < (other.vehicleId ?? '') ? -1 : 1;
  return [
    ...withBoxes.filter(({ vehicleId }) => vehicleId !== null).sort(byId),
    ...ofMakers.toSorted(byId),
    ...withBoxes.filter(({ vehicleId }) => vehicleId === null),
  ];
}

async function vehiclesWithBoxes(call: CallSimulator): Promise<readonly RunningVehicle[]> {
  const found: RunningVehicle[] = [];
  let path: string | undefined = `/fleet?limit=${limits.fleetPage}`;
  while (path !== undefined) {
    const answer = await call('GET', path);
    const read = page.safeParse(answer.body);
    if (!read.success) throw new CommandError(simulatorRefusal(answer), 1);
    for (const box of read.data.items)
      found.push({
        vehicleId: box.vehicleId,
        boxId: box.boxId,
        model: box.model,
        licensePlate: box.licensePlate,
        state: box.hasCoverage || box.session === 'ready' ? box.session : 'no coverage',
        speedKph: box.speedKph,
        backlog: box.heldRecords,
      });
    path = read.data.next;
  }
  return found;
}

/** None where the fleet has no makers. */
async function vehiclesOfMakers(call: CallSimulator): Promise<readonly RunningVehicle[]> {
  const read = cars.safeParse((await call('GET', '/maker-vehicles')).body);
  if (!read.success) return [];
  return read.data.items.map((car) => ({
    vehicleId: car.vehicleId,
    boxId: null,
    model: car.model,
    licensePlate: car.licensePlate,
    state: car.asleep ? `${car.maker}, asleep` : car.maker,
    speedKph: car.truth.speedKph,
    backlog: null,
  }));
}
