import type { ClockFact } from '../run/evidence.ts';
import type { Player } from '../run/theatre.ts';
import type { CheckScope } from './check.ts';
import { limits } from './limits.ts';
import type { Truth } from './true-match.ts';

type Span = readonly [fromMs: number, toMs: number];

/**
 * When it can truly have been that a box put down as the whole second `secondMs`: its clock is off by what the book says
 * at each time; a box that is ahead, or does not know the time, is taken to speak of the time of receipt, which is not
 * earlier than what it tells of.
 */
export function spansOf(secondMs: number, clocks: readonly ClockFact[], nowMs: number): readonly Span[] {
  const endMs = secondMs + 1_000;
  if (clocks.length === 0) return [[secondMs, endMs]];
  const spans: Span[] = [];
  for (const [index, { fromMs, errorMs }] of clocks.entries()) {
    const untilMs = clocks[index + 1]?.fromMs ?? nowMs;
    const ahead = errorMs ?? limits.unreceivedMs;
    const earliestMs = secondMs - ahead - limits.clockSlackMs;
    const latestMs = endMs - Math.min(errorMs ?? 0, 0) + limits.clockSlackMs;
    const span = [Math.max(fromMs, earliestMs), Math.min(untilMs, latestMs)] as const;
    if (span[0] <= span[1]) spans.push(span);
  }
  return spans;
}

/** What the vehicle was at each moment that a whole second of the API can mean; undefined: that is not kept. */
export function truthsOf(
  { evidence, theatre }: CheckScope,
  player: Player,
  secondMs: number,
): readonly Truth[] | undefined {
  const spans = spansOf(secondMs, evidence.clocks(player), theatre.time.nowMs());
  const truths: Truth[] = [];
  for (const [fromMs, toMs] of spans) {
    const found = evidence.truths(player, fromMs, toMs);
    if (found === undefined) return undefined;
    truths.push(...found);
  }
  return truths;
}
