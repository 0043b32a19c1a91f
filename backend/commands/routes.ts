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
import { vehicleStateSchema } from '../vehicles/answer-routes.ts';
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
const internal = (says: string) =>
  ({
    description: `${says} For internal debugging only; may change or be left out in a later release.`,
  }) as const;
const resetReasons = Object.keys(RESET_REASONS) as [ResetReason, ...ResetReason[]];
/** The telematics unit has no clock before it has heard of the time. */
const momentOf = (says: string) =>
  z.iso.datetime().describe(`${says} (UTC). 1970-01-01T00:00:00Z: not known, or not since the last start.`);

const systemStatusSchema = z
  .strictObject({
    real_time_clock: momentOf('The clock of the unit').optional(),
    device_up_since: momentOf('When the unit was last started'),
    modem_up_since: momentOf('When its modem was last started'),
    data_connection_up_since: momentOf('When its data connection was last established'),
    cpu_time_in_seconds: z
      .int()
      .optional()
      .openapi({ description: 'How long the CPU was awake since the last start. In s.', 'x-unit': 's' }),
    board_reset_reason: z.enum(resetReasons).optional().describe('Why the unit was last started.'),
    cpu_temperature_in_degrees_celsius: z
      .number()
      .optional()
      .openapi({ description: 'The temperature inside of the CPU. In °C.', 'x-unit': '°C' }),
    hardware_revision: z.int().optional().describe('The revision of the hardware.'),
    pio_port_levels: z.array(hex).openapi(internal('The levels of the ports.')),
    free_heap_in_bytes: z.int().openapi({ ...internal('Free memory. In B.'), 'x-unit': 'B' }),
    can_bus_active: z
      .boolean()
      .optional()
      .openapi({ deprecated: true, description: 'Use can_bus_0_active and can_bus_1_active.' }),
    can_bus_0_active: z.boolean().openapi(internal('Whether there is traffic on CAN bus 0.')),
    can_bus_0_error_flags: hex.optional().openapi(internal('The error flags of CAN bus 0.')),
    can_bus_1_active: z.boolean().optional().openapi(internal('Whether there is traffic on CAN bus 1.')),
    can_bus_1_error_flags: hex.optional().openapi(internal('The error flags of CAN bus 1.')),
  })
  .describe('What the telematics unit tells of itself. Six properties are always there.')
  .openapi('SystemStatus');

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
