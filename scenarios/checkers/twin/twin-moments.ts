import type { ClockError } from '../../testbed/port/evidence.ts';
import type { SimulatedVehicle } from '../../testbed/port/simulated-vehicle.ts';
import type { CheckScope } from '../check.ts';
import { limits } from '../limits.ts';
import type { PhysicalTruth } from './true-match.ts';

type Span = readonly [fromMs: number, toMs: number];

/**
 * The true times that a box can have written down as the whole second `secondMs`, by the recorded errors of
 * its clock. For a box whose clock is ahead, or that does not know the time, the service uses the time of
 * receipt, which is not earlier than the event.
 */
export function spansOf(secondMs: number, clocks: readonly ClockError[], nowMs: number): readonly Span[] {
  const endMs = secondMs + 1_000;
  if (clocks.length === 0) return [[secondMs, endMs]];
  const spans: Span[] = [];
  for (const [index, { fromMs, errorMs }] of clocks.entries()) {
    const untilMs = clocks[index + 1]?.fromMs ?? nowMs;
    // A record of a box that did not know the time can have waited for its receipt as long as that lasted.
    const ahead = errorMs ?? Number.POSITIVE_INFINITY;
    const earliestMs = secondMs - ahead - limits.clockSlackMs;
    const latestMs = endMs - Math.min(errorMs ?? 0, 0) + limits.clockSlackMs;
    const span = [Math.max(fromMs, earliestMs), Math.min(untilMs, latestMs)] as const;
    if (span[0] <= span[1]) spans.push(span);
  }
  return spans;
}

/** The truth at each moment that a whole second of the API can mean; undefined: it is no longer kept. */
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
