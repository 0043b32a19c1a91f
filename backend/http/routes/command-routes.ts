import { createRoute, z } from '@hono/zod-openapi';
import {
  COMMAND_OPERATIONS,
  type CommandAnswerKind,
  type CommandOperation,
} from '../../../contract/command-operations.ts';
import { RESET_REASONS } from '../../../protocol/codes.ts';
import type { ResetReason } from '../../../protocol/message.ts';
import { type CommandParts, handleCommand } from '../../commands/handle-command.ts';
import type { App } from '../app.ts';
import type { Authorize } from '../authorize.ts';
import { refuse } from '../environment.ts';
import { documentedProblems, noParameters, routeOf, vehicleIdParameters } from '../openapi/documented.ts';
import { vehicleStateSchema } from './vehicle-answers.ts';

export interface CommandRoutesParts extends CommandParts {
  readonly authorize: Authorize;
}

/** One route for each command of the contract. */
export function commandRoutes(app: App, parts: CommandRoutesParts): void {
  for (const operation of COMMAND_OPERATIONS) commandRoute(app, parts, operation);
}

function commandRoute(app: App, parts: CommandRoutesParts, operation: CommandOperation): void {
  app.openapi({ ...documentOf(operation), middleware: [parts.authorize(operation)] as const }, async (c) => {
    const said = await handleCommand(parts, operation, {
      body: c.get('body'),
      vehicleId: c.req.valid('param').id,
      fleetId: c.get('caller').fleetId,
      flowId: c.get('flowId'),
    });
    if ('refusal' in said) return refuse(c, said.refusal);
    return said.body === undefined ? c.body(null, 204) : c.json(said.body, 200);
  });
}

const hex = z.string().openapi({ format: 'hex' });
const internal = (description: string) =>
  ({
    description: `${description} For internal debugging only; may change or be removed in a later release.`,
  }) as const;
const resetReasons = Object.keys(RESET_REASONS) as [ResetReason, ...ResetReason[]];
/** The telematics unit has no valid clock before it has received the time. */
const momentOf = (description: string) =>
  z.iso
    .datetime()
    .describe(`${description} (UTC). 1970-01-01T00:00:00Z: not known, or not since the last start.`);

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
      .openapi({ description: 'The temperature inside the CPU. In °C.', 'x-unit': '°C' }),
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
  .describe('The system status that the telematics unit reports. Six properties are always present.')
  .openapi('SystemStatus');

function documentOf(operation: CommandOperation) {
  return createRoute({
    ...routeOf(operation),
    request: { params: vehicleIdParameters, query: noParameters },
    responses: { ...successOf(operation.answer), ...documentedProblems(operation.problems) },
  });
}

function successOf(answer: CommandAnswerKind) {
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
          description: 'Carried out; the vehicle state from the report that followed.',
          content: { 'application/json': { schema: vehicleStateSchema } },
        },
      };
    default:
      return answer satisfies never;
  }
}
