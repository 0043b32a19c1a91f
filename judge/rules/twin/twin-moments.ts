import type { ClockError } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import type { CheckScope } from '../check.ts';
import { limits } from '../limits.ts';
import type { PhysicalTruth } from './true-match.ts';

type Span = readonly [fromMs: number, toMs: number];

/**
 * The true times that a box can have recorded as the whole second `secondMs`, by the recorded errors of its clock. For
 * a box whose clock is ahead, or that does not know the time, the service uses the time of receipt, which is not
 * earlier than the event.
 */
export function spansOf(secondMs: number, clocks: readonly ClockError[], nowMs: number): readonly Span[] {
  const endMs = secondMs + 1_000;
  if (clocks.length === 0) return [[secondMs, endMs]];
  const spans: Span[] = [];
  for (const [index, { fromMs, errorMs }] of clocks.entries()) {
    const untilMs = clocks[index + 1]?.fromMs ?? nowMs;
    // A record of a box that did not know the time can have waited for its receipt throughout that time.
    const ahead = errorMs ?? Number.POSITIVE_INFINITY;
    const earliestMs = secondMs - ahead - limits.clockSlackMs;
    const latestMs = endMs - Math.min(errorMs ?? 0, 0) + limits.clockSlackMs;
    const span = [Math.max(fromMs, earliestMs), Math.min(untilMs, latestMs)] as const;
    if (span[0] <= span[1]) spans.push(span);
  }
  return spans;
}

/**
 * The truth at the moments that a whole second of the API can mean, dense enough to miss no act and no change of speed;
 * undefined: it is no longer kept.
 */
export function truthsOf(
  { evidence, testbed }: CheckScope,
  vehicle: SimulatedVehicle,
  secondMs: number,
): readonly PhysicalTruth[] | undefined {
  const spans = spansOf(secondMs, evidence.clockErrors(vehicle), testbed.time.nowMs());
  const truths: PhysicalTruth[] = [];
  for (const [fromMs, toMs] of spans) {
    const found = evidence.truthsBetween(vehicle, fromMs, toMs);
    if (found === undefined) return undefined;
    truths.push(...found);
  }
  return truths;
}

/**
 * The same at every millisecond: on the way past a corner of a house a satellite comes and goes within less than a tenth of
 * a second. Undefined: they are too many, or no longer kept.
 */
export function truthsOfEveryMillisecond(
  { evidence, testbed }: CheckScope,
  vehicle: SimulatedVehicle,
  secondMs: number,
): readonly PhysicalTruth[] | undefined {
  const spans = spansOf(secondMs, evidence.clockErrors(vehicle), testbed.time.nowMs());
  if (lengthOf(spans) > limits.truthCloseMs) return undefined;
  const truths: PhysicalTruth[] = [];
  for (const [fromMs, toMs] of spans) {
    for (let atMs = fromMs; atMs <= toMs; atMs += 1) {
      const found = evidence.truthsBetween(vehicle, atMs, atMs);
      if (found === undefined) return undefined;
      truths.push(...found);
    }
  }
  return truths;
}

/**
 * The same at every tenth of a second. A receiver's reception changes from house to house, and a second of a box whose
 * clock is wrong can mean any of many minutes: a few moments of them miss a fix that lasted for seconds. Undefined:
 * they are too many, or no longer kept.
 */
export function truthsOfEveryMoment(
  { evidence, testbed }: CheckScope,
  vehicle: SimulatedVehicle,
  secondMs: number,
): readonly PhysicalTruth[] | undefined {
  const spans = spansOf(secondMs, evidence.clockErrors(vehicle), testbed.time.nowMs());
  if (lengthOf(spans) > limits.truthSpanMs) return undefined;
  const truths: PhysicalTruth[] = [];
  for (const [fromMs, toMs] of spans) {
    for (let atMs = fromMs; atMs <= toMs; atMs += limits.truthSliceMs) {
      const found = evidence.truthsBetween(vehicle, atMs, Math.min(atMs + limits.truthSliceMs, toMs));
      if (found === undefined) return undefined;
      truths.push(...found);
    }
  }
  return truths;
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, [fromMs, toMs]) => sum + toMs - fromMs, 0);
}
