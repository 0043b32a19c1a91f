import { createRoute, z } from '@hono/zod-openapi';
import type { App } from '../http/app.ts';
import { refuseBody } from '../http/body.ts';
import { refuse } from '../http/environment.ts';
import { entityTag } from '../http/etag.ts';
import { documentedProblems, noParameters, vehicleIdParameters } from '../http/openapi/documented.ts';
import { problem, type Refusal } from '../http/problem.ts';
import { quote } from '../http/quoted-text.ts';
import type { Vehicle } from '../store/port/stored-vehicle.ts';
import type { VehicleChange } from '../store/port/vehicle-store.ts';
import { vehicleAnswer } from './answer-routes.ts';
import { changeVehicle } from './change-vehicle.ts';
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
    const rule = partner === fleetId ? 'must not be your own fleet' : 'there is no such fleet';
    if (partner === fleetId || (await access.findFleet(partner)) === undefined)
      return refuse(c, problem('validation-error', `partner_fleet_id: ${rule}.`));
    const target = { fleetId, vehicleId: c.req.valid('param').id, condition: ANY };
    const after = await changeVehicle(vehicles, target, (vehicle) => shared(vehicle, partner), nowMs);
    if ('problem' in after) return refuse(c, after);
    return c.json(vehicleDetail(after, models, nowMs()), 200, { ETag: entityTag(after.revision) });
  });

  app.openapi({ ...endRoute, middleware: [parts.authorize(CHANGING)] as const }, async (c) => {
    const refusedBody = refuseBody(c.get('body'));
    if (refusedBody !== undefined) return refuse(c, refusedBody);
    const target = { fleetId: c.get('caller').fleetId, vehicleId: c.req.valid('param').id, condition: ANY };
    const after = await changeVehicle(vehicles, target, notShared, nowMs);
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
  .describe('The fleet to share the vehicle with.')
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
    204: { description: 'The vehicle is not shared any more.' },
    ...documentedProblems(['resource-not-found', 'conflicting-resource']),
  },
});
