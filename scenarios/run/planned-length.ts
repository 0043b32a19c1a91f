import { roundsOf, type Scenario, type Step } from '../language/document/scenario.ts';

/**
 * The minimum duration of a run, in virtual milliseconds: by the earliest beginning of each step, its rounds, its
 * `for`, its `never` and the messages of which it expects none. Other expectations may be met immediately, so waiting
 * for them does not count, nor does the time to heal.
 */
export function plannedLengthMs({ steps, limits: { durationMs = 0 } }: Scenario): number {
  const endsMs: number[] = [];
  const labelledMs = new Map<string, number>();
  for (const step of steps) {
    const endMs = beginMs(step, endsMs, labelledMs) + lastsMs(step);
    endsMs.push(endMs);
    if (step.label !== undefined) labelledMs.set(step.label, endMs);
  }
  return Math.max(durationMs, ...endsMs);
}

function beginMs({ when }: Step, before: readonly number[], labelledMs: ReadonlyMap<string, number>): number {
  if ('atMs' in when) return when.atMs;
  if ('after' in when) return (labelledMs.get(when.after) ?? 0) + when.delayMs;
  return Math.max(0, ...before) + when.delayMs;
}

function lastsMs({ forMs = 0, expect, never, withinMs, repeat, trigger }: Step): number {
  const lastRoundMs = (roundsOf(repeat) - 1) * (repeat?.everyMs ?? 0) + (trigger?.delayMs ?? 0);
  const isHeld = never.length > 0 || expect.some((one) => one.kind === 'message' && one.count === 0);
  return lastRoundMs + Math.max(forMs, isHeld ? withinMs : 0);
}
