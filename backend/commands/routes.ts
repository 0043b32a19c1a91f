import { createRoute, z } from '@hono/zod-openapi';
import { RESET_REASONS } from '../../protocol/codes.ts';
import type { ResetReason, SystemStatus } from '../../protocol/message.ts';
import type { World } from '../../world/world.ts';
import type { App } from '../http/app.ts';
import type { Authorize } from '../http/authorize.ts';
import { documentedProblems, noParameters, vehicleIdParameters } from '../http/documented.ts';
import { refuse } from '../http/environment.ts';
import { refuseBody } from '../http/no-body.ts';
import { problem, type Refusal } from '../http/problem.ts';
import type { VehicleStore } from '../store/vehicle-store.ts';
import { findSeen, hasBox, unknownVehicle } from '../vehicles/own.ts';
import { commandCapabilities } from '../vehicles/vehicle-capabilities.ts';
import { type ModelKnowledge, stateBody } from '../vehicles/view.ts';
import type { Desk, DeskAnswer, MakerDesk } from './desk.ts';
import { type AnswerKind, COMMAND_ENDPOINTS, type CommandEndpoint } from './endpoints.ts';
import {
  firstRefusal,
  GUARD_PROBLEMS,
  GUARDS_AFTER_CONFLICT,
  GUARDS_BEFORE_CONFLICT,
  type GuardContext,
} from './guards.ts';
import { readiness } from './readiness.ts';
import { systemStatusBody } from './system-status.ts';

export interface CommandRoutesParts {
  readonly world: Pick<World, 'time'>;
  readonly store: Pick<VehicleStore, 'find'>;
  readonly models: ModelKnowledge;
  readonly desk: Desk;
  /** Carries the commands of vehicles without a box out. */
  readonly makerDesk: MakerDesk;
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
    const vehicle = await findSeen(store, fleetId, id);
    if (vehicle === undefined) return refuse(c, unknownVehicle(id));
    const nowMs = world.time.nowMs();
    const context: GuardContext = {
      vehicle,
      command: endpoint.command,
      capabilities: commandCapabilities(vehicle, models),
      readiness: readiness(vehicle.box, nowMs),
      callerFleetId: fleetId,
      partnerFleetId: vehicle.sharedWith,
      simProvider: undefined,
      nowMs,
    };
    const refusal = firstRefusal(GUARDS_BEFORE_CONFLICT, endpoint.guards, context);
    if (refusal !== undefined) return refuse(c, refusal);
    const objection = firstRefusal(GUARDS_AFTER_CONFLICT, endpoint.guards, context);
    const order = { flowId: c.get('flowId'), objection };
    const answer = hasBox(vehicle)
      ? await desk.execute({ ...order, vehicle, asked: { command: endpoint.command.name } })
      : await parts.makerDesk.execute({ ...order, vehicle, command: endpoint.command.name });
    const said = bodyOf(answer, endpoint.answer);
    if ('refusal' in said) return refuse(c, said.refusal);
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

const hex = z.string().openapi({ format: 'hex' });
const internal = 'For internal debugging only; may change or be left out in a later release.';
const resetReasons = Object.keys(RESET_REASONS) as [ResetReason, ...ResetReason[]];

const systemStatusSchema = z
  .strictObject({
    real_time_clock: z.iso.datetime(),
    device_up_since: z.iso.datetime(),
    modem_up_since: z.iso.datetime(),
    data_connection_up_since: z.iso.datetime(),
    cpu_time_in_seconds: z.int(),
    board_reset_reason: z.enum(resetReasons),
    cpu_temperature_in_degrees_celsius: z.number(),
    hardware_revision: z.int(),
    pio_port_levels: z.array(hex).openapi({ description: internal }),
    free_heap_in_bytes: z.int().openapi({ description: internal }),
    can_bus_active: z
      .boolean()
      .openapi({ deprecated: true, description: 'Use can_bus_0_active and can_bus_1_active.' }),
    can_bus_0_active: z.boolean().openapi({ description: internal }),
    can_bus_0_error_flags: hex.openapi({ description: internal }),
    can_bus_1_active: z.boolean().openapi({ description: internal }),
    can_bus_1_error_flags: hex.openapi({ description: internal }),
  })
  .openapi('SystemStatus');

const vehicleStateSchema = z
  .record(z.string(), z.strictObject({ timestamp: z.iso.datetime(), value: z.unknown() }))
  .openapi('VehicleState');

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
        ...guards.map((guard) => GUARD_PROBLEMS[guard]),
        'conflicting-command',
        'telematics-unit-error',
        ...(command.family === 'vehicle' ? (['third-party-error'] as const) : []),
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
