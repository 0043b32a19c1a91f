import { z } from '@hono/zod-openapi';
import { PROBLEMS, type ProblemKind } from './problem.ts';

/** The Problem body for the OpenAPI document (service.md 2.3). */
const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int().min(100).max(599),
    detail: z.string(),
    type_documentation: z.url(),
    flow_id: z.uuid(),
  })
  .openapi('Problem');

/** What every endpoint behind a token may answer beside its own problems. */
const ALWAYS: readonly ProblemKind[] = [
  'validation-error',
  'missing-credentials',
  'invalid-credentials',
  'forbidden-resource',
  'missing-permissions',
  'payload-too-large',
  'unsupported-media-type',
  'internal-server-error',
];

interface DocumentedAnswer {
  description: string;
  // Optional only in the type: it lets a handler answer with a plain Response, as `refuse` does.
  content?: Record<string, { schema: typeof problemSchema }>;
}

/** The error answers of a route, for its `responses`: one entry for each status, naming the problems behind it. */
export function documentedProblems(own: readonly ProblemKind[]): Record<string, DocumentedAnswer> {
  const answers: Record<string, DocumentedAnswer> = {};
  for (const kind of new Set([...ALWAYS, ...own])) {
    const { status, type } = PROBLEMS[kind];
    const known = answers[status];
    const mediaType = status === 404 ? 'application/json' : 'application/problem+json';
    answers[status] = {
      description: known === undefined ? type : `${known.description}, ${type}`,
      content: { [mediaType]: { schema: problemSchema } },
    };
  }
  return answers;
}

/** A path's vehicle id. Any text is one: an id of a wrong form is as unknown as any other. */
export const vehicleIdParameters = z.object({
  id: z.string().openapi({ param: { name: 'id', in: 'path' }, example: 'JQ7RP' }),
});

/** For routes without query parameters: any parameter is refused. */
export const noParameters = z.strictObject({});
