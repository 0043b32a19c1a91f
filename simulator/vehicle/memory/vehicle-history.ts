import type { VehicleState } from './vehicle-state.ts';

/** The step at which a moving vehicle is sampled, and the largest number of moments. */
const STEP_MS = 100;
const MOST_STEPS = 48;

/**
 * The past states of a vehicle. Between two changes its truth is a function of time, so that a day of parking
 * takes one entry. If there is no room, the older half is dropped.
 */
export class VehicleHistory {
  readonly #room: number;
  #states: (VehicleState & { readonly fromMs: number })[] = [];

  /** `room`: the largest number of changes that are kept. */
  constructor(room: number) {
    this.#room = room;
  }

  /** From then on the vehicle has this state. Times never fall. */
  add(fromMs: number, state: VehicleState): void {
    const last = this.#states.at(-1);
    const isSame =
      last?.journey === state.journey &&
      last.surroundings === state.surroundings &&
      last.equipment === state.equipment &&
      last.context === state.context &&
      last.tow === state.tow &&
      last.smoke === state.smoke;
    if (isSame) return;
    this.#states.push({ ...state, fromMs });
    if (this.#states.length > this.#room) this.#states = this.#states.slice(Math.ceil(this.#room / 2));
  }

  /**
   * The moments between these two at which the vehicle must be sampled so that nothing is missed, each with
   * its state; undefined if the beginning is no longer kept, or never was.
   */
  moments(
    fromMs: number,
    toMs: number,
  ): readonly { readonly atMs: number; readonly state: VehicleState }[] | undefined {
    const first = this.#states.findLastIndex((one) => one.fromMs <= fromMs);
    if (first === -1) return undefined;
    const moments: { readonly atMs: number; readonly state: VehicleState }[] = [];
    const stepMs = Math.max(STEP_MS, (toMs - fromMs) / MOST_STEPS);
    for (let index = first; index < this.#states.length; index += 1) {
      const state = this.#states[index];
      if (state === undefined || state.fromMs > toMs) break;
      const beginMs = Math.max(state.fromMs, fromMs);
      const endMs = Math.min(this.#states[index + 1]?.fromMs ?? toMs, toMs);
      const isAtRest = state.journey.segment.move === undefined && state.tow === undefined;
      for (let atMs = beginMs; !isAtRest && atMs < endMs; atMs += stepMs) moments.push({ atMs, state });
      if (isAtRest) moments.push({ atMs: beginMs, state });
      if (endMs > beginMs || !isAtRest) moments.push({ atMs: endMs, state });
    }
    return moments;
  }
}
