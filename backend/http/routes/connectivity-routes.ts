import { createRoute } from '@hono/zod-openapi';
import { CONNECTIVITY_OPERATIONS, type ConnectivityOperation } from '../../../contract/command-operations.ts';
import type { ConnectivityCommandName } from '../../../contract/sim-providers.ts';
import type { World } from '../../../world/world.ts';
import { refuseBody } from '../../base/body.ts';
import { firstRefusal, GUARDS_BEFORE_CONFLICT, type GuardContext } from '../../commands/guards.ts';
import { boxReadiness } from '../../commands/readiness.ts';
import type { Connectivity } from '../../connectivity/connectivity.ts';
import type { SimAction, VehicleStore } from '../../store/port/vehicle-store.ts';
import { findVisible, hasBox, unknownVehicle } from '../../vehicles/find-vehicle.ts';
import { connectivityCapabilities, simProviderCapabilities } from '../../vehicles/sim-providers.ts';
import type { App } from '../app.ts';
import type { Authorize } from '../authorize.ts';
import { refuse } from '../environment.ts';
import { documentedProblems, noParameters, routeOf, vehicleIdParameters } from '../openapi/documented.ts';
import { PublicError } from '../problem.ts';

export interface ConnectivityRoutesParts {
  readonly world: Pick<World, 'time'>;
  readonly store: Pick<VehicleStore, 'find' | 'simActionDone'>;
  readonly connectivity: Connectivity;
  readonly authorize: Authorize;
}

/** A provider failed; the rows of these endpoints have no better status than 500. */
class SimProviderFailed extends PublicError {
  override readonly name = 'SimProviderFailed';
  /** Only the answer may be lost. */
  readonly detail =
    'The SIM provider of the vehicle does not answer or answers with an error: what was asked for may have been done. Give the flow_id to support.';
}

/** The state of the SIM after each command. */
const MAKES: Readonly<Record<ConnectivityCommandName, SimAction['made']>> = {
  'network-detach': 'detached',
  'request-sim-activation': 'active',
  'request-sim-suspension': 'suspended',
};

/** What the summary of a command leaves out, for the OpenAPI document. */
const DESCRIPTIONS: Readonly<Record<ConnectivityCommandName, string>> = {
  'network-detach': 'The telematics unit registers again by itself after some seconds.',
  'request-sim-activation': 'An active SIM stays active.',
  'request-sim-suspension':
    'The telematics unit is off the network until the SIM is activated. A suspended SIM stays suspended.',
};

/** One route for each connectivity command. They reach the SIM's provider and not the box, which may be offline. */
export function connectivityRoutes(app: App, parts: ConnectivityRoutesParts): void {
  for (const operation of CONNECTIVITY_OPERATIONS) connectivityRoute(app, parts, operation);
}

function connectivityRoute(app: App, parts: ConnectivityRoutesParts, operation: ConnectivityOperation): void {
  const { name: command, guards } = operation;
  const { world, store, connectivity } = parts;
  app.openapi({ ...documentOf(operation), middleware: [parts.authorize(operation)] as const }, async (c) => {
    const refusedBody = refuseBody(c.get('body'));
    if (refusedBody !== undefined) return refuse(c, refusedBody);
    const { id } = c.req.valid('param');
    const { fleetId } = c.get('caller');
    const vehicle = await findVisible(store, fleetId, id);
    if (vehicle === undefined) return refuse(c, unknownVehicle(id));
    const nowMs = world.time.nowMs();
    const context: GuardContext = {
      vehicle,
      command: { name: command },
      capabilities: connectivityCapabilities(vehicle),
      readiness: boxReadiness(vehicle.box, nowMs),
      callerFleetId: fleetId,
      partnerFleetId: vehicle.sharedWith,
      simProvider: simProviderCapabilities(vehicle),
      nowMs,
    };
    const refusal = firstRefusal(GUARDS_BEFORE_CONFLICT, guards, context);
    if (refusal !== undefined) return refuse(c, refusal);
    // The guards ensure a card whose provider has the command.
    if (vehicle.sim === undefined) throw new Error('a vehicle without a SIM has passed the guards');
    const acted = await connectivity.act(vehicle.sim, command);
    if (!acted.done) throw new SimProviderFailed(acted.cause);
    if (hasBox(vehicle)) {
      const { boxId, box } = vehicle;
      const connection = box.connection?.open === true ? box.connection.counter : undefined;
      await store.simActionDone({ boxId, made: MAKES[command], connection, atMs: world.time.nowMs() });
    }
    return c.body(null, 204);
  });
}

function documentOf(operation: ConnectivityOperation) {
  return createRoute({
    ...routeOf(operation),
    description: DESCRIPTIONS[operation.name],
    request: { params: vehicleIdParameters, query: noParameters },
    responses: { 204: { description: 'Carried out.' }, ...documentedProblems(operation.problems) },
  });
}
