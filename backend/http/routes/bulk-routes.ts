import { createRoute, z } from '@hono/zod-openapi';
import { LIMITS } from '../../../contract/limits.ts';
import { BULK_PATH } from '../../../contract/operation.ts';
import { RECORD_OPERATIONS } from '../../../contract/operations.ts';
import { PROBLEMS, problem } from '../../../contract/problems.ts';
import type { World } from '../../../world/world.ts';
import { dateTime } from '../../base/date-time.ts';
import { bulkLimits } from '../../base/limits.ts';
import { quote } from '../../base/quoted-text.ts';
import { documentedBulkRequest, readBulkRequest } from '../../configuration/bulk-request.ts';
import type { BulkItem, BulkJob, BulkStore } from '../../store/port/bulk-store.ts';
import type { App } from '../app.ts';
import type { Authorize } from '../authorize.ts';
import { refuse } from '../environment.ts';
import { documentedProblems, routeOf } from '../openapi/documented.ts';
import { pageToken, readPageToken } from '../page-token.ts';

export interface BulkRoutesParts {
  readonly world: Pick<World, 'time' | 'ids'>;
  readonly store: Pick<BulkStore, 'create' | 'find' | 'items'>;
  /** A job was written. */
  readonly created: () => void;
  readonly authorize: Authorize;
}

const CAPACITY = { jobs: LIMITS.bulk.fleetJobs, vehicles: LIMITS.bulk.fleetVehicles } as const;
const FULL = problem(
  'too-many-requests',
  `The fleet has reached its limit of bulk jobs in progress: ${CAPACITY.jobs} jobs, ${CAPACITY.vehicles} vehicles in all.`,
);

/** POST and GET of bulk configuration. */
export function bulkRoutes(app: App, parts: BulkRoutesParts): void {
  const { world, store } = parts;

  // The body is read here and not by the library, which reads without a limit; the document describes it nevertheless.
  app.openAPIRegistry.registerPath(documentedCreation);
  app.openapi(
    { ...creation, hide: true, middleware: [parts.authorize(RECORD_OPERATIONS.bulk)] as const },
    async (c) => {
      const request = readBulkRequest(c.get('body').bytes);
      if ('problem' in request) return refuse(c, request);
      const createdMs = world.time.nowMs();
      const { vehicleIds, features } = request;
      const job = {
        id: world.ids.ulid(),
        fleetId: c.get('caller').fleetId,
        flowId: c.get('flowId'),
        features,
        createdMs,
        expiresMs: createdMs + LIMITS.bulk.jobMs,
      };
      const created = await store.create({ ...job, vehicleIds }, CAPACITY);
      if (created === 'full') return refuse(c, FULL, { 'Retry-After': String(bulkLimits.fullRetryS) });
      parts.created();
      const total = vehicleIds.length;
      const counts = { total, pending: total, applied: 0, failed: 0 };
      c.header('Location', `${c.get('baseUrl')}${BULK_PATH}/${job.id}`);
      return c.json(jobBody({ ...job, counts, hasBegun: false }), 201);
    },
  );

  app.openapi(
    { ...single, middleware: [parts.authorize(RECORD_OPERATIONS['read-bulk'])] as const },
    async (c) => {
      const { job_id: jobId } = c.req.valid('param');
      const { limit = LIMITS.page.standard, page_token: token } = c.req.valid('query');
      const afterPosition = token === undefined ? -1 : readPosition(token);
      if (afterPosition === undefined)
        return refuse(c, problem('validation-error', 'page_token: must be one that this service returned.'));
      const job = await store.find(jobId);
      const isKept = job !== undefined && world.time.nowMs() < job.createdMs + LIMITS.bulk.keptMs;
      if (!isKept || job.fleetId !== c.get('caller').fleetId)
        return refuse(c, problem('resource-not-found', `There is no job with the id ${quote(jobId)}.`));
      const found = await store.items({ jobId, afterPosition, limit: limit + 1 });
      const items = found.slice(0, limit);
      const last = found.length > limit ? items.at(-1) : undefined;
      const next = last === undefined ? {} : { next_page_token: pageToken(String(last.position)) };
      return c.json({ ...jobBody(job), items: items.map(itemBody), ...next }, 200);
    },
  );
}

/** The position after which a page begins; undefined if it is not a page token of a job. */
function readPosition(token: string): number | undefined {
  const text = readPageToken(token);
  return text !== undefined && /^(0|[1-9][0-9]{0,6})$/.test(text) ? Number(text) : undefined;
}

