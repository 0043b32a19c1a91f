import type { JudgedPoint } from './judge.ts';
import { limits } from './limits.ts';
import { type ObservedRun, ofKind } from './observed.ts';
import { countText, type PointVerdict } from './point.ts';

/** What a run has come to, as it is told. */
export interface Certificate {
  readonly seed: number;
  readonly run: ObservedRun;
  readonly points: readonly JudgedPoint[];
  /** Events that were too many to be kept. */
  readonly droppedEvents: number;
}

export const VERDICT_WORDS: Readonly<Record<PointVerdict, string>> = {
  passed: 'passed',
  failed: 'FAILED',
  'not-seen': 'not seen',
};

/** So many points have this verdict. */
export function countOf({ points }: Pick<Certificate, 'points'>, verdict: PointVerdict): number {
  return points.filter((point) => point.verdict === verdict).length;
}

/**
 * The report as lines of text: a line for each point, below one that failed what was observed, with the time since the
 * start. `mark` paints the word of a verdict, `clean` takes out of a text what would steer a terminal.
 */
export function certificateLines(
  certificate: Certificate,
  {
    mark,
    clean,
  }: {
    readonly mark: (verdict: PointVerdict, word: string) => string;
    readonly clean: (text: string) => string;
  },
): readonly string[] {
  const { run, points, seed, droppedEvents } = certificate;
  const lines = points.flatMap(({ name, about, verdict, text, evidence }) => [
    `${mark(verdict, VERDICT_WORDS[verdict].padEnd(8))}  ${name.padEnd(NAME_WIDTH)}  ${clean(text)}`,
    ...(verdict === 'failed' ? [`${INDENT}A good client: ${about}`] : []),
    ...(verdict === 'failed' ? evidence.slice(0, limits.evidence) : []).map(
      (one) => `${INDENT}${sinceText(run, one.atMs)}  ${clean(one.text)}`,
    ),
    ...(verdict === 'failed' && evidence.length > limits.evidence
      ? [`${INDENT}and ${evidence.length - limits.evidence} more`]
      : []),
  ]);
  return [
    ...lines,
    '',
    `${countOf(certificate, 'passed')} passed, ${countOf(certificate, 'failed')} failed, ${countOf(certificate, 'not-seen')} not seen. ${seenText(run)} Seed ${seed}.`,
    ...(droppedEvents === 0 ? [] : [`${droppedEvents} further events were too many to be looked at.`]),
  ];
}

const NAME_WIDTH = 19;
const INDENT = ' '.repeat(10);

/** The report for programs. */
export function certificateJson(certificate: Certificate): unknown {
  const { run, points, seed, droppedEvents } = certificate;
  return {
    passed: countOf(certificate, 'passed'),
    failed: countOf(certificate, 'failed'),
    not_seen: countOf(certificate, 'not-seen'),
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
    points: points.map(({ name, about, verdict, text, evidence }) => ({
      ...{ name, about, verdict, text },
      evidence: evidence
        .slice(0, limits.evidence)
        .map((one) => ({ at_s: sinceS(run, one.atMs), text: one.text })),
      ...(evidence.length > limits.evidence ? { further_evidence: evidence.length - limits.evidence } : {}),
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

/** `+12.3 s` */
export function sinceText(run: ObservedRun, atMs: number): string {
  return `+${sinceS(run, atMs).toFixed(1)} s`.padStart(9);
}
