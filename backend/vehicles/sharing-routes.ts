import { createRoute, z } from '@hono/zod-openapi';
import type { App } from '../http/app.ts';
import { documentedProblems, noParameters, vehicleIdParameters } from '../http/documented.ts';
import { refuse } from '../http/environment.ts';
import { entityTag } from '../http/etag.ts';
import { refuseBody } from '../http/no-body.ts';
import { problem, type Refusal } from '../http/problem.ts';
import { quote } from '../http/quote.ts';
import type { VehicleChange } from '../store/onboarding.ts';
import type { Vehicle } from '../store/vehicle-store.ts';
import { vehicleAnswer } from './answer-routes.ts';
import { changeDecided } from './change-decided.ts';
import { CHANGING, type VehicleRoutesParts } from './parts.ts';
import { vehicleDetail } from './view.ts';

/** Whatever version: sharing has no If-Match. */
const ANY = { kind: 'none' } as const;

/** PUT and DELETE /vehicles/{id}/sharing: the owner's alone. */
export function sharingRoutes(app: App, parts: VehicleRoutesParts): void {
  const { world, models } = parts;
  const { vehicles, access } = parts.store;
  const nowMs = () => world.time.nowMs();

  app.openapi({ ...shareRoute, middleware: [parts.authorize(CHANGING)] as const }, async (c) => {
    const { partner_fleet_id: partner } = c.req.valid('json');
    const { fleetId } = c.get('caller');
    const rule = partner === fleetId ? 'must be another fleet than the own one' : 'there is no such fleet';
    if (partner === fleetId || (await access.findFleet(partner)) === undefined)
      return refuse(c, problem('validation-error', `partner_fleet_id: ${rule}.`));
    const target = { fleetId, vehicleId: c.req.valid('param').id, condition: ANY };
    const after = await changeDecided(vehicles, target, (vehicle) => shared(vehicle, partner), nowMs);
    if ('problem' in after) return refuse(c, after);
    return c.json(vehicleDetail(after, models, nowMs()), 200, { ETag: entityTag(after.revision) });
  });

  app.openapi({ ...endRoute, middleware: [parts.authorize(CHANGING)] as const }, async (c) => {
    const refusedBody = refuseBody(c.get('body'));
    if (refusedBody !== undefined) return refuse(c, refusedBody);
    const target = { fleetId: c.get('caller').fleetId, vehicleId: c.req.valid('param').id, condition: ANY };
    const after = await changeDecided(vehicles, target, notShared, nowMs);
    return 'problem' in after ? refuse(c, after) : c.body(null, 204);
  });
}

function shared(vehicle: Vehicle, partner: string): VehicleChange | Refusal | undefined {
  if (vehicle.sharedWith === partner) return undefined;
  return vehicle.sharedWith === undefined
    ? { sharedWith: partner }
    : problem(
        'conflicting-resource',
        `The vehicle is shared with fleet ${quote(vehicle.sharedWith)}. End that sharing first.`,
      );
}

function notShared(vehicle: Vehicle): VehicleChange | Refusal {
  return vehicle.sharedWith === undefined
    ? problem('conflicting-resource', 'The vehicle is not shared with anybody.')
    : { sharedWith: null };
}

const shareBody = z
  .strictObject({ partner_fleet_id: z.string().describe('The id of the other fleet.') })
  .describe('With whom the vehicle is to be shared.')
  .openapi('Sharing');

const shareRoute = createRoute({
  method: 'put',
  path: '/vehicles/{id}/sharing',
  tags: ['Vehicles'],
  summary: 'Shares a vehicle with another fleet.',
  description: "Until the sharing ends, the partner's clients see the vehicle and may send commands to it.",
  request: {
    params: vehicleIdParameters,
    query: noParameters,
    body: { required: true, content: { 'application/json': { schema: shareBody } } },
  },
  responses: {
    200: vehicleAnswer('The vehicle as it is now.'),
    ...documentedProblems(['resource-not-found', 'conflicting-resource']),
  },
});

const endRoute = createRoute({
  method: 'delete',
  path: '/vehicles/{id}/sharing',
  tags: ['Vehicles'],
  summary: 'Ends the sharing of a vehicle.',
  request: { params: vehicleIdParameters, query: noParameters },
  responses: {
    204: { description: "The vehicle is its owner's alone again." },
    ...documentedProblems(['resource-not-found', 'conflicting-resource']),
  },
});
