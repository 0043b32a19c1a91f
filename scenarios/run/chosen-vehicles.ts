import type { SimulatedVehicle } from '../../judge/evidence/simulated-vehicle.ts';
import type { Random } from '../../world/random/random.ts';
import type { Selection } from '../language/document/scenario.ts';

/** The vehicles that each step chose, by its label. */
export type ChosenByStep = ReadonlyMap<string, readonly SimulatedVehicle[]>;

/**
 * The vehicles of a selection, in the order of the fleet. A count or a share is drawn from a stream named
 * after the step, so that an added step does not change the choices of others.
 */
export function chosenVehicles(
  { group, pick }: Selection,
  vehicles: readonly SimulatedVehicle[],
  chosen: ChosenByStep,
  random: Random,
  step: string,
): readonly SimulatedVehicle[] {
  const among = group === undefined ? vehicles : vehicles.filter((vehicle) => vehicle.group.as === group);
  if (pick === 'all') return among;
  if ('box' in pick) return among.slice(pick.box - 1, pick.box);
  if ('count' in pick) return draw(among, pick.count, random, step);
  if ('fraction' in pick) {
    return draw(among, Math.max(1, Math.round(among.length * pick.fraction)), random, step);
  }
  if ('sameAs' in pick) return only(among, chosen.get(pick.sameAs) ?? []);
  const others = new Set(chosen.get(pick.othersThan) ?? []);
  return among.filter((vehicle) => !others.has(vehicle));
}

/** Draws a number of them: a partial Fisher-Yates shuffle. */
function draw(
  among: readonly SimulatedVehicle[],
  count: number,
  random: Random,
  step: string,
): readonly SimulatedVehicle[] {
  const stream = random.stream(`scenario/cast/${step}`);
  const left = [...among];
  const taken = new Set<SimulatedVehicle>();
  while (taken.size < count && left.length > 0) {
    const at = stream.whole(0, left.length - 1);
    const last = left.pop();
    const one = at < left.length ? left[at] : last;
    if (at < left.length && last !== undefined) left[at] = last;
    if (one !== undefined) taken.add(one);
  }
  return among.filter((vehicle) => taken.has(vehicle));
}

function only(
  among: readonly SimulatedVehicle[],
  some: readonly SimulatedVehicle[],
): readonly SimulatedVehicle[] {
  const set = new Set(some);
  return among.filter((vehicle) => set.has(vehicle));
}
