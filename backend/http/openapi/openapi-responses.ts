import type { OperationAnswer, OperationAnswers } from './openapi-answers.ts';

/**
 * Refusals of the server before the application sees the request, for every operation. The table of problems
 * has no types for these: the status alone identifies them (RFC 9457 section 4.2.1).
 */
export const SOCKET_REFUSALS = {
  RequestTimeout: { status: 408, title: 'Request Timeout', detail: 'The request was sent too slowly.' },
  RequestHeaderFieldsTooLarge: {
    status: 431,
    title: 'Request Header Fields Too Large',
    detail: 'The request line and the headers are too large together.',
  },
} as const;

/** The names of the statuses among the components. */
const NAMES: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  502: 'BadGateway',
  504: 'GatewayTimeout',
};

type Reference = { readonly $ref: string };

/** Problem answers that several operations have, by their name among the components. */
export interface SharedResponses {
  /** The answers of one operation, with references for those among the components. */
  share(answers: OperationAnswers): Record<string, OperationAnswer | Reference>;
  readonly components: Readonly<Record<string, OperationAnswer>>;
}

/**
 * Moves problem answers that several operations have to the components: written out at each operation they
 * are four fifths of the document. Answers of success stay. `all`: the answers of every operation.
 */
export function sharedResponses(all: readonly OperationAnswers[], baseUrl: string): SharedResponses {
  const components: Record<string, OperationAnswer> = Object.fromEntries(
    Object.entries(SOCKET_REFUSALS).map(([name, row]) => [name, socketAnswer(row, baseUrl)]),
  );
  const counts = new Map<string, number>();
  for (const answers of all)
    for (const answer of Object.values(answers)) {
      const text = JSON.stringify(answer);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  const names = new Map<string, string>();
  const nameFor = (status: string, text: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const base = NAMES[status] ?? `Status${status}`;
    let name = base;
    for (let number = 2; components[name] !== undefined; number += 1) name = `${base}${number}`;
    names.set(text, name);
    return name;
  };
  const reference = (name: string): Reference => ({ $ref: `#/components/responses/${name}` });
  return {
    components,
    share(answers) {
      const shared: Record<string, OperationAnswer | Reference> = {};
      for (const [status, answer] of Object.entries(answers)) {
        const text = JSON.stringify(answer);
        const isProblem = answer['x-problems'] !== undefined && (counts.get(text) ?? 0) > 1;
        if (isProblem) {
          const name = nameFor(status, text);
          components[name] = answer;
          shared[status] = reference(name);
        } else shared[status] = answer;
      }
      for (const [name, { status }] of Object.entries(SOCKET_REFUSALS)) shared[status] = reference(name);
      return shared;
    },
  };
}

function socketAnswer(
  { status, title, detail }: (typeof SOCKET_REFUSALS)[keyof typeof SOCKET_REFUSALS],
  baseUrl: string,
): OperationAnswer {
  return {
    description: `${detail} The connection is closed.`,
    headers: { 'X-Service-Flow-ID': { $ref: '#/components/headers/X-Service-Flow-ID' } },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        example: {
          type: 'about:blank',
          title,
          status,
          detail,
          type_documentation: `${baseUrl}/docs`,
          flow_id: '0f9d6a3e-6d53-4a5b-9c39-2f0f5b7a1d42',
        },
      },
    },
  };
}
