import type { Verdict } from '../verdict.ts';
import { limits } from './limits.ts';
import type { Observed, ObservedRun } from './observed.ts';

/** Something that a client does well or not. */
export interface Point {
  readonly name: string;
  /** What a passing client does, one sentence. */
  readonly about: string;
  readonly judge: (run: ObservedRun) => Verdict;
}

/** Whether pauses between tries are hammering: hardly any, or short ones that do not grow. */
export function isHammering(pausesMs: readonly number[]): boolean {
  if (pausesMs.some((pauseMs) => pauseMs < limits.shortestPauseMs)) return true;
  const [first = 0] = pausesMs;
  const longest = Math.max(...pausesMs, 0);
  return (
    pausesMs.length >= limits.pausesThatGrow &&
    longest < limits.steadyPauseMs &&
    longest < first * limits.growth
  );
}

/** `0.4 s, 0.9 s, 2 s` */
export function pausesText(pausesMs: readonly number[]): string {
  const told = pausesMs.slice(0, 8).map(secondsText);
  return `${told.join(', ')}${pausesMs.length > told.length ? ', ...' : ''}`;
}

/** `0.4 s` */
export function secondsText(spanMs: number): string {
  return `${Math.round(spanMs / 100) / 10} s`;
}

/** `3 requests`, `1 request`. */
export function countText(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

/** The times at which an episode was in force; one that had not ended yet lasts until the end of the run. */
export function episodeTimes(
  { events, endMs }: ObservedRun,
  name: string,
): readonly { readonly fromMs: number; readonly toMs: number }[] {
  const times: { fromMs: number; toMs: number }[] = [];
  for (const event of events) {
    if (event.kind !== 'episode' || event.name !== name) continue;
    const last = times.at(-1);
    if (event.phase === 'begin') times.push({ fromMs: event.atMs, toMs: endMs });
    else if (last !== undefined) last.toMs = event.atMs;
  }
  return times;
}

/** The time of the client's first own action, or undefined. */
export function firstDoneMs(events: readonly Observed[]): number | undefined {
  return events.find(({ kind }) => kind === 'request' || kind === 'connected')?.atMs;
}
