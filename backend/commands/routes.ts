import { createRoute, z } from '@hono/zod-openapi';
import type { SystemStatus } from '../../protocol/message.ts';
import type { World } from '../../world/world.ts';
import type { App } from '../http/app.ts';
import type { Authorize } from '../http/authorize.ts';
import { documentedProblems, noParameters, vehicleIdParameters } from '../http/documented.ts';
import { refuse } from '../http/environment.ts';
import { refuseBody } from '../http/no-body.ts';
import { PROBLEMS, type ProblemKind, problem, type Refusal } from '../http/problem.ts';
import type { VehicleStore } from '../store/store.ts';
import { findOwn, unknownVehicle } from '../vehicles/own.ts';
import { type ModelKnowledge, stateBody } from '../vehicles/view.ts';
import type { Desk, DeskAnswer } from './desk.ts';
import { type AnswerKind, COMMAND_ENDPOINTS, type CommandEndpoint } from './endpoints.ts';
import {
  firstRefusal,
  GUARDS_AFTER_CONFLICT,
  GUARDS_BEFORE_CONFLICT,
  type GuardContext,
  type GuardName,
} from './guards.ts';
import { readiness } from './readiness.ts';
import { systemStatusBody } from './system-status.ts';

export interface CommandRoutesParts {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly store: Pick<VehicleStore, 'find'>;
  readonly models: ModelKnowledge;
  readonly desk: Desk;
  readonly authorize: Authorize;
}

const COMMANDING = { scope: 'VEHICLE_COMMANDS', permission: 'vehicle-commands' } as const;

/** One route for each row of commands/endpoints.ts. */
export function commandRoutes(app: App, parts: CommandRoutesParts): void {
  for (const endpoint of COMMAND_ENDPOINTS) commandRoute(app, parts, endpoint);
}

function commandRoute(app: App, parts: CommandRoutesParts, endpoint: CommandEndpoint): void {
  const { world, store, models, desk } = parts;
  app.openapi({ ...routeOf(endpoint), middleware: [parts.authorize(COMMANDING)] as const }, async (c) => {
    const refusedBody = refuseBody(c.get('body'));
    if (refusedBody !== undefined) return refuse(c, refusedBody);
    const { id } = c.req.valid('param');
    const { fleetId } = c.get('caller');
    const vehicle = await findOwn(store, fleetId, id);
    if (vehicle === undefined) return refuse(c, unknownVehicle(id));
    const nowMs = world.time.nowMs();
    const context: GuardContext = {
      vehicle,
      command: endpoint.command,
      capabilities: models.commandCapabilitiesOf(vehicle.model),
      readiness: readiness(vehicle.box, nowMs),
      callerFleetId: fleetId,
      partnerFleetId: undefined,
      simProvider: undefined,
      nowMs,
    };
    const refusal = firstRefusal(GUARDS_BEFORE_CONFLICT, endpoint.guards, context);
    if (refusal !== undefined) return refuse(c, refusal);
    const answer = await desk.execute({
      vehicle,
      command: endpoint.command,
      flowId: c.get('flowId'),
      objection: firstRefusal(GUARDS_AFTER_CONFLICT, endpoint.guards, context),
    });
    const said = bodyOf(answer, endpoint.answer);
    if ('refusal' in said) {
      if (PROBLEMS[said.refusal.problem].status === 500)
        world.log.error(
          {
            flowId: c.get('flowId'),
            vehicleId: id,
            command: endpoint.command.name,
            error: said.refusal.detail,
          },
          'a telematics unit failed to carry a command out',
        );
      return refuse(c, said.refusal);
    }
    return said.body === undefined ? c.body(null, 204) : c.json(said.body, 200);
  });
}

type Said = { readonly body: Readonly<Record<string, unknown>> | undefined } | { readonly refusal: Refusal };

/** What the caller is told of a desk's answer. */
function bodyOf(answer: DeskAnswer, kind: AnswerKind): Said {
  if (!answer.done) return { refusal: answer.refusal };
  switch (kind) {
    case 'nothing':
      return { body: undefined };
    case 'system-status':
      return statusOf(answer.status);
    case 'vehicle-state':
      return { body: stateBody(answer.state ?? {}) };
    default:
      return kind satisfies never;
  }
}

function statusOf(status: SystemStatus | undefined): Said {
  return status === undefined
    ? { refusal: problem('telematics-unit-error', 'The telematics unit answered without a system status.') }
    : { body: systemStatusBody(status) };
}

const systemStatusSchema = z
  .object({
    real_time_clock: z.iso.datetime(),
    device_up_since: z.iso.datetime(),
    modem_up_since: z.iso.datetime(),
    data_connection_up_since: z.iso.datetime(),
    cpu_time_in_seconds: z.int(),
    board_reset_reason: z.string(),
    cpu_temperature_in_degrees_celsius: z.number(),
    hardware_revision: z.int(),
    pio_port_levels: z.array(z.string()),
    free_heap_in_bytes: z.int(),
    can_bus_active: z.boolean().openapi({ deprecated: true }),
    can_bus_0_active: z.boolean(),
    can_bus_0_error_flags: z.string(),
    can_bus_1_active: z.boolean(),
    can_bus_1_error_flags: z.string(),
  })
  .openapi('SystemStatus');

const vehicleStateSchema = z
  .record(z.string(), z.object({ timestamp: z.iso.datetime(), value: z.unknown() }))
  .openapi('VehicleState');

/** The problem that each guard refuses with, for the document. */
const PROBLEM_OF: Readonly<Record<GuardName, ProblemKind>> = {
  'setup-status': 'conflicting-setup-status',
  'shared-partner-only': 'shared-with-partner',
  'command-not-supported': 'command-not-supported',
  'incompatible-firmware': 'incompatible-firmware-version',
  'sim-provider': 'resource-conflict',
  'not-ready': 'conflicting-resource',
  'conflicting-state': 'conflicting-state',
  connection: 'no-connection',
};

function routeOf({ path, summary, guards, answer, command }: CommandEndpoint) {
  return createRoute({
    method: 'post',
    path,
    tags: [command.family === 'box' ? 'Commands' : 'Vehicle Commands'],
    summary,
    request: { params: vehicleIdParameters, query: noParameters },
    responses: {
      ...successOf(answer),
      ...documentedProblems([
        'resource-not-found',
        ...guards.map((guard) => PROBLEM_OF[guard]),
        'conflicting-command',
        'telematics-unit-error',
      ]),
    },
  });
}

function successOf(answer: AnswerKind) {
  switch (answer) {
    case 'nothing':
      return { 204: { description: 'Carried out.' } };
    case 'system-status':
      return {
        200: { description: 'The status.', content: { 'application/json': { schema: systemStatusSchema } } },
      };
    case 'vehicle-state':
      return {
        200: {
          description: 'Carried out; what this report of the vehicle says.',
          content: { 'application/json': { schema: vehicleStateSchema } },
        },
      };
    default:
      return answer satisfies never;
  }
}
