import { createRoute, z } from '@hono/zod-openapi';
import type { World } from '../../world/world.ts';
import type { App } from '../http/app.ts';
import type { Authorize } from '../http/authorize.ts';
import { documentedProblems, noParameters, vehicleIdParameters } from '../http/documented.ts';
import { refuse } from '../http/environment.ts';
import { httpLimits } from '../http/limits.ts';
import { pageToken, readPageToken } from '../http/page-token.ts';
import { problem } from '../http/problem.ts';
import type { VehicleStore } from '../store/store.ts';
import { lifeStatus } from './life-status.ts';
import { listVehicles } from './listing.ts';
import { findOwn, unknownVehicle } from './own.ts';
import { FIRST_OPERATION_STATUS, type ModelKnowledge, vehicleDetail, vehicleItem } from './view.ts';

export interface VehicleRoutesParts {
  readonly world: Pick<World, 'time'>;
  readonly store: Pick<VehicleStore, 'find' | 'list'>;
  readonly models: ModelKnowledge;
  readonly authorize: Authorize;
}

const READING = { scope: 'VEHICLES_RO', permission: 'vehicles.ro' } as const;

/** GET /vehicles and GET /vehicles/{id}. */
export function vehicleRoutes(app: App, parts: VehicleRoutesParts): void {
  const { world, store, models } = parts;

  app.openapi({ ...listRoute, middleware: [parts.authorize(READING)] as const }, async (c) => {
    const query = c.req.valid('query');
    const afterId = query.page_token === undefined ? undefined : readPageToken(query.page_token);
    if (query.page_token !== undefined && afterId === undefined)
      return refuse(c, problem('validation-error', 'page_token: must be one that this service handed out.'));
    const nowMs = world.time.nowMs();
    const wanted = query.life_status;
    // All vehicles have the same operation status as long as nothing can change it.
    const hasNone = query.operation_status !== undefined && query.operation_status !== FIRST_OPERATION_STATUS;
    const page = hasNone
      ? { vehicles: [], nextAfterId: undefined }
      : await listVehicles(store, {
          fleetId: c.get('caller').fleetId,
          limit: query.limit ?? httpLimits.pageStandard,
          afterId,
          search: query.q === '' ? undefined : query.q,
          tag: query.tag,
          accepts:
            wanted === undefined
              ? undefined
              : (vehicle) => lifeStatus(vehicle.box, vehicle.createdMs, nowMs).value === wanted,
        });
    const items = page.vehicles.map((vehicle) => vehicleItem(vehicle, models, nowMs));
    const next = page.nextAfterId === undefined ? {} : { next_page_token: pageToken(page.nextAfterId) };
    return c.json({ items, ...next }, 200);
  });

  app.openapi({ ...singleRoute, middleware: [parts.authorize(READING)] as const }, async (c) => {
    const { id } = c.req.valid('param');
    const vehicle = await findOwn(store, c.get('caller').fleetId, id);
    if (vehicle === undefined) return refuse(c, unknownVehicle(id));
    return c.json(vehicleDetail(vehicle, models, world.time.nowMs()), 200);
  });
}

const LIMIT_RULE = `must be a whole number from 1 to ${httpLimits.pageMaximum}`;

const listQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^0*[1-9][0-9]{0,15}$/, LIMIT_RULE)
    .transform((text) => Math.min(Number(text), httpLimits.pageMaximum))
    .optional()
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: httpLimits.pageMaximum,
      default: httpLimits.pageStandard,
    }),
  page_token: z.string().optional(),
  q: z.string().max(httpLimits.searchCharacters).optional(),
  life_status: z.enum(['ONLINE', 'STANDBY', 'OFFLINE']).optional(),
  operation_status: z.enum(['OPERATING', 'GARAGE']).optional(),
  tag: z.string().min(1).max(httpLimits.tagCharacters).optional(),
});

const status = (values: [string, ...string[]]) =>
  z.object({ value: z.enum(values), modified_at: z.iso.datetime().nullable() });

const vehicleSchema = z
  .object({
    id: z.string(),
    fleet_id: z.string(),
    setup_status: z.enum(['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED']),
    life_status: status(['ONLINE', 'STANDBY', 'OFFLINE']),
    operation_status: status(['OPERATING', 'GARAGE']),
    rental_status: status(['IN_RENTAL', 'NOT_IN_RENTAL']),
    master_data: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    custom_fields: z.record(z.string(), z.unknown()),
    tags: z.array(z.string()),
    capabilities: z.object({ commands: z.array(z.string()), vehicle_state: z.array(z.string()) }),
    telematics_unit: z.object({
      id: z.string(),
      brand: z.string(),
      model: z.string(),
      hardware_revision: z.int().nullable(),
      firmware_version: z.string().nullable(),
      installation_variant: z.enum(['OBD', 'HARDWIRED']).nullable(),
    }),
    shared_with: z.string().optional(),
    last_contact_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    modified_at: z.iso.datetime(),
  })
  .openapi('Vehicle');

const listRoute = createRoute({
  method: 'get',
  path: '/vehicles',
  tags: ['Vehicles'],
  summary: "Lists the fleet's vehicles by id, page by page.",
  request: { query: listQuery },
  responses: {
    200: {
      description: 'A page. Without next_page_token it is the last one.',
      content: {
        'application/json': {
          schema: z.object({ items: z.array(vehicleSchema), next_page_token: z.string().optional() }),
        },
      },
    },
    ...documentedProblems([]),
  },
});

const singleRoute = createRoute({
  method: 'get',
  path: '/vehicles/{id}',
  tags: ['Vehicles'],
  summary: 'A vehicle with its latest state.',
  request: { params: vehicleIdParameters, query: noParameters },
  responses: {
    200: {
      description: 'The vehicle.',
      content: {
        'application/json': {
          schema: vehicleSchema.extend({ latest_vehicle_state: z.record(z.string(), z.unknown()) }),
        },
      },
    },
    ...documentedProblems(['resource-not-found']),
  },
});
