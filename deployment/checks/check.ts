import { errorText } from '../../world/error-text.ts';
/** `warning`: it works, or may work, but not well. `failed`: it cannot work. */
export type Verdict = 'ok' | 'warning' | 'failed';

/** The result of a check. */
export interface Judgement {
  readonly verdict: Verdict;
  /** With the measured value and its bound. */
  readonly text: string;
  /** The remedy. Present with every warning and every failure. */
  readonly remedy?: string;
}

/** One row: its name, and the function that measures and judges. It never rejects. */
export interface Check {
  readonly name: string;
  readonly judged: () => Promise<Judgement>;
}

/**
 * A row whose judge is a pure function of the facts that `measure` resolves with. A measurement that rejects has
 * failed.
 */
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
        const why = errorText(error);
        return failed(`It could not be measured: ${why}`, 'Mend that, and look again.');
      }
    },
  };
}

/** The result `ok`. */
export function ok(text: string): Judgement {
  return { verdict: 'ok', text };
}

/** The result `warning`. */
export function warning(text: string, remedy: string): Judgement {
  return { verdict: 'warning', text, remedy };
}

/** The result `failed`. */
export function failed(text: string, remedy: string): Judgement {
  return { verdict: 'failed', text, remedy };
}

const RANK: readonly Verdict[] = ['ok', 'warning', 'failed'];

/** The most severe of them; `ok` of none. */
export function gravest(verdicts: readonly Verdict[]): Verdict {
  return RANK.findLast((verdict) => verdicts.includes(verdict)) ?? 'ok';
}
