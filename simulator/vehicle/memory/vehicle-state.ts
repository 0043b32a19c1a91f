import type { DriveContext, Journey } from '../driving/journey.ts';
import type { Equipment } from '../equipment/equipment.ts';
import { type CabinSmoke, smokeUgPerM3 } from '../equipment/smoke.ts';
import { gnssOf, powerOf } from '../sensing/view-signals.ts';
import type { Antennas } from '../surroundings/antennas.ts';
import { type Tow, tiltDegrees, towedM } from '../surroundings/towing.ts';
import { type BoxSurroundings, truthOf, VehicleView } from '../vehicle-view.ts';

/** The state that determines a vehicle's truth until it changes. Never changed in place. */
export interface VehicleState {
  readonly journey: Journey;
  readonly context: DriveContext;
  readonly surroundings: BoxSurroundings;
  readonly equipment: Equipment;
  readonly tow: Tow | undefined;
  readonly smoke: CabinSmoke | undefined;
  /** When the ignition was last turned off. */
  readonly ignitionOffMs: number;
}

/** The origin of its seconds, its mileage at that time, and its antennas. */
export interface VehicleOrigin {
  readonly antennas: Antennas;
  readonly madeMs: number;
  readonly mileageStartKm: number;
}

/** The vehicle at a moment when it had this state. Under tow it is not where its wheels have brought it. */
export function viewAt(
  { journey, context, surroundings, equipment, tow, ignitionOffMs }: VehicleState,
  atMs: number,
  origin: VehicleOrigin,
): VehicleView {
  const place = tow === undefined ? context : { ...context, startM: context.startM + towedM(tow, atMs) };
  const atS = (atMs - origin.madeMs) / 1_000;
  const { antennas, mileageStartKm } = origin;
  const restsSinceMs = journey.switches.ignitionOn || tow !== undefined ? undefined : ignitionOffMs;
  return new VehicleView(
    journey,
    place,
    surroundings,
    { atMs, atS, mileageStartKm, equipment, restsSinceMs },
    antennas,
  );
}

/**
 * The physical truth at that moment. Plain JSON. `receiver`: the reading of the box's GNSS receiver, not the
 * true position.
 */
export function truthAt(state: VehicleState, atMs: number, origin: VehicleOrigin): Record<string, unknown> {
  const view = viewAt(state, atMs, origin);
  return {
    ...powerOf(view),
    ...truthOf(view, state.context.route.name),
    receiver: gnssOf(view, state.tow),
    isTowed: state.tow !== undefined,
    tiltDegrees: tiltDegrees(state.tow),
    smokeUgPerM3: smokeUgPerM3(state.smoke, atMs),
  };
}
