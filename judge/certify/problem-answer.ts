import type { Operation } from '../../contract/operation.ts';
import { PROBLEMS, type ProblemKind } from '../../contract/problems.ts';
import { jsonOf } from '../../world/json.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** A problem that an operation answers, and what brought it about: the name of a cause. */
export interface ExpectedProblem {
  readonly operation: Pick<Operation, 'method'>;
  readonly problem: ProblemKind;
  readonly cause: string;
}

/** The deviations of an answer from the contract, one sentence each. Total. */
export function problemComplaints(
  row: ExpectedProblem,
  answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
  },
): readonly string[] {
  const { status, type, title } = PROBLEMS[row.problem];
  const body = jsonOf(answer.text);
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
  // If it is another problem, its reason says more than the different wording.
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

/** What a detail has to name, by cause; the service chooses the wording. */
const NAMED: Readonly<Record<string, RegExp>> = {
  'unknown-id': /ZZZZZZZZZZ/,
  'old-firmware': /2\.24/,
  'unknown-parameter': /colour/,
};

function detailComplaints({ cause }: ExpectedProblem, detail: unknown): readonly string[] {
  if (typeof detail !== 'string' || detail === '') return [`Its detail is ${JSON.stringify(detail)}.`];
  const named = NAMED[cause];
  if (named === undefined || named.test(detail)) return [];
  return [`Its detail does not name ${named.source.replaceAll('\\', '')}: ${JSON.stringify(detail)}.`];
}
