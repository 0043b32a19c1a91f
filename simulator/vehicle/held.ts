import type { Antennas } from './antennas.ts';
import type { Circumstances, Journey } from './driver.ts';
import type { Equipment } from './equipment.ts';
import { gnssOf, powerOf } from './sight.ts';
import { type Smoke, smokeUgPerM3 } from './smoke.ts';
import { type Tow, tiltDegrees, towedM } from './towing.ts';
import { type Site, truthOf, View } from './view.ts';

/** What a vehicle's truth follows from, as long as nothing of it changes. Never changed in place. */
export interface Held {
  readonly journey: Journey;
  readonly around: Circumstances;
  readonly site: Site;
  readonly equipment: Equipment;
  readonly tow: Tow | undefined;
  readonly smoke: Smoke | undefined;
  /** When the ignition was turned off last. */
  readonly ignitionOffMs: number;
}

/** When its seconds began, and with which mileage and antennas. */
export interface Made {
  readonly antennas: Antennas;
  readonly madeMs: number;
  readonly mileageStartKm: number;
}

/** The vehicle at one moment at which it held that. Under tow it is elsewhere than its wheels have brought it. */
export function viewAt(
  { journey, around, site, equipment, tow, ignitionOffMs }: Held,
  atMs: number,
  made: Made,
): View {
  const place = tow === undefined ? around : { ...around, startM: around.startM + towedM(tow, atMs) };
  const atS = (atMs - made.madeMs) / 1_000;
  const { antennas, mileageStartKm } = made;
  const restsSinceMs = journey.switches.ignitionOn || tow !== undefined ? undefined : ignitionOffMs;
  return new View(journey, place, site, { atMs, atS, mileageStartKm, equipment, restsSinceMs }, antennas);
}

/** The physical truth at that moment. Plain JSON. `receiver`: what the box's GNSS receiver finds, not where it is. */
export function truthAt(held: Held, atMs: number, made: Made): Record<string, unknown> {
  const view = viewAt(held, atMs, made);
  return {
    ...powerOf(view),
    ...truthOf(view, held.around.route.name),
    receiver: gnssOf(view, held.tow),
    isTowed: held.tow !== undefined,
    tiltDegrees: tiltDegrees(held.tow),
    smokeUgPerM3: smokeUgPerM3(held.smoke, atMs),
  };
}
