import { PROBLEMS } from '../../backend/http/problem.ts';
import type { RequestAndAnswer } from '../../scenarios/causes/bring-about.ts';
import { bodyOf } from '../../scenarios/causes/cause-ports.ts';
import { CAUSES } from '../../scenarios/causes/causes.ts';
import { operationName } from '../../scenarios/causes/operations.ts';
import type { ProblemAnswer } from '../../scenarios/causes/problem-walk.ts';
import type { ProblemRow } from '../../scenarios/causes/table.ts';
import { failed, listed, notTried, type PointPlan, type PointResult, passed } from './point.ts';
import { OWN_CALLERS } from './service-line.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** What can be done to the service and around it. */
export interface Means {
  readonly hasAdmin: boolean;
  readonly hasSurroundings: boolean;
}

/** The point of a row of the problem table. */
export function problemPoint({ operation, problem, cause }: ProblemRow): PointPlan {
  const { status } = PROBLEMS[problem];
  return {
    id: `problem/${status} ${problem} ${operationName(operation)}: ${cause}`,
    about: `${CAUSES.get(cause)?.about ?? cause} ${operationName(operation)} answers ${status} with that problem.`,
    clause: 'docs/api.md, Problems',
  };
}

/** Why a row cannot be brought about with these means; undefined: it can be tried. */
export function missingFor({ operation, cause: name }: ProblemRow, means: Means): string | undefined {
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

/** Holds the answer to a row against the contract. */
export function judgeProblem(row: ProblemRow, answer: ProblemAnswer): PointResult {
  if ('missing' in answer)
    return notTried(`${answer.missing} "--vehicles" takes more of them into the fleet.`);
  const { status, type, title } = PROBLEMS[row.problem];
  const expected = `${status} ${type}, "${title}"`;
  if ('failure' in answer) return failed(expected, answer.failure);
  const { request } = answer.asked;
  const complaints = complaintsOf(row, answer.asked);
  if (complaints.length === 0) return passed(`${request.method} ${request.path}: ${status} ${type}`);
  return failed(expected, `${request.method} ${request.path}: ${listed(complaints)}`);
}

/** What an answer has that is not as the contract says, one sentence each. Total. */
function complaintsOf(row: ProblemRow, { answer }: RequestAndAnswer): readonly string[] {
  const { status, type, title } = PROBLEMS[row.problem];
  const body = bodyOf(answer);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return [
      `It answered ${answer.status}, and its body is no JSON object: ${JSON.stringify(answer.text.slice(0, 200))}.`,
    ];
  const told = body as Readonly<Record<string, unknown>>;
  const { headers } = answer;
  const mediaType = (headers['content-type'] ?? '').split(';')[0]?.trim();
  const flowId = headers['x-service-flow-id'];
  const is = (what: string, value: unknown, should: unknown) =>
    value === should ? [] : [`Its ${what} is ${JSON.stringify(value)}, and not ${JSON.stringify(should)}.`];
  // Of another problem its reason says more than that its words are others.
  if (answer.status !== status || told['type'] !== type)
    return [
      `It answered ${answer.status} ${JSON.stringify(told['type'])}, and not ${status} ${JSON.stringify(type)}: ${JSON.stringify(told['detail'])}`,
    ];
  return [
    ...is('title', told['title'], title),
    ...is('status in the body', told['status'], status),
    ...is('media type', mediaType, status === 404 ? 'application/json' : 'application/problem+json'),
    ...detailComplaints(row, told['detail']),
    ...(flowId !== undefined && UUID.test(flowId)
      ? []
      : [`Its header X-Service-Flow-ID is ${JSON.stringify(flowId)}, and not a UUID.`]),
    ...is('flow_id', told['flow_id'], flowId),
    ...(status === 401 && headers['www-authenticate'] === undefined
      ? ['It lacks the header WWW-Authenticate.']
      : []),
    ...(status === 405 && headers['allow']?.includes(row.operation.method) !== true
      ? [`Its header Allow is ${JSON.stringify(headers['allow'])}, and lacks ${row.operation.method}.`]
      : []),
    ...(status === 429 && !/^\d+$/.test(headers['retry-after'] ?? '')
      ? [`Its header Retry-After is ${JSON.stringify(headers['retry-after'])}, and no number of seconds.`]
      : []),
  ];
}

/** What a detail has to name, by cause; its words are the service's own. */
const NAMED: Readonly<Record<string, RegExp>> = {
  'unknown-id': /ZZZZZZZZZZ/,
  'old-firmware': /2\.24/,
  'unknown-parameter': /colour/,
};

function detailComplaints({ cause }: ProblemRow, detail: unknown): readonly string[] {
  if (typeof detail !== 'string' || detail === '') return [`Its detail is ${JSON.stringify(detail)}.`];
  const named = NAMED[cause];
  if (named === undefined || named.test(detail)) return [];
  return [`Its detail does not name ${named.source.replaceAll('\\', '')}: ${JSON.stringify(detail)}.`];
}
