import { limits } from './limits.ts';
import type { Observed, ObservedRun } from './observed.ts';

export type PointVerdict = 'passed' | 'failed' | 'not-seen';

/** What a point came to. */
export interface PointResult {
  readonly verdict: PointVerdict;
  /** Why, one sentence. */
  readonly text: string;
  /** What was observed, the most telling first. */
  readonly evidence: readonly Evidence[];
}

/** One observation. */
export interface Evidence {
  readonly atMs: number;
  /** `POST /vehicles/JQ7RP/commands/lock-central-lock answered 409 vehicle/conflicting-state` */
  readonly text: string;
}

/** Something that a client does well or not. */
export interface Point {
  readonly name: string;
  /** What a client does that passes, one sentence. */
  readonly about: string;
  readonly judge: (run: ObservedRun) => PointResult;
}

/** It was seen, and it was right. */
export function passed(text: string, evidence: readonly Evidence[] = []): PointResult {
  return { verdict: 'passed', text, evidence };
}

/** It was seen, and it was wrong. */
export function failed(text: string, evidence: readonly Evidence[]): PointResult {
  return { verdict: 'failed', text, evidence };
}

/** It did not come to it; the text says why. */
export function notSeen(text: string): PointResult {
  return { verdict: 'not-seen', text, evidence: [] };
}

/** Whether pauses between tries are those of one who hammers: hardly any, or short ones that do not grow. */
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

/** Of what the client itself did: the time of the first, or undefined. */
export function firstDoneMs(events: readonly Observed[]): number | undefined {
  return events.find(({ kind }) => kind === 'request' || kind === 'connected')?.atMs;
}