const jobFields = {
  id: z.string().describe('The id of the job, a ULID.'),
  status: z
    .enum(['PENDING', 'RUNNING', 'COMPLETED'])
    .describe('PENDING: nothing has been tried yet. COMPLETED: every vehicle has its result.'),
  created_at: z.iso.datetime().describe('When the job was created (UTC).'),
  expires_at: z.iso.datetime().describe('When the vehicles that are still pending fail (UTC).'),
  counts: z
    .strictObject({
      total: z.int().describe('All vehicles of the job.'),
      pending: z.int().describe('Those that have no result yet.'),
      applied: z.int().describe('Those that have the configuration.'),
      failed: z.int().describe('Those that could not be configured.'),
    })
    .describe('The number of vehicles by status.'),
};

const itemSchema = z.strictObject({
  id: z.string().describe('The id of the vehicle, as in the request.'),
  status: z.enum(['PENDING', 'APPLIED', 'FAILED']).describe('The status of the vehicle in this job.'),
  reason: z
    .strictObject({
      type: z.string().describe('The type of the problem.'),
      title: z.string().describe('A title for the type.'),
      detail: z.string().describe('What happened with this vehicle.'),
    })
    .optional()
    .describe('Why it failed, or why the last attempt failed.'),
  attempts: z.int().describe('How many attempts were made.'),
  last_attempt_at: z.iso.datetime().optional().describe('When the last attempt was made (UTC).'),
});

const creation = createRoute({
  ...routeOf(RECORD_OPERATIONS.bulk),
  request: { query: z.strictObject({}) },
  responses: {
    201: {
      description: 'The job, before its first attempt.',
      headers: z.object({ Location: z.string().openapi({ description: 'The address of the job.' }) }),
      content: {
        'application/json': {
          schema: z.strictObject(jobFields).describe('A job, without its vehicles.').openapi('BulkJob'),
        },
      },
    },
    ...documentedProblems(RECORD_OPERATIONS.bulk.problems),
  },
});

const documentedCreation = {
  ...creation,
  request: {
    ...creation.request,
    body: {
      required: true,
      // A copy: a schema that was created before the library was loaded cannot be named in the document.
      content: { 'application/json': { schema: documentedBulkRequest.clone().openapi('BulkRequest') } },
    },
  },
};

const LIMIT_RULE = `must be a whole number from 1 to ${LIMITS.page.maximum}`;

const single = createRoute({
  ...routeOf(RECORD_OPERATIONS['read-bulk']),
  request: {
    params: z.object({
      job_id: z
        .string()
        .openapi({ param: { name: 'job_id', in: 'path' }, description: 'The id of the job.' }),
    }),
    query: z.strictObject({
      limit: z
        .string()
        .regex(/^0*[1-9][0-9]{0,15}$/, LIMIT_RULE)
        .transform((text) => Math.min(Number(text), LIMITS.page.maximum))
        .optional()
        .openapi({
          type: 'integer',
          minimum: 1,
          maximum: LIMITS.page.maximum,
          default: LIMITS.page.standard,
          description: `The maximum number of vehicles on a page; more than ${LIMITS.page.maximum} counts as that many.`,
        }),
      page_token: z
        .string()
        .optional()
        .describe('The next_page_token of the previous page; absent: the first page.'),
    }),
  },
  responses: {
    200: {
      description: 'The job with a page of its vehicles in the order of the request.',
      content: {
        'application/json': {
          schema: z
            .strictObject({
              ...jobFields,
              items: z.array(itemSchema).describe('Vehicles in the order of the request.'),
              next_page_token: z
                .string()
                .optional()
                .describe('The page_token of the next page; absent: this is the last page.'),
            })
            .describe('A job with a page of its vehicles.')
            .openapi('BulkJobPage'),
        },
      },
    },
    ...documentedProblems(RECORD_OPERATIONS['read-bulk'].problems),
  },
});

/** A job as a caller sees it, without its vehicles. */
function jobBody(job: BulkJob) {
  const { total, pending, applied, failed } = job.counts;
  return {
    id: job.id,
    status:
      pending === 0 ? ('COMPLETED' as const) : job.hasBegun ? ('RUNNING' as const) : ('PENDING' as const),
    created_at: dateTime(job.createdMs),
    expires_at: dateTime(job.expiresMs),
    counts: { total, pending, applied, failed },
  };
}

const STATUS = { pending: 'PENDING', applied: 'APPLIED', failed: 'FAILED' } as const;

/** One vehicle of a job. */
function itemBody({ vehicleId, status, reason, attempts, lastAttemptMs }: BulkItem) {
  return {
    id: vehicleId,
    status: STATUS[status],
    ...(reason === undefined
      ? {}
      : {
          reason: {
            type: PROBLEMS[reason.problem].type,
            title: PROBLEMS[reason.problem].title,
            detail: reason.detail,
          },
        }),
    attempts,
    ...(lastAttemptMs === undefined ? {} : { last_attempt_at: dateTime(lastAttemptMs) }),
  };
}
