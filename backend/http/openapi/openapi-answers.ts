import { PROBLEMS, type ProblemRow } from '../../../contract/problems.ts';
import { problemBody } from '../problem.ts';
import type { HeaderName } from './openapi-parts.ts';

/** An answer of an operation in the document, as far as this folder reads or writes it. */
export interface OperationAnswer {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Record<string, unknown>>;
  'x-problems'?: readonly string[];
}

export type OperationAnswers = Record<string, OperationAnswer>;

export interface OperationFacts {
  readonly method: string;
  readonly isSecured: boolean;
}

const ROWS: readonly (readonly [kind: keyof typeof PROBLEMS, row: ProblemRow])[] = Object.entries(
  PROBLEMS,
).map(([kind, row]) => [kind as keyof typeof PROBLEMS, row]);

/** Problems that only operations with a token have. */
const OF_TOKENS = ['missing-credentials', 'invalid-credentials', 'forbidden-resource', 'missing-permissions'];
/** Problems that only requests with a body have; the body of a GET is ignored. */
const OF_BODIES = ['unsupported-media-type', 'payload-too-large'];
/** Problems that every request can have, whether or not its route declares them. */
const EVERYWHERE = ['method-not-allowed', 'internal-server-error'];

/**
 * Completes the answers of an operation: problems that it cannot have are removed, those that every operation
 * can have are added, each with an example, and every answer gets its headers.
 */
export function completeAnswers(declared: OperationAnswers, facts: OperationFacts): OperationAnswers {
  const isRead = facts.method === 'get';
  const types = new Map<number, string[]>();
  const add = (type: string) => {
    const row = rowOf(type);
    const known = types.get(row.status) ?? [];
    if (!known.includes(type)) types.set(row.status, [...known, type]);
  };
  const excluded = [...(facts.isSecured ? [] : OF_TOKENS), ...(isRead ? OF_BODIES : [])].map(typeOf);
  for (const answer of Object.values(declared))
    for (const type of answer['x-problems'] ?? []) if (!excluded.includes(type)) add(type);
  for (const kind of [...EVERYWHERE, ...(isRead ? [] : OF_BODIES)]) add(typeOf(kind));

  const answers: OperationAnswers = {};
  for (const [status, answer] of Object.entries(declared))
    if (answer['x-problems'] === undefined) answers[status] = answer;
  for (const [status, found] of types) {
    // A route may declare other bodies for a status besides a problem: both are kept.
    const own = answers[status];
    const problems = problemAnswer(found);
    answers[status] =
      own === undefined
        ? problems
        : {
            ...own,
            description: `${own.description} Or: ${problems.description}`,
            content: { ...own.content, ...problems.content },
            'x-problems': found,
          };
  }
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, withHeaders(Number(status), answer, facts)]),
  );
}

function problemAnswer(types: readonly string[]): OperationAnswer {
  const rows = types.map(rowOf);
  const mediaType = rows[0]?.status === 404 ? 'application/json' : 'application/problem+json';
  const examples = Object.fromEntries(
    rows.map(({ kind }) => [kind, { $ref: `#/components/examples/${kind}` }]),
  );
  return {
    description: rows.map(({ title, type }) => `${title} (${type})`).join(' '),
    content: { [mediaType]: { schema: { $ref: '#/components/schemas/Problem' }, examples } },
    'x-problems': types,
  };
}

const EXAMPLE_FLOW_ID = '0f9d6a3e-6d53-4a5b-9c39-2f0f5b7a1d42';

/** An example of each problem, by its kind; its detail is the meaning of the type. */
export function problemExamples(baseUrl: string) {
  const occurrence = { baseUrl, flowId: EXAMPLE_FLOW_ID };
  return Object.fromEntries(
    ROWS.map(([kind, { title, meaning }]) => [
      kind,
      { summary: title, value: problemBody({ problem: kind, detail: meaning }, occurrence) },
    ]),
  );
}

function withHeaders(
  status: number,
  answer: OperationAnswer,
  { isSecured }: OperationFacts,
): OperationAnswer {
  const names: HeaderName[] = ['X-Service-Flow-ID'];
  // They are known once the token has identified the client.
  if (isSecured && ![401, 405, 413, 415].includes(status))
    names.push('X-Rate-Limit-Limit', 'X-Rate-Limit-Remaining', 'X-Rate-Limit-Reset');
  if (isSecured && (status === 401 || status === 403)) names.push('WWW-Authenticate');
  if (status === 405) names.push('Allow');
  if (status === 429) names.push('Retry-After');
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function typeOf(kind: string): string {
  return ROWS.find(([name]) => name === kind)?.[1].type ?? kind;
}

function rowOf(type: string): ProblemRow & { readonly kind: keyof typeof PROBLEMS } {
  const found = ROWS.find(([, row]) => row.type === type);
  if (found === undefined) throw new Error(`The table of problems has no ${type}.`);
  return { ...found[1], kind: found[0] };
}
