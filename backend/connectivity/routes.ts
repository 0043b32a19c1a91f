import { createRoute } from '@hono/zod-openapi';
import type { World } from '../../world/world.ts';
import {
  firstRefusal,
  GUARD_PROBLEMS,
  GUARDS_BEFORE_CONFLICT,
  type GuardContext,
  type GuardName,
} from '../commands/guards.ts';
import { boxReadiness } from '../commands/readiness.ts';
import type { App } from '../http/app.ts';
import type { Authorize } from '../http/authorize.ts';
import { refuseBody } from '../http/body.ts';
import { refuse } from '../http/environment.ts';
import { documentedProblems, noParameters, vehicleIdParameters } from '../http/openapi/documented.ts';
import { ToldFailure } from '../http/problem.ts';
import type { SimAction, VehicleStore } from '../store/port/vehicle-store.ts';
import { findVisible, hasBox, unknownVehicle } from '../vehicles/find-vehicle.ts';
import { connectivityCapabilities, simProviderCapabilities } from './capabilities.ts';
import type { Connectivity } from './connectivity.ts';
import { CONNECTIVITY_COMMANDS, type ConnectivityCommandName } from './providers.ts';

export interface ConnectivityRoutesParts {
  readonly world: Pick<World, 'time'>;
  readonly store: Pick<VehicleStore, 'find' | 'simActionDone'>;
  readonly connectivity: Connectivity;
  readonly authorize: Authorize;
}

/** A provider did not do what its interface offers; the rows of these endpoints know no better status than 500. */
class SimProviderFailed extends ToldFailure {
  override readonly name = 'SimProviderFailed';
  /** An answer may be what was lost. */
  readonly detail =
    'The SIM provider of the vehicle does not answer or answers with an error: what was asked for may have been done. Give the flow_id to support.';
}

const CONNECTING = { scope: 'VEHICLE_COMMANDS', permission: 'connectivity-commands' } as const;

interface Row {
  readonly summary: string;
  readonly description: string;
  readonly guards: readonly GuardName[];
  readonly makes: SimAction['made'];
}

const ROWS: Readonly<Record<ConnectivityCommandName, Row>> = {
  'network-detach': {
    summary: "Detaches the vehicle's SIM from the mobile network.",
    description: 'The telematics unit registers again by itself after some seconds.',
    makes: 'detached',
    guards: ['setup-status', 'shared-partner-only', 'command-not-supported', 'sim-provider', 'not-ready'],
  },
  'request-sim-activation': {
    summary: "Activates the vehicle's SIM.",
    description: 'An active SIM stays active.',
    makes: 'active',
    guards: ['setup-status', 'shared-owner-only', 'command-not-supported', 'not-ready'],
  },
  'request-sim-suspension': {
    summary: "Suspends the vehicle's SIM.",
    description:
      'The telematics unit is off the network until the SIM is activated. A suspended SIM stays suspended.',
    makes: 'suspended',
    guards: ['setup-status', 'shared-owner-only', 'command-not-supported', 'not-ready'],
  },
};

/** One route for each connectivity command. They reach the SIM's provider and not the box: an offline one will do. */
export function connectivityRoutes(app: App, parts: ConnectivityRoutesParts): void {
  for (const command of CONNECTIVITY_COMMANDS) connectivityRoute(app, parts, command);
}

function connectivityRoute(app: App, parts: ConnectivityRoutesParts, command: ConnectivityCommandName): void {
  const { world, store, connectivity } = parts;
  app.openapi({ ...routeOf(command), middleware: [parts.authorize(CONNECTING)] as const }, async (c) => {
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
    const refusal = firstRefusal(GUARDS_BEFORE_CONFLICT, ROWS[command].guards, context);
    if (refusal !== undefined) return refuse(c, refusal);
    // Past the guards there is a card whose provider has the command.
    if (vehicle.sim === undefined) throw new Error('a vehicle without a SIM has passed the guards');
    const acted = await connectivity.act(vehicle.sim, command);
    if (!acted.done) throw new SimProviderFailed(acted.cause);
    if (hasBox(vehicle)) {
      const { boxId, box } = vehicle;
      const connection = box.connection?.open === true ? box.connection.counter : undefined;
      await store.simActionDone({ boxId, made: ROWS[command].makes, connection, atMs: world.time.nowMs() });
    }
    return c.body(null, 204);
  });
}

function routeOf(command: ConnectivityCommandName) {
  const { summary, description, guards } = ROWS[command];
  return createRoute({
    method: 'post',
    path: `/vehicles/{id}/box-connectivity-commands/${command}`,
    tags: ['Connectivity Commands'],
    summary,
    description,
    request: { params: vehicleIdParameters, query: noParameters },
    responses: {
      204: { description: 'Carried out.' },
      ...documentedProblems(['resource-not-found', ...guards.map((guard) => GUARD_PROBLEMS[guard])]),
    },
  });
}
