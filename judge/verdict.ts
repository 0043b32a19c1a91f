/** The result of judging. `not-seen`: nothing happened that could be judged. */
export type Result = 'passed' | 'failed' | 'not-seen';

/** The result of a rule: of a checker or an expectation of a run, or of a point of a service, a box or a client. */
export interface Verdict {
  readonly result: Result;
  /** What was compared, what was expected, or why nothing could be judged. */
  readonly text: string;
  /** The evidence, the most significant first: for a failure the errors, or what led to it where the text states it. */
  readonly findings: readonly Finding[];
}

/** One observation, in one sentence that names the vehicle, record or message that it is about. */
export interface Finding {
  /** The number of the vehicle in the run. */
  readonly vehicle?: number;
  readonly atMs?: number;
  readonly text: string;
}

export function passed(text: string, findings: readonly Finding[] = []): Verdict {
  return { result: 'passed', text, findings };
}

/** `findings`: one sentence, or several of them with or without their time; none: the text states the error. */
export function failed(text: string, findings: string | readonly (Finding | string)[] = []): Verdict {
  const all = typeof findings === 'string' ? [findings] : findings;
  return {
    result: 'failed',
    text,
    findings: all.map((one) => (typeof one === 'string' ? { text: one } : one)),
  };
}

/** `why`: in a sentence. */
export function notSeen(why: string): Verdict {
  return { result: 'not-seen', text: why, findings: [] };
}

/** Passed if there is no finding and something was observed; `nothing`: why nothing may have been observed. */
export function judged(
  expected: string,
  complaints: readonly string[],
  seen: { readonly count: number; readonly what: string },
  nothing: string,
): Verdict {
  if (complaints.length > 0) return failed(expected, complaints);
  return seen.count === 0 ? notSeen(nothing) : passed(`${seen.count} ${seen.what}`);
}

/** How many of these have that result. */
export function countOf(verdicts: readonly Pick<Verdict, 'result'>[], result: Result): number {
  return verdicts.filter((one) => one.result === result).length;
}
