import { operationName } from '../../contract/operation.ts';
import { PROBLEMS } from '../../contract/problems.ts';
import type { PointPlan } from '../../judge/certify/point.ts';
import { problemComplaints } from '../../judge/certify/problem-answer.ts';
import { failed, notSeen, passed, type Verdict } from '../../judge/verdict.ts';
import { CAUSES } from '../../scenarios/causes/causes.ts';
import type { ProblemAnswer } from '../../scenarios/causes/problem-walk.ts';
import type { ProblemCause } from '../../scenarios/causes/table.ts';
import { OWN_CALLERS } from './service-line.ts';

/** The access to the service and its surroundings. */
export interface Means {
  readonly hasAdmin: boolean;
  readonly hasSurroundings: boolean;
}

/** The point of a row of the problem table. */
export function problemPoint({ operation, problem, cause }: ProblemCause): PointPlan {
  const { status } = PROBLEMS[problem];
  return {
    id: `problem/${status} ${problem} ${operationName(operation)}: ${cause}`,
    about: `${CAUSES.get(cause)?.about ?? cause} ${operationName(operation)} answers ${status} with that problem.`,
    clause: 'docs/api.md, Problems',
  };
}

/** Why a row cannot be caused with these means; undefined: it can be tested. */
export function missingFor({ operation, cause: name }: ProblemCause, means: Means): string | undefined {
  const cause = CAUSES.get(name);
  if (cause === undefined) return `There is no cause ${name}.`;
  const { caller = 'owner' } = cause.requestChange?.(operation) ?? {};
  const steps = [...cause.steps, ...cause.undoSteps];
  const needsAdmin =
    !OWN_CALLERS.has(caller) ||
    steps.some(({ path, body }) => path.startsWith('/service') || usesOtherFleet(body)) ||
    // Its body names the partner's fleet.
    (operation.kind === 'share' && (name === 'unknown-id' || cause.reserves === 'vehicle'));
  if (needsAdmin && !means.hasAdmin)
    return 'It takes a second client, another fleet or a fault of the service: give its admin interface with --admin.';
  const isElsewhere =
    cause.reserves === 'maker' || cause.reserves === 'provider' || name === 'vehicle-has-no-box';
  if (isElsewhere && !means.hasSurroundings)
    return "It takes a fault of the SIM provider or of the vehicle's maker: have the service ask those of --simulator-port.";
  return undefined;
}

function usesOtherFleet(body: unknown): boolean {
  return body !== undefined && /\{(partner|stranger)\}/.test(JSON.stringify(body));
}

/** Compares the answer to a row with the contract. */
export function judgeProblem(row: ProblemCause, answer: ProblemAnswer): Verdict {
  if ('missing' in answer)
    return notSeen(`${answer.missing} "--vehicles" takes more of them into the fleet.`);
  const { status, type, title } = PROBLEMS[row.problem];
  const expected = `${status} ${type}, "${title}"`;
  if ('failure' in answer) return failed(expected, answer.failure);
  const { request } = answer.asked;
  const complaints = problemComplaints(row, answer.asked.answer);
  if (complaints.length === 0) return passed(`${request.method} ${request.path}: ${status} ${type}`);
  return failed(
    expected,
    complaints.map((text) => `${request.method} ${request.path}: ${text}`),
  );
}
