import { createRoute, z } from '@hono/zod-openapi';
import type { World } from '../../world/world.ts';
import type { App } from '../http/app.ts';
import type { Authorize } from '../http/authorize.ts';
import { documentedProblems } from '../http/documented.ts';
import { refuse } from '../http/environment.ts';
import { pageToken, readPageToken } from '../http/page-token.ts';
import { problem } from '../http/problem.ts';
import { quote } from '../http/quote.ts';
import type { BulkStore } from '../store/bulk-store.ts';
import { bulkLimits } from './bulk-limits.ts';
import { documentedBulkRequest, readBulkRequest } from './bulk-request.ts';
import { itemBody, jobBody } from './bulk-view.ts';

export interface BulkRoutesParts {
  readonly world: Pick<World, 'time' | 'mint'>;
  readonly store: Pick<BulkStore, 'create' | 'find' | 'items'>;
  /** A job was written. */
  readonly created: () => void;
  readonly authorize: Authorize;
}

export const BULK_PATH = '/configure-vehicle-telematics-unit-bulk';
const CONFIGURING = { scope: 'VEHICLE_CONFIGURATION', permission: 'vehicle-configuration' } as const;
const ROOM = { jobs: bulkLimits.fleetJobs, vehicles: bulkLimits.fleetVehicles } as const;
const FULL = problem(
  'too-many-requests',
  `The fleet has as many bulk jobs under way as it may: ${ROOM.jobs} jobs, ${ROOM.vehicles} vehicles in all.`,
);
const READING = { scope: 'VEHICLE_CONFIGURATION_RO', permission: 'vehicle-configuration.ro' } as const;

/** POST and GET of bulk configuration. */
export function bulkRoutes(app: App, parts: BulkRoutesParts): void {
  const { world, store } = parts;

  // The body is read here and not by the library, whose reading knows no bounds; the document has it all the same.
  app.openAPIRegistry.registerPath(documentedCreation);
  app.openapi({ ...creation, hide: true, middleware: [parts.authorize(CONFIGURING)] as const }, async (c) => {
    const request = readBulkRequest(c.get('body').bytes);
    if ('problem' in request) return refuse(c, request);
    const createdMs = world.time.nowMs();
    const { vehicleIds, features } = request;
    const job = {
      id: world.mint.ulid(),
      fleetId: c.get('caller').fleetId,
      flowId: c.get('flowId'),
      features,
      createdMs,
      expiresMs: createdMs + bulkLimits.jobMs,
    };
    const created = await store.create({ ...job, vehicleIds }, ROOM);
    if (created === 'full') return refuse(c, FULL, { 'Retry-After': String(bulkLimits.fullRetryS) });
    parts.created();
    const total = vehicleIds.length;
    const counts = { total, pending: total, applied: 0, failed: 0 };
    c.header('Location', `${c.get('baseUrl')}${BULK_PATH}/${job.id}`);
    return c.json(jobBody({ ...job, counts, hasBegun: false }), 201);
  });

  app.openapi({ ...single, middleware: [parts.authorize(READING)] as const }, async (c) => {
    const { job_id: jobId } = c.req.valid('param');
    const { limit = bulkLimits.pageStandard, page_token: token } = c.req.valid('query');
    const afterPosition = token === undefined ? -1 : readPosition(token);
    if (afterPosition === undefined)
      return refuse(c, problem('validation-error', 'page_token: must be one that this service handed out.'));
    const job = await store.find(jobId);
    const isKept = job !== undefined && world.time.nowMs() < job.createdMs + bulkLimits.keptMs;
    if (!isKept || job.fleetId !== c.get('caller').fleetId)
      return refuse(c, problem('resource-not-found', `There is no job with the id ${quote(jobId)}.`));
    const found = await store.items({ jobId, afterPosition, limit: limit + 1 });
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    const next = last === undefined ? {} : { next_page_token: pageToken(String(last.position)) };
    return c.json({ ...jobBody(job), items: items.map(itemBody), ...next }, 200);
  });
}

/** The place behind which a page begins; undefined where it is no token of a job's page. */
function readPosition(token: string): number | undefined {
  const text = readPageToken(token);
  return text !== undefined && /^(0|[1-9][0-9]{0,6})$/.test(text) ? Number(text) : undefined;
}

const jobFields = {
  id: z.string().describe('The id of the job, a ULID.'),
  status: z
    .enum(['PENDING', 'RUNNING', 'COMPLETED'])
    .describe('PENDING: nothing has been tried yet. COMPLETED: every vehicle has its result.'),
  created_at: z.iso.datetime().describe('When the job was made (UTC).'),
  expires_at: z.iso.datetime().describe('When what is still pending fails (UTC).'),
  counts: z
    .strictObject({
      total: z.int().describe('All vehicles of the job.'),
      pending: z.int().describe('Those that have no result yet.'),
      applied: z.int().describe('Those that have the configuration.'),
      failed: z.int().describe('Those that do not get it.'),
    })
    .describe('How many vehicles have got how far.'),
};

const itemSchema = z.strictObject({
  id: z.string().describe('The id of the vehicle, as the request had it.'),
  status: z.enum(['PENDING', 'APPLIED', 'FAILED']).describe('How far the vehicle has got.'),
  reason: z
    .strictObject({
      type: z.string().describe('The type of the problem.'),
      title: z.string().describe('The type in words.'),
      detail: z.string().describe('What happened with this vehicle.'),
    })
    .optional()
    .describe('Why it failed, or why the last attempt came to nothing.'),
  attempts: z.int().describe('How often it was tried.'),
  last_attempt_at: z.iso.datetime().optional().describe('When it was last tried (UTC).'),
});

const creation = createRoute({
  method: 'post',
  path: BULK_PATH,
  tags: ['Feature Configuration'],
  summary: 'Configures features of up to 10,000 vehicles, each as soon as it can be reached within 12 h.',
  request: { query: z.strictObject({}) },
  responses: {
    201: {
      description: 'The job, of which nothing is done yet.',
      headers: z.object({ Location: z.string().openapi({ description: 'Where the job can be read.' }) }),
      content: {
        'application/json': {
          schema: z.strictObject(jobFields).describe('A job, without its vehicles.').openapi('BulkJob'),
        },
      },
    },
    ...documentedProblems([]),
  },
});

const documentedCreation = {
  ...creation,
  request: {
    ...creation.request,
    body: {
      required: true,
      // A copy: a schema of before the library was loaded cannot be named in the document.
      content: { 'application/json': { schema: documentedBulkRequest.clone().openapi('BulkRequest') } },
    },
  },
};

const LIMIT_RULE = `must be a whole number from 1 to ${bulkLimits.pageMaximum}`;

const single = createRoute({
  method: 'get',
  path: `${BULK_PATH}/{job_id}`,
  tags: ['Feature Configuration'],
  summary: 'A bulk configuration job and what became of its vehicles, page by page.',
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
        .transform((text) => Math.min(Number(text), bulkLimits.pageMaximum))
        .optional()
        .openapi({
          type: 'integer',
          minimum: 1,
          maximum: bulkLimits.pageMaximum,
          default: bulkLimits.pageStandard,
          description: `How many vehicles a page has at most; more than ${bulkLimits.pageMaximum} counts as that many.`,
        }),
      page_token: z
        .string()
        .optional()
        .describe('The next_page_token of the page before; absent: the first page.'),
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
                .describe('Leads to the next page; absent: this is the last one.'),
            })
            .describe('A job with a page of its vehicles.')
            .openapi('BulkJobPage'),
        },
      },
    },
    ...documentedProblems(['resource-not-found']),
  },
});
