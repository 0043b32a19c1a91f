import { createRoute } from '@hono/zod-openapi';
import type { App } from '../http/app.ts';
import { refuse } from '../http/environment.ts';
import { entityTag } from '../http/etag.ts';
import { httpLimits } from '../http/limits.ts';
import { documentedProblems, noParameters, vehicleIdParameters } from '../http/openapi/documented.ts';
import { pageToken, readPageToken } from '../http/page-token.ts';
import { problem } from '../http/problem.ts';
import { vehicleAnswer } from './answer-routes.ts';
import { changeRoutes } from './change-routes.ts';
import { findVisible, unknownVehicle } from './find-vehicle.ts';
import { vehicleLifeStatus } from './life-status.ts';
import { listRoute } from './list-routes.ts';
import { listVehicles } from './listing.ts';
import { onboardingRoutes } from './onboarding-routes.ts';
import { READING, type VehicleRoutesParts } from './parts.ts';
import { sharingRoutes } from './sharing-routes.ts';
import { vehicleDetail, vehicleItem, visibleTo } from './view.ts';

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

  app.openapi({ ...listRoute, middleware: [parts.authorize(READING)] as const }, async (c) => {
    const query = c.req.valid('query');
    const afterId = query.page_token === undefined ? undefined : readPageToken(query.page_token);
    if (query.page_token !== undefined && afterId === undefined)
      return refuse(c, problem('validation-error', 'page_token: must be one that this service returned.'));
    const nowMs = world.time.nowMs();
    const wanted = query.life_status;
    const page = await listVehicles(store, {
      fleetId: c.get('caller').fleetId,
      limit: query.limit ?? httpLimits.pageStandard,
      afterId,
      search: query.q === '' ? undefined : query.q,
      tag: query.tag,
      operationStatus: query.operation_status,
      accepts:
        wanted === undefined ? undefined : (vehicle) => vehicleLifeStatus(vehicle, nowMs).value === wanted,
    });
    const viewer = c.get('caller').fleetId;
    const items = page.vehicles.map((vehicle) => visibleTo(viewer, vehicleItem(vehicle, models, nowMs)));
    const next = page.nextAfterId === undefined ? {} : { next_page_token: pageToken(page.nextAfterId) };
    return c.json({ items, ...next }, 200);
  });

  app.openapi({ ...singleRoute, middleware: [parts.authorize(READING)] as const }, async (c) => {
    const { id } = c.req.valid('param');
    const viewer = c.get('caller').fleetId;
    const vehicle = await findVisible(store, viewer, id);
    if (vehicle === undefined) return refuse(c, unknownVehicle(id));
    const body = visibleTo(viewer, vehicleDetail(vehicle, models, world.time.nowMs()));
    return c.json(body, 200, { ETag: entityTag(vehicle.revision) });
  });
}

const singleRoute = createRoute({
  method: 'get',
  path: '/vehicles/{id}',
  tags: ['Vehicles'],
  summary: 'A vehicle with its latest state.',
  request: { params: vehicleIdParameters, query: noParameters },
  responses: {
    200: vehicleAnswer('The vehicle. Its ETag is for If-Match: reports do not change it.'),
    ...documentedProblems(['resource-not-found']),
  },
});
