import type { LiveFigures } from '../../deployment/shared/live-figures.ts';
import { limits } from './limits.ts';
import { type LiveSample, liveLine } from './live-line.ts';
import { type RampUp, type ReportedRampUp, rampUpAfter, rampUpAt, rampUpLine } from './ramp-up.ts';

/** Formats figures as the line of a terminal; keeps the readings that rates need. */
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

/**
 * Formats the lines of a pipe: they report the boxes that start, and end with that. None for fewer than `leastBoxes`.
 */
export function pipeTeller(beganMs: number, leastBoxes: number) {
  let ramp: RampUp = rampUpAt(beganMs);
  let told: ReportedRampUp = { atMs: beganMs, ready: 0 };
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
