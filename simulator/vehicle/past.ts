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

/** How close the moments are at which a moving vehicle is looked at, and how many there are at most. */
const STEP_MS = 100;
const MOST_STEPS = 48;

/**
 * What a vehicle has held since when. Between two changes its truth is a function of time, so that a day of parking
 * takes one place. The older half goes where there is no room.
 */
export class Past {
  readonly #room: number;
  #held: (Held & { readonly fromMs: number })[] = [];

  /** `room`: how many changes are kept at most. */
  constructor(room: number) {
    this.#room = room;
  }

  /** From then on it holds that. Times never fall. */
  note(fromMs: number, held: Held): void {
    const last = this.#held.at(-1);
    const isSame =
      last?.journey === held.journey &&
      last.site === held.site &&
      last.equipment === held.equipment &&
      last.around === held.around &&
      last.tow === held.tow &&
      last.smoke === held.smoke;
    if (isSame) return;
    this.#held.push({ ...held, fromMs });
    if (this.#held.length > this.#room) this.#held = this.#held.slice(Math.ceil(this.#room / 2));
  }

  /**
   * The moments between these two at which the vehicle is to be looked at so that nothing is missed, each with what it
   * held then; undefined where the beginning is not kept any more, or never was.
   */
  moments(
    fromMs: number,
    toMs: number,
  ): readonly { readonly atMs: number; readonly held: Held }[] | undefined {
    const first = this.#held.findLastIndex((one) => one.fromMs <= fromMs);
    if (first === -1) return undefined;
    const moments: { readonly atMs: number; readonly held: Held }[] = [];
    const stepMs = Math.max(STEP_MS, (toMs - fromMs) / MOST_STEPS);
    for (let index = first; index < this.#held.length; index += 1) {
      const held = this.#held[index];
      if (held === undefined || held.fromMs > toMs) break;
      const beginMs = Math.max(held.fromMs, fromMs);
      const endMs = Math.min(this.#held[index + 1]?.fromMs ?? toMs, toMs);
      const isAtRest = held.journey.stretch.move === undefined && held.tow === undefined;
      for (let atMs = beginMs; !isAtRest && atMs < endMs; atMs += stepMs) moments.push({ atMs, held });
      if (isAtRest) moments.push({ atMs: beginMs, held });
      if (endMs > beginMs || !isAtRest) moments.push({ atMs: endMs, held });
    }
    return moments;
  }
}
