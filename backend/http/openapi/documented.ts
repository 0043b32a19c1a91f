import { z } from '@hono/zod-openapi';
import { COMMON_PROBLEMS, type Operation } from '../../../contract/operation.ts';
import { PROBLEMS, type ProblemKind } from '../../../contract/problems.ts';

/** The Problem body for the OpenAPI document. */
const problemSchema = z
  .object({
    type: z.string().openapi({
      format: 'uri-reference',
      default: 'about:blank',
      description:
        'Identifies the type of problem within this API; about:blank: the status code explains it.',
    }),
    title: z.string().openapi({ description: 'A title for the type; always the same for one type.' }),
    status: z.int().min(100).max(599).openapi({ format: 'int32', description: 'The HTTP status code.' }),
    detail: z.string().openapi({ description: 'What happened in this case.' }),
    type_documentation: z.url().optional().openapi({ description: 'The address of a page about the type.' }),
    flow_id: z.uuid().optional().openapi({ description: 'The id of the flow. Give it to support.' }),
  })
  .describe('Why a request was refused or failed (RFC 9457).')
  .openapi('Problem');

/** Method, path and summary of an operation, for its route. */
export function routeOf({ method, path, tag, summary }: Operation) {
  return { method: method.toLowerCase() as Lowercase<Operation['method']>, path, tags: [tag], summary };
}

export interface DocumentedAnswer {
  description: string;
  // Optional only in the type: it lets a handler answer with a plain Response, as `refuse` does.
  content?: Record<string, { schema: typeof problemSchema }>;
  /** The types of the problems behind this status, for programs; the description has them for people. */
  'x-problems': string[];
}

/** By status. The 500 is named because every endpoint has it. */
interface DocumentedAnswers {
  500: DocumentedAnswer;
  [status: string]: DocumentedAnswer;
}

/** The error answers of a route, for its `responses`: one entry for each status, naming the problems behind it. */
export function documentedProblems(own: readonly ProblemKind[]): DocumentedAnswers {
  const answers: DocumentedAnswers = { 500: documented('internal-server-error') };
  for (const kind of new Set([...COMMON_PROBLEMS, ...own])) {
    const { status, type } = PROBLEMS[kind];
    const known: DocumentedAnswer | undefined = answers[status];
    answers[status] =
      known === undefined
        ? documented(kind)
        : {
            ...known,
            description: `${known.description}, ${type}`,
            'x-problems': [...known['x-problems'], type],
          };
  }
  return answers;
}

function documented(kind: ProblemKind): DocumentedAnswer {
  const { status, type } = PROBLEMS[kind];
  const mediaType = status === 404 ? 'application/json' : 'application/problem+json';
  return {
    description: type,
    content: { [mediaType]: { schema: problemSchema } },
    'x-problems': [type],
  };
}

/** A path's vehicle id. Any text is one: an id of a wrong form is as unknown as any other. */
export const vehicleIdParameters = z.object({
  id: z
    .string()
    .openapi({ param: { name: 'id', in: 'path' }, description: 'The id of the vehicle.', example: 'JQ7RP' }),
});

/** For routes without query parameters: any parameter is refused. */
export const noParameters = z.strictObject({});
