import { type CommandGuard, type GuardName, inOrder } from '../../contract/guards.ts';
import { capabilityName } from '../../contract/operation.ts';
import { problem, type Refusal } from '../../contract/problems.ts';
import type { CommandRow } from '../../protocol/commands.ts';
import { isAtLeast } from '../../protocol/firmware.ts';
import { commandLimits } from '../base/limits.ts';
import type { StateProperty, Vehicle, VehicleState } from '../store/port/stored-vehicle.ts';
import type { BoxReadiness } from './readiness.ts';

/** The input of the guards. */
export interface GuardContext {
  readonly vehicle: Pick<Vehicle, 'setupStatus' | 'setupDetail' | 'box' | 'state' | 'maker'>;
  readonly command: Pick<CommandRow, 'name' | 'minimumFirmware'>;
  /** UPPER_SNAKE_CASE, all that the vehicle accepts. */
  readonly capabilities: readonly string[];
  readonly readiness: BoxReadiness;
  readonly callerFleetId: string;
  /** The fleet with which the vehicle is shared, if it is. */
  readonly partnerFleetId: string | undefined;
  /** What the SIM's provider can do, UPPER_SNAKE_CASE; undefined for a command that does not concern it. */
  readonly simProvider: readonly string[] | undefined;
  readonly nowMs: number;
}

type Check = (context: GuardContext) => Refusal | undefined;

/**
 * What each guard of the contract checks. `conflicting-command` is none of them: the store decides it, since any backend may
 * have accepted the other command.
 */
const CHECKS: Readonly<Record<CommandGuard, Check>> = {
  'setup-status': ({ vehicle }) =>
    vehicle.setupStatus === 'SUCCEEDED'
      ? undefined
      : problem('conflicting-setup-status', setupDetailOf(vehicle)),
  'shared-partner-only': ({ partnerFleetId, callerFleetId }) =>
    partnerFleetId === undefined || partnerFleetId === callerFleetId
      ? undefined
      : problem(
          'shared-with-partner',
          'Only the partner with whom the vehicle is shared may use this request.',
        ),
  'shared-owner-only': ({ partnerFleetId, callerFleetId }) =>
    partnerFleetId === undefined || partnerFleetId !== callerFleetId
      ? undefined
      : problem('shared-with-partner', 'Only the owner of the vehicle may use this request.'),
  'command-not-supported': ({ capabilities, command }) =>
    capabilities.includes(capabilityName(command.name))
      ? undefined
      : problem('command-not-supported', `The vehicle has no capability ${capabilityName(command.name)}.`),
  // If the firmware of the box is unknown, the command is sent and the box decides.
  'incompatible-firmware': ({ vehicle, command }) =>
    command.minimumFirmware === undefined ||
    vehicle.box.firmware === undefined ||
    isAtLeast(vehicle.box.firmware, command.minimumFirmware)
      ? undefined
      : problem(
          'incompatible-firmware-version',
          `The command needs firmware ${command.minimumFirmware.join('.')} or higher; the box has ${vehicle.box.firmware.join('.')}.`,
        ),
  'sim-provider': ({ simProvider, command }) =>
    simProvider === undefined || simProvider.includes(capabilityName(command.name))
      ? undefined
      : problem('resource-conflict', `The SIM provider of the vehicle does not support ${command.name}.`),
  'not-ready': ({ vehicle, readiness }) => {
    if (vehicle.setupStatus !== 'SUCCEEDED')
      return problem(
        'conflicting-resource',
        `The telematics unit accepts no commands before it is set up. ${setupDetailOf(vehicle)}`,
      );
    return readiness === 'not-ready'
      ? problem(
          'conflicting-resource',
          'The telematics unit is starting or updating; it accepts no commands yet.',
        )
      : undefined;
  },
  // The maker has newer data of its vehicle than the last state, and refuses the command itself.
  'conflicting-state': ({ vehicle, nowMs }) =>
    vehicle.maker === undefined && isMoving(vehicle.state, nowMs)
      ? problem('conflicting-state', 'The vehicle is moving.')
      : undefined,
  connection: ({ readiness }) =>
    readiness === 'not-connected'
      ? problem('no-connection', 'The vehicle did not connect; nothing was sent to it.')
      : undefined,
};

const IN_ORDER = inOrder(Object.keys(CHECKS) as CommandGuard[]);
const isBeforeConflict = (guard: CommandGuard) =>
  inOrder<GuardName>(['conflicting-command', guard])[0] === guard;

/** The guards before the check for another open command of the vehicle, in the order of refusals. */
export const GUARDS_BEFORE_CONFLICT = IN_ORDER.filter(isBeforeConflict);
/** Those after it. */
export const GUARDS_AFTER_CONFLICT = IN_ORDER.filter((guard) => !isBeforeConflict(guard));

/** The first refusal among the guards that an operation declares. */
export function firstRefusal(
  guards: readonly CommandGuard[],
  declared: readonly GuardName[],
  context: GuardContext,
): Refusal | undefined {
  for (const guard of guards) {
    if (!declared.includes(guard)) continue;
    const refusal = CHECKS[guard](context);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Properties with a speed in km/h, the more reliable one first. */
const SPEEDS = ['speed_in_kph', 'gnss_speed_over_ground_in_kph'] as const;

/**
 * Whether the latest state proves that the vehicle moves at `nowMs`: its newest speed is too high for it to have
 * stopped since, and no later report has the ignition OFF. In all other cases the box decides.
 */
export function isMoving(state: VehicleState, nowMs: number): boolean {
  let newest: StateProperty | undefined;
  for (const name of SPEEDS) {
    const property = state[name];
    if (property === undefined || typeof property.value !== 'number') continue;
    if (newest === undefined || property.timestampMs > newest.timestampMs) newest = property;
  }
  if (newest === undefined || typeof newest.value !== 'number') return false;
  const ignition: StateProperty | undefined = state['ignition'];
  if (ignition?.value === 'OFF' && ignition.timestampMs >= newest.timestampMs) return false;
  const ageS = Math.max(0, nowMs - newest.timestampMs) / 1_000;
  return newest.value - ageS * commandLimits.brakingKphPerS > commandLimits.standingKph;
}

/**
 * The description of a vehicle that is not set up: its status and, after a failed setup, the reason and the remedy.
 * Sentences for a problem's detail.
 */
export function setupDetailOf({
  setupStatus,
  setupDetail,
}: Pick<Vehicle, 'setupStatus' | 'setupDetail'>): string {
  const status = `The vehicle's setup status is ${setupStatus}`;
  if (setupStatus !== 'FAILED') return `${status}.`;
  const reason = setupDetail === '' ? '' : `: ${setupDetail.replace(/\.$/, '')}`;
  return `${status}${reason}. Fix the cause, offboard the vehicle, and onboard it again.`;
}
