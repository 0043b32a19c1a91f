import type { CommandAnswerKind, CommandOperation } from '../../contract/command-operations.ts';
import { problem, type Refusal } from '../../contract/problems.ts';
import type { SystemStatus } from '../../protocol/message.ts';
import type { World } from '../../world/world.ts';
import { type Body, refuseBody } from '../base/body.ts';
import { dateTime } from '../base/date-time.ts';
import type { VehicleStore } from '../store/port/vehicle-store.ts';
import type { ModelKnowledge } from '../vehicles/capabilities.ts';
import { findVisible, hasBox, offboardedMeanwhile, unknownVehicle } from '../vehicles/find-vehicle.ts';
import { commandCapabilities } from '../vehicles/vehicle-capabilities.ts';
import { stateBody } from '../vehicles/view.ts';
import type { CommandAnswer, CommandDispatcher, MakerCommands } from './command-dispatcher.ts';
import { firstRefusal, GUARDS_AFTER_CONFLICT, GUARDS_BEFORE_CONFLICT, type GuardContext } from './guards.ts';
import { boxReadiness } from './readiness.ts';

export interface CommandParts {
  readonly world: Pick<World, 'time'>;
  readonly store: Pick<VehicleStore, 'find'>;
  readonly models: ModelKnowledge;
  readonly dispatcher: CommandDispatcher;
  /** Carries out the commands of vehicles without a box. */
  readonly makerCommands: MakerCommands;
}

/** One call of a command endpoint, by a caller that may send commands. */
export interface CommandRequest {
  readonly body: Body;
  readonly vehicleId: string;
  /** The caller's. */
  readonly fleetId: string;
  readonly flowId: string;
}

/** The answer to the caller: a body, a success without one, or a refusal. */
export type CommandResponse =
  | { readonly body: Readonly<Record<string, unknown>> | undefined }
  | { readonly refusal: Refusal };

/**
 * A command's way from a call of the API to the vehicle, and back with its outcome. Its stages, in order:
 *
 * 1. token: who calls, and may they send commands (backend/http/authorize.ts, before this function)
 * 2. request: no body, and a vehicle that the caller can see (backend/vehicles/find-vehicle.ts)
 * 3. guards: reasons to refuse the command, from known data; the first one wins (guards.ts)
 * 4. conflict: another command of the vehicle that is still open (command-dispatcher.ts)
 * 5. objection: reasons that rank after a conflict, so the dispatcher returns them (guards.ts)
 * 6. open: the command is stored as its vehicle's only open one (command-dispatcher.ts)
 * 7. send: the request goes to the MQTT broker as a frame (command-dispatcher.ts)
 * 8. wait: until ingest has committed a reply, or the command expires (pending-replies.ts)
 * 9. outcome: what the store has of it, as a problem or a success (outcomes.ts)
 * 10. answer: the body of that success; a vehicle that was offboarded meanwhile is answered as missing
 *
 * A vehicle without a box goes from 3 to its maker's cloud (backend/third-party/maker-commands.ts). Rejects if the
 * store fails.
 */
export async function handleCommand(
  { world, store, models, dispatcher, makerCommands }: CommandParts,
  operation: CommandOperation,
  { body, vehicleId, fleetId, flowId }: CommandRequest,
): Promise<CommandResponse> {
  const refusedBody = refuseBody(body);
  if (refusedBody !== undefined) return { refusal: refusedBody };
  const vehicle = await findVisible(store, fleetId, vehicleId);
  if (vehicle === undefined) return { refusal: unknownVehicle(vehicleId) };
  const nowMs = world.time.nowMs();
  const context: GuardContext = {
    vehicle,
    command: operation.command,
    capabilities: commandCapabilities(vehicle, models),
    readiness: boxReadiness(vehicle.box, nowMs),
    callerFleetId: fleetId,
    partnerFleetId: vehicle.sharedWith,
    simProvider: undefined,
    nowMs,
  };
  const refusal = firstRefusal(GUARDS_BEFORE_CONFLICT, operation.guards, context);
  if (refusal !== undefined) return { refusal };
  const objection = firstRefusal(GUARDS_AFTER_CONFLICT, operation.guards, context);
  const order = { flowId, objection };
  const answer = hasBox(vehicle)
    ? await dispatcher.execute({ ...order, vehicle, request: { command: operation.command.name } })
    : await makerCommands.execute({ ...order, vehicle, command: operation.command.name });
  if (answer.done && answer.state !== undefined) return bodyOf(answer, operation.answer);
  const outcome = answer.done ? 'The command was carried out.' : answer.refusal.detail;
  const offboarded = await offboardedMeanwhile(store, vehicle, outcome);
  return offboarded === undefined ? bodyOf(answer, operation.answer) : { refusal: offboarded };
}

/** The caller's answer from the dispatcher's. */
function bodyOf(answer: CommandAnswer, kind: CommandAnswerKind): CommandResponse {
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

function statusOf(status: SystemStatus | undefined): CommandResponse {
  return status === undefined
    ? { refusal: problem('telematics-unit-error', 'The telematics unit answered without a system status.') }
    : { body: systemStatusBody(status) };
}

/**
 * The body of request-system-status: these fifteen properties only (docs/api.md, Box commands). A clock that
 * is not set, or a connection that has not been up since boot, is 0 in the frame and 1970-01-01T00:00:00Z
 * here.
 */
function systemStatusBody(status: SystemStatus): Readonly<Record<string, unknown>> {
  return {
    real_time_clock: dateTime(status.realTimeClockMs),
    device_up_since: dateTime(status.deviceUpSinceMs),
    modem_up_since: dateTime(status.modemUpSinceMs),
    data_connection_up_since: dateTime(status.dataConnectionUpSinceMs),
    cpu_time_in_seconds: status.cpuTimeS,
    board_reset_reason: status.resetReason,
    cpu_temperature_in_degrees_celsius: status.cpuTemperatureDeciC / 10,
    hardware_revision: status.hardwareRevision,
    pio_port_levels: status.pioPortLevels.map(hexBytes),
    free_heap_in_bytes: status.freeHeapBytes,
    // Deprecated in favour of the next two.
    can_bus_active: status.canBus0Active || status.canBus1Active,
    can_bus_0_active: status.canBus0Active,
    can_bus_0_error_flags: hexBytes(status.canBus0ErrorFlags),
    can_bus_1_active: status.canBus1Active,
    can_bus_1_error_flags: hexBytes(status.canBus1ErrorFlags),
  };
}

/** Whole bytes in lower case: 10 is `0a`, 4095 is `0fff`. */
function hexBytes(value: number): string {
  const digits = value.toString(16);
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}
