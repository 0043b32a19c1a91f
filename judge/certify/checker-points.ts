import { errorText } from '../../world/error-text.ts';
import { CHECKER_TEXTS, type CheckerName } from '../checkers.ts';
import type { CheckScope } from '../rules/check.ts';
import { CHECKS } from '../rules/checks.ts';
import { failed, type Verdict } from '../verdict.ts';
import type { PointPlan } from './point.ts';

/** The point of a checker. */
export function checkerPoint(name: CheckerName): PointPlan {
  return {
    id: `checker/${name}`,
    about: `The checker ${name} of scenarios finds nothing: ${CHECKER_TEXTS[name]}`,
    clause: 'docs/scenarios.md, Checkers',
  };
}

/** What a checker says of the evidence of a certification. */
export async function judgeByChecker(name: CheckerName, scope: CheckScope): Promise<Verdict> {
  const verdict = await CHECKS[name](scope).catch((error: unknown) =>
    failed('', `It could not look: ${errorText(error)}`),
  );
  return verdict.result === 'failed' ? failed('no finding', verdict.findings) : verdict;
}
