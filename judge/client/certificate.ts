import { countOf, type Finding, type Result } from '../verdict.ts';
import type { JudgedPoint } from './judge.ts';
import { limits } from './limits.ts';
import { type ObservedRun, ofKind } from './observed.ts';
import { countText } from './point.ts';

/** The result of a run, as it is reported. */
export interface Certificate {
  readonly seed: number;
  readonly run: ObservedRun;
  readonly points: readonly JudgedPoint[];
  /** The number of events beyond the bound, which were dropped. */
  readonly droppedEvents: number;
}

export const RESULT_WORDS: Readonly<Record<Result, string>> = {
  passed: 'passed',
  failed: 'FAILED',
  'not-seen': 'not seen',
};

/**
 * The report as lines of text: a line for each point, below one that failed what was observed, with the time since the
 * start. `mark` colours the word of a result, `clean` removes terminal control sequences from a text.
 */
export function certificateLines(
  certificate: Certificate,
  {
    mark,
    clean,
  }: {
    readonly mark: (result: Result, word: string) => string;
    readonly clean: (text: string) => string;
  },
): readonly string[] {
  const { run, points, seed, droppedEvents } = certificate;
  const lines = points.flatMap(({ name, about, result, text, findings }) => [
    `${mark(result, RESULT_WORDS[result].padEnd(8))}  ${name.padEnd(NAME_WIDTH)}  ${clean(text)}`,
    ...(result === 'failed' ? [`${INDENT}A good client: ${about}`] : []),
    ...(result === 'failed' ? findings.slice(0, limits.evidence) : []).map(
      (one) => `${INDENT}${sinceText(run, one)}  ${clean(one.text)}`,
    ),
    ...(result === 'failed' && findings.length > limits.evidence
      ? [`${INDENT}and ${findings.length - limits.evidence} more`]
      : []),
  ]);
  return [
    ...lines,
    '',
    `${countOf(points, 'passed')} passed, ${countOf(points, 'failed')} failed, ${countOf(points, 'not-seen')} not seen. ${seenText(run)} Seed ${seed}.`,
    ...(droppedEvents === 0 ? [] : [`${droppedEvents} further events were too many to be looked at.`]),
  ];
}

const NAME_WIDTH = 19;
const INDENT = ' '.repeat(10);

/** The report for programs. */
export function certificateJson(certificate: Certificate): unknown {
  const { run, points, seed, droppedEvents } = certificate;
  return {
    passed: countOf(points, 'passed'),
    failed: countOf(points, 'failed'),
    not_seen: countOf(points, 'not-seen'),
    seed,
    seconds: Math.round((run.endMs - run.startMs) / 100) / 10,
    requests: ofKind(run.events, 'request').length,
    messages: ofKind(run.events, 'delivered').length,
    dropped_events: droppedEvents,
    episodes: ofKind(run.events, 'episode').map(({ atMs, name, phase }) => ({
      at_s: sinceS(run, atMs),
      name,
      phase,
    })),
    points: points.map(({ name, about, result, text, findings }) => ({
      name,
      about,
      verdict: result,
      text,
      evidence: findings
        .slice(0, limits.evidence)
        .map((one) => ({ at_s: secondsOf(run, one), text: one.text })),
      ...(findings.length > limits.evidence ? { further_evidence: findings.length - limits.evidence } : {}),
    })),
  };
}

function seenText({ events, startMs, endMs }: ObservedRun): string {
  const [requests, messages] = [ofKind(events, 'request').length, ofKind(events, 'delivered').length];
  return `Looked at for ${Math.round((endMs - startMs) / 1_000)} s: ${countText(requests, 'request')}, ${countText(messages, 'message')}.`;
}

function sinceS({ startMs }: ObservedRun, atMs: number): number {
  return Math.round((atMs - startMs) / 100) / 10;
}

/** A finding without a time concerns the whole run. */
function secondsOf(run: ObservedRun, { atMs = run.endMs }: Finding): number {
  return sinceS(run, atMs);
}

/** `+12.3 s` */
export function sinceText(run: ObservedRun, finding: Finding): string {
  return `+${secondsOf(run, finding).toFixed(1)} s`.padStart(9);
}
