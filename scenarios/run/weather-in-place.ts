import type { SimulatedVehicle } from '../../judge/evidence/simulated-vehicle.ts';
import type { GeoPoint } from '../../simulator/arithmetic.ts';
import { type GeoPlace, isInPlace } from '../language/steps/geo-place.ts';
import type { Weather } from '../language/steps/weather.ts';
import { runLimits } from '../limits.ts';
import type { Testbed, UndoFault } from '../testbed/port/testbed.ts';

/**
 * Applies weather to those of these vehicles that are in the place, for as long as they are there. What it resolves
 * with removes it from all; that resolves with a sentence where no vehicle ever came, or where the weather had no
 * effect on any that did.
 */
export async function layInPlace(
  testbed: Pick<Testbed, 'time' | 'snapshotOf' | 'weather'>,
  weather: Weather,
  vehicles: readonly SimulatedVehicle[],
  place: GeoPlace,
): Promise<UndoFault> {
  const { time } = testbed;
  const boxes = vehicles.filter(({ boxId }) => boxId !== undefined);
  const inside = new Map<SimulatedVehicle, UndoFault>();
  const missed: (string | undefined)[] = [];
  let isOver = false;
  let looking = Promise.resolve();
  let takeBack = (): void => undefined;

  const leave = async (vehicle: SimulatedVehicle): Promise<void> => {
    const undo = inside.get(vehicle);
    inside.delete(vehicle);
    if (undo !== undefined) missed.push(await undo());
  };
  const look = async (): Promise<void> => {
    for (const vehicle of boxes) {
      const isIn = isInPlace(place, spotOf(testbed, vehicle));
      if (isIn && !inside.has(vehicle)) inside.set(vehicle, await testbed.weather(weather, [vehicle]));
      else if (!isIn && inside.has(vehicle)) await leave(vehicle);
    }
  };
  const lookAgain = (): void => {
    takeBack = time.alarm(time.nowMs() + runLimits.placeLookMs, () => {
      looking = look().then(() => (isOver ? undefined : lookAgain()));
      // The caller that removes the weather gets the error.
      looking.catch(() => undefined);
    });
  };

  await look();
  lookAgain();
  return async () => {
    isOver = true;
    takeBack();
    await looking;
    for (const vehicle of [...inside.keys()]) await leave(vehicle);
    if (missed.length === 0) return 'no vehicle came into the place while it lasted';
    return missed.includes(undefined) ? undefined : missed[0];
  };
}

/** The true position of a vehicle. */
function spotOf(testbed: Pick<Testbed, 'snapshotOf'>, vehicle: SimulatedVehicle): GeoPoint {
  const { latitude, longitude } = testbed.snapshotOf(vehicle).truth;
  return { latitude: Number(latitude), longitude: Number(longitude) };
}
