import { PROBLEMS, type Refusal } from '../../contract/problems.ts';

/** What an answer contains about the request that it refuses. */
export interface ProblemOccurrence {
  readonly baseUrl: string;
  readonly flowId: string;
}

/** The body of a Problem (RFC 9457) with what this service adds (docs/api.md, Problems). */
export function problemBody(
  refusal: Refusal,
  { baseUrl, flowId }: ProblemOccurrence,
): Readonly<Record<string, string | number>> {
  const row = PROBLEMS[refusal.problem];
  return {
    type: row.type,
    title: row.title,
    status: row.status,
    detail: refusal.detail,
    type_documentation: `${baseUrl}/docs${row.type}`,
    flow_id: flowId,
  };
}

/** The HTTP answer of a refusal. A 404 is declared as application/json, all others as application/problem+json. */
export function problemResponse(
  refusal: Refusal,
  occurrence: ProblemOccurrence,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { status } = PROBLEMS[refusal.problem];
  const contentType = status === 404 ? 'application/json' : 'application/problem+json';
  return new Response(JSON.stringify(problemBody(refusal, occurrence)), {
    status,
    headers: { ...headers, 'content-type': contentType },
  });
}

/** A failure of something that the service needs: the answer is a 500 with this detail; the message goes to the log only. */
export abstract class PublicError extends Error {
  abstract readonly detail: string;
}
