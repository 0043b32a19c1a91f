import { limits } from './limits.ts';
import type { LiveFigures } from './live-figures.ts';
import { type LiveSample, liveLine } from './live-line.ts';
import { type RampUp, rampUpAfter, rampUpAt, rampUpLine, type ToldRampUp } from './ramp-up.ts';

/** Makes the line of a terminal out of figures as they come; it keeps what rates need. */
export function screenTeller(beganMs: number) {
  let ramp: RampUp = rampUpAt(beganMs);
  /** The oldest first, none older than a rate needs. */
  let earlier: readonly LiveSample[] = [];
  return {
    /** The line for so many columns. */
    line(figures: LiveFigures, nowMs: number, columns: number): string {
      ramp = rampUpAfter(ramp, figures, nowMs);
      const now = { atMs: nowMs, figures };
      const text = liveLine({ now, earlier, isRampUp: !ramp.isOver }, columns);
      const young = earlier.filter(({ atMs }) => nowMs - atMs < limits.rateMs);
      earlier = [...young, now].slice(-limits.rateSamples);
      return text;
    },
  };
}

/** Makes the lines of a pipe: they tell of the boxes that come up, and end with that. None for fewer than `leastBoxes`. */
export function pipeTeller(beganMs: number, leastBoxes: number) {
  let ramp: RampUp = rampUpAt(beganMs);
  let told: ToldRampUp = { atMs: beganMs, ready: 0 };
  return {
    /** The line that is due, if there is one. */
    line(figures: LiveFigures, nowMs: number): string | undefined {
      if (ramp.isOver) return undefined;
      ramp = rampUpAfter(ramp, figures, nowMs);
      const line = rampUpLine(ramp, told, nowMs, leastBoxes);
      if (line !== undefined) told = { atMs: nowMs, ready: ramp.ready };
      return line;
    },
    /** There will be no further line. */
    isDone: () => ramp.isOver,
  };
}
