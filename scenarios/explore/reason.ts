import type { CheckerName } from '../language/checkers.ts';
import type { Outcome } from '../run/outcome.ts';

/** Why a run failed. Two runs with one `key` failed for the same reason, in whatever step or vehicle. */
export interface Reason {
  readonly key: string;
  /** One sentence, of the vehicle and moment that it was first. */
  readonly text: string;
  /** Absent: an expectation, or the run did not come to its end. */
  readonly checker?: CheckerName;
  /** The expectation as read. */
  readonly expectation?: unknown;
}

/**
 * Every reason of a run, each once; none where it passed. Checkers come first: what they say is wrong in any scenario,
 * while an expectation is right only in its own, which making smaller changes.
 */
export function reasonsOf(outcome: Outcome): readonly Reason[] {
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

function ofCheckers({ checkers }: Outcome): readonly Reason[] {
  return checkers.flatMap(({ checker, findings: [first] }) =>
    first === undefined
      ? []
      : [{ key: `checker ${checker}`, text: `The checker ${checker} found: ${first.text}`, checker }],
  );
}

function ofExpectations({ scenario, expectations }: Outcome): readonly Reason[] {
  return expectations.flatMap(({ step, expectation: index, isMet, isNever, text }) => {
    if (isMet) return [];
    const { expect = [], never = [] } = scenario.steps[step] ?? {};
    const expectation = [...expect, ...never][index];
    // What was there instead belongs to it: without the weather, an answer that was to be 504 is wrong in another way.
    const key = `${isNever ? 'never' : 'expect'} ${JSON.stringify(expectation)}: ${shapeOf(text)}`;
    return [{ key, text: `Not met in step ${step + 1}: ${text}`, expectation }];
  });
}

function byKey(reason: Reason): readonly [string, Reason] {
  return [reason.key, reason];
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** A sentence without what differs from run to run: times, ids, spans, counts above a status code. */
export function shapeOf(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '<time>')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<id>')
    .replaceAll(/\b(?=[0-9A-Z]*\d)[0-9A-Z]{5,26}\b/g, '<id>')
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/g, '<id>')
    .replaceAll(/\d+\.\d+|\d{4,}/g, '<number>');
}
