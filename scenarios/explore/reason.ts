import type { CheckerName } from '../../judge/checkers.ts';
import { type LineOfStep, stepName } from '../language/document/step-name.ts';
import type { RunOutcome } from '../run/outcome.ts';

/**
 * Why a run failed. Two runs with the same `key` failed for the same reason, possibly in different steps or
 * vehicles.
 */
export interface FailureReason {
  readonly key: string;
  /** One sentence, about the first vehicle and moment. Of a missed expectation without its step: `reasonText` has it. */
  readonly text: string;
  /** The step of the missed expectation. Absent: the reason is of the whole run. */
  readonly step?: { readonly index: number; readonly label: string | undefined };
  /** Absent: an expectation was missed, or the run did not finish. */
  readonly checker?: CheckerName;
  /** Of a finding: the group of its vehicle, and when it happened, since the start; absent: the checker names none. */
  readonly group?: string;
  readonly sinceStartMs?: number;
  /** The expectation as read. */
  readonly expectation?: unknown;
}

/**
 * Every reason of a run, each once; empty when it passed. Checkers come first: what they find is wrong in any
 * scenario, while an expectation is valid only in its own scenario, which shrinking changes.
 */
export function reasonsOf(outcome: RunOutcome): readonly FailureReason[] {
  const { verdict, reason = '' } = outcome;
  switch (verdict) {
    case 'passed':
      return [];
    case 'stuck':
      return [{ key: 'stuck', text: `The world got stuck: ${reason}` }];
    case 'crashed':
      return [{ key: `crashed: ${shapeOf(firstLine(reason))}`, text: `The run crashed: ${reason}` }];
    case 'failed':
      return [...new Map([...ofCheckers(outcome), ...ofExpectations(outcome)].map(byKey)).values()];
    default:
      return verdict satisfies never;
  }
}

/** The sentence about a reason, with its step. `lineOf`: the lines of the steps in the file that it is about. */
export function reasonText({ text, step }: FailureReason, lineOf: LineOfStep = () => undefined): string {
  if (step === undefined) return text;
  const { index, label } = step;
  return `Not met in ${stepName(index, { label, line: lineOf(index) })}: ${text}`;
}

function ofCheckers({ checkers, vehicles, startMs }: RunOutcome): readonly FailureReason[] {
  return checkers.flatMap(({ checker, findings: [first] }) => {
    if (first === undefined) return [];
    const { text, vehicle, atMs } = first;
    const group = vehicles.find(({ number }) => number === vehicle)?.group;
    return [
      {
        key: `checker ${checker}`,
        text: `The checker ${checker} found: ${text}`,
        checker,
        ...(group === undefined ? {} : { group }),
        ...(atMs === undefined ? {} : { sinceStartMs: atMs - startMs }),
      },
    ];
  });
}

function ofExpectations({ scenario, expectations }: RunOutcome): readonly FailureReason[] {
  return expectations.flatMap(({ step, expectation: index, result, isNever, text }) => {
    if (result === 'passed') return [];
    const { expect = [], never = [], label } = scenario.steps[step] ?? {};
    const expectation = [...expect, ...never][index];
    // The actual value is part of the key: without the weather an answer that should be 504 fails in another way.
    // way.
    const key = `${isNever ? 'never' : 'expect'} ${JSON.stringify(expectation)}: ${shapeOf(text)}`;
    return [{ key, text, step: { index: step, label }, expectation }];
  });
}

function byKey(reason: FailureReason): readonly [string, FailureReason] {
  return [reason.key, reason];
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/**
 * A sentence without what differs from run to run: times, ids, spans, and numbers too large for a status
 * code.
 */
export function shapeOf(text: string): string {
  return text
    .replace(/ \(round \d+ of \d+\)$/, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '<time>')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<id>')
    .replaceAll(/\b(?=[0-9A-Z]*\d)[0-9A-Z]{5,26}\b/g, '<id>')
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/g, '<id>')
    .replaceAll(/\d+\.\d+|\d{4,}/g, '<number>');
}
