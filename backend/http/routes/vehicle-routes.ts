import { createRoute, z } from '@hono/zod-openapi';
import { LIMITS } from '../../../contract/limits.ts';
import { RECORD_OPERATIONS } from '../../../contract/operations.ts';
import { problem } from '../../../contract/problems.ts';
import { hasEntityTag, representationTag } from '../../base/etag.ts';
import { vehicleLifeStatus } from '../../store/port/life-status.ts';
import { findVisible, unknownVehicle } from '../../vehicles/find-vehicle.ts';
import { listVehicles } from '../../vehicles/listing.ts';
import { vehicleDetailText, vehicleItemText } from '../../vehicles/view.ts';
import type { App } from '../app.ts';
import { refuse } from '../environment.ts';
import { documentedProblems, noParameters, routeOf, vehicleIdParameters } from '../openapi/documented.ts';
import { pageToken, readPageToken } from '../page-token.ts';
import { onboardingRoutes } from './onboarding-routes.ts';
import { sharingRoutes } from './sharing-routes.ts';
import { etagHeader, ifNoneMatchHeader, jsonAnswer, vehicleAnswer } from './vehicle-answers.ts';
import { changeRoutes } from './vehicle-change-routes.ts';
import { listRoute } from './vehicle-list-routes.ts';
import type { VehicleRoutesParts } from './vehicle-routes-parts.ts';

/** Everything below /vehicles that is about the vehicles themselves. */
export function vehicleRoutes(app: App, parts: VehicleRoutesParts): void {
  readingRoutes(app, parts);
  onboardingRoutes(app, parts);
  changeRoutes(app, parts);
  sharingRoutes(app, parts);
}

/** GET /vehicles and GET /vehicles/{id}: of the own vehicles and of those that another fleet shares with the caller's. */
function readingRoutes(app: App, parts: VehicleRoutesParts): void {
  const { world, models } = parts;
  const store = parts.store.vehicles;

  app.openapi({ ...listRoute, middleware: [parts.authorize(RECORD_OPERATIONS.list)] as const }, async (c) => {
    const query = c.req.valid('query');
    const afterId = query.page_token === undefined ? undefined : readPageToken(query.page_token);
    if (query.page_token !== undefined && afterId === undefined)
      return refuse(c, problem('validation-error', 'page_token: must be one that this service returned.'));
    const nowMs = world.time.nowMs();
    const wanted = query.life_status;
    const page = await listVehicles(store, {
      fleetId: c.get('caller').fleetId,
      limit: query.limit ?? LIMITS.page.standard,
      afterId,
      search: query.q === '' ? undefined : query.q,
      tag: query.tag,
      operationStatus: query.operation_status,
      accepts:
        wanted === undefined ? undefined : (vehicle) => vehicleLifeStatus(vehicle, nowMs).value === wanted,
    });
    const viewing = { viewer: c.get('caller').fleetId, models, nowMs };
    const items = page.vehicles.map((vehicle) => vehicleItemText(vehicle, viewing));
    return jsonAnswer(c, pageBytes(items, page.nextAfterId));
  });

  // Documented with its header, which may be any text: only what can be wrong is validated.
  app.openAPIRegistry.registerPath(singleRoute);
  const { headers: _, ...validated } = singleRoute.request;
  app.openapi(
    {
      ...singleRoute,
      request: validated,
      hide: true,
      middleware: [parts.authorize(RECORD_OPERATIONS.read)] as const,
    },
    async (c) => {
      const { id } = c.req.valid('param');
      const viewer = c.get('caller').fleetId;
      const vehicle = await findVisible(store, viewer, id);
      if (vehicle === undefined) return refuse(c, unknownVehicle(id));
      const body = vehicleDetailText(vehicle, { viewer, models, nowMs: world.time.nowMs() });
      const headers = { ETag: representationTag(vehicle.revision, body, world.crypto) };
      if (hasEntityTag(c.req.header('if-none-match'), headers.ETag)) return c.body(null, 304, headers);
      return jsonAnswer(c, body, 200, headers);
    },
  );
}

/** A page as JSON. It is joined and encoded once: with each further copy of a large text it would cost a tenth more. */
function pageBytes(items: readonly string[], nextAfterId: string | undefined): Uint8Array<ArrayBuffer> {
  const next =
    nextAfterId === undefined ? '' : `,"next_page_token":${JSON.stringify(pageToken(nextAfterId))}`;
  const [first = '', ...others] = items;
  const parts = [`{"items":[${first}`, ...others];
  parts.push(`${parts.pop() ?? ''}]${next}}`);
  return Buffer.from(parts.join());
}

const singleRoute = createRoute({
  ...routeOf(RECORD_OPERATIONS.read),
  request: { params: vehicleIdParameters, query: noParameters, headers: ifNoneMatchHeader },
  responses: {
    200: vehicleAnswer('The vehicle.'),
    304: {
      description: 'If-None-Match names the ETag of the answer: nothing in it has changed.',
      headers: z.object({ ETag: etagHeader }),
    },
    ...documentedProblems(RECORD_OPERATIONS.read.problems),
  },
});
