import { distanceM } from '../arithmetic.ts';
import type { Remarks } from '../routes/remarks.ts';
import type { DriveSample, DriveSamples } from './drive-sample.ts';
import { limits } from './limits.ts';

/** A sample with its time in seconds since the first one, which grows from sample to sample. */
export interface TimedSample extends DriveSample {
  readonly atS: number;
  /** Its place in the file. */
  readonly index: number;
}

/** The step of a drive that has not shown its own yet. */
const USUAL_S = 1;

/**
 * The samples on a clock that only goes forward. Left out are those without a time, with the time of the one before
 * them, and single ones with a deviating time. Where a clock was set, the drive continues after the usual step.
 */
export function timedSamples({ samples, placeOf }: DriveSamples, remarks: Remarks): readonly TimedSample[] {
  const timed: TimedSample[] = [];
  let usualS = USUAL_S;
  let lastMs: number | undefined;
  for (const [index, sample] of samples.entries()) {
    const { atMs } = sample;
    const leftOut = (what: string) =>
      remarks.add(
        what,
        () => placeOf(index),
        () => `has ${what}: left out.`,
      );
    if (atMs === undefined) {
      leftOut('no time');
      continue;
    }
    const last = timed.at(-1);
    if (last === undefined || lastMs === undefined) {
      timed.push({ ...sample, atS: 0, index });
      lastMs = atMs;
      continue;
    }
    const passedS = (atMs - lastMs) / 1_000;
    if (passedS === 0) {
      leftOut('the time of the one before it');
      continue;
    }
    if (isStray(samples, index, lastMs)) {
      leftOut(passedS < 0 ? 'a time before that of the one before it' : 'a time after that of the next one');
      continue;
    }
    let stepS = passedS;
    if (passedS < 0 || passedS > limits.clockSetS) {
      stepS = Math.max(usualS, wayBetween(last, sample) / limits.unknownWayMps);
      const direction = passedS < 0 ? 'back' : 'forward';
      const goesOnS = stepS;
      remarks.add(
        `clock ${direction}`,
        () => placeOf(index),
        () =>
          `is on a clock that was set ${direction} by ${shownS(Math.abs(passedS))}: the drive goes on after ${shownS(goesOnS)}.`,
      );
    } else if (passedS <= limits.gapS) usualS = passedS;
    timed.push({ ...sample, atS: last.atS + stepS, index });
    lastMs = atMs;
  }
  return timed;
}

/** Whether the samples after this one continue from the one before it, ignoring this one. */
function isStray(samples: readonly DriveSample[], index: number, lastMs: number): boolean {
  const atMs = samples[index]?.atMs ?? lastMs;
  const isBack = atMs < lastMs;
  if (!isBack && atMs - lastMs <= limits.gapS * 1_000) return false;
  for (let ahead = 1; ahead <= limits.strayPoints; ahead += 1) {
    const next = samples[index + ahead]?.atMs;
    if (next === undefined) continue;
    if (isBack ? next > lastMs && next - lastMs <= limits.clockSetS * 1_000 : next > lastMs && next < atMs)
      return true;
  }
  return false;
}

function wayBetween(one: DriveSample, other: DriveSample): number {
  if (one.latitude === undefined || one.longitude === undefined) return 0;
  if (other.latitude === undefined || other.longitude === undefined) return 0;
  return distanceM(
    { latitude: one.latitude, longitude: one.longitude },
    { latitude: other.latitude, longitude: other.longitude },
  );
}

/** `2.5 s`, `75 min` or `30 h`. */
export function shownS(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}
