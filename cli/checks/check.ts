/** `warning`: it works, or may work, and not well. `failed`: it cannot work. */
export type Verdict = 'ok' | 'warning' | 'failed';

/** What a check has come to. */
export interface Judgement {
  readonly verdict: Verdict;
  /** With the figure that was measured and its bound. */
  readonly text: string;
  /** What to do. Present with every warning and every failure. */
  readonly remedy?: string;
}

/** One row: its name, and the way from what is measured to a judgement. Rejects never. */
export interface Check {
  readonly name: string;
  readonly judged: () => Promise<Judgement>;
}

/** A row whose judge is a pure function of the facts that `measure` resolves with. A measure that breaks has failed. */
export function check<Facts>(
  name: string,
  measure: () => Facts | Promise<Facts>,
  judge: (facts: Facts) => Judgement,
): Check {
  return {
    name,
    judged: async () => {
      try {
        return judge(await measure());
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return failed(`It could not be measured: ${why}`, 'Mend that, and look again.');
      }
    },
  };
}

/** The judgement of what is as it should be. */
export function ok(text: string): Judgement {
  return { verdict: 'ok', text };
}

/** The judgement of what may not work well. */
export function warning(text: string, remedy: string): Judgement {
  return { verdict: 'warning', text, remedy };
}

/** The judgement of what cannot work. */
export function failed(text: string, remedy: string): Judgement {
  return { verdict: 'failed', text, remedy };
}

const RANK: readonly Verdict[] = ['ok', 'warning', 'failed'];

/** The gravest of them; `ok` of none. */
export function gravest(verdicts: readonly Verdict[]): Verdict {
  return RANK.findLast((verdict) => verdicts.includes(verdict)) ?? 'ok';
}
