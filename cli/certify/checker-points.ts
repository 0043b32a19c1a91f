import type { CheckScope } from '../../scenarios/checkers/check.ts';
import { CHECKS } from '../../scenarios/checkers/checks.ts';
import type { CheckerName } from '../../scenarios/language/expectations/checkers.ts';
import { CHECKERS } from '../../scenarios/language/expectations/checkers.ts';
import type { PointList } from './certify-session.ts';
import { judged, type PointPlan } from './point.ts';

/** The checkers of scenarios that need nothing but answers, messages, frames at the boxes, and the truth. */
export const OUTSIDE_CHECKERS = [
  'twin-is-true',
  'commands-at-most-once',
  'answers-agree',
  'guards-hold',
  'successes-hold',
  'reads-agree',
  'one-open-command',
  'outputs-are-safe',
  'flows-agree',
  'presence-agrees',
  'fleets-apart',
] as const satisfies readonly CheckerName[];

/** The point of a checker. */
export function checkerPoint(name: (typeof OUTSIDE_CHECKERS)[number]): PointPlan {
  return {
    id: `checker/${name}`,
    about: `The checker ${name} of scenarios finds nothing: ${CHECKERS[name]}`,
    clause: 'docs/scenarios.md, Checkers',
  };
}

/** Lets each checker look at what was recorded. */
export async function runCheckers(scope: CheckScope, list: PointList): Promise<void> {
  for (const name of OUTSIDE_CHECKERS) {
    const point = checkerPoint(name);
    if (!list.wants(point)) continue;
    const { findings, seen } = await CHECKS[name](scope).catch((error: unknown) => ({
      findings: [{ text: `It could not look: ${error instanceof Error ? error.message : String(error)}` }],
      seen: '',
    }));
    list.add(
      point,
      judged(
        'no finding',
        findings.map(({ text }) => text),
        { count: 1, what: `look at ${seen}` },
        seen,
      ),
    );
  }
}
