import type { Held } from './held.ts';

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
