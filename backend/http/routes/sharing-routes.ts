import { createRoute, z } from '@hono/zod-openapi';
import { RECORD_OPERATIONS } from '../../../contract/operations.ts';
import { problem, type Refusal } from '../../../contract/problems.ts';
import { refuseBody } from '../../base/body.ts';
import { quote } from '../../base/quoted-text.ts';
import type { Vehicle } from '../../store/port/stored-vehicle.ts';
import type { VehicleChange } from '../../store/port/vehicle-store.ts';
import { changeVehicle } from '../../vehicles/change-vehicle.ts';
import type { App } from '../app.ts';
import { refuse } from '../environment.ts';
import { documentedProblems, noParameters, routeOf, vehicleIdParameters } from '../openapi/documented.ts';
import { answerOwner, vehicleAnswer } from './vehicle-answers.ts';
import type { VehicleRoutesParts } from './vehicle-routes-parts.ts';

/** Any version: sharing has no If-Match. */
const ANY = { kind: 'none' } as const;

/** PUT and DELETE /vehicles/{id}/sharing: the owner's alone. */
export function sharingRoutes(app: App, parts: VehicleRoutesParts): void {
  const { world } = parts;
  const { vehicles } = parts.store;
  const nowMs = () => world.time.nowMs();

  app.openapi(
    { ...shareRoute, middleware: [parts.authorize(RECORD_OPERATIONS.share)] as const },
    async (c) => {
      const { partner_fleet_id: partner } = c.req.valid('json');
      const { fleetId } = c.get('caller');
      if (partner === fleetId)
        return refuse(c, problem('validation-error', 'partner_fleet_id: must not be your own fleet.'));
      // Not checked for existence: the answer would reveal which fleets exist.
      const target = { fleetId, vehicleId: c.req.valid('param').id, condition: ANY };
      const after = await changeVehicle(vehicles, target, (vehicle) => shared(vehicle, partner), nowMs);
      if ('problem' in after) return refuse(c, after);
      return answerOwner(c, parts, after);
    },
  );

  app.openapi(
    { ...endRoute, middleware: [parts.authorize(RECORD_OPERATIONS.unshare)] as const },
    async (c) => {
      const refusedBody = refuseBody(c.get('body'));
      if (refusedBody !== undefined) return refuse(c, refusedBody);
      const target = { fleetId: c.get('caller').fleetId, vehicleId: c.req.valid('param').id, condition: ANY };
      const after = await changeVehicle(vehicles, target, notShared, nowMs);
      return 'problem' in after ? refuse(c, after) : c.body(null, 204);
    },
  );
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
  .strictObject({
    partner_fleet_id: z
      .string()
      .regex(/^[A-Z0-9]{5,12}$/, 'must be 5 to 12 characters of A-Z and 0-9')
      .describe('The id of the other fleet. It is not checked whether that fleet exists.'),
  })
  .describe('The fleet to share the vehicle with.')
  .openapi('Sharing');

const shareRoute = createRoute({
  ...routeOf(RECORD_OPERATIONS.share),
  description: "Until the sharing ends, the partner's clients see the vehicle and may send commands to it.",
  request: {
    params: vehicleIdParameters,
    query: noParameters,
    body: { required: true, content: { 'application/json': { schema: shareBody } } },
  },
  responses: {
    200: vehicleAnswer('The vehicle as it is now.'),
    ...documentedProblems(RECORD_OPERATIONS.share.problems),
  },
});

const endRoute = createRoute({
  ...routeOf(RECORD_OPERATIONS.unshare),
  request: { params: vehicleIdParameters, query: noParameters },
  responses: {
    204: { description: 'The vehicle is not shared any more.' },
    ...documentedProblems(RECORD_OPERATIONS.unshare.problems),
  },
});
