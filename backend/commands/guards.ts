import type { CommandRow } from '../../protocol/commands.ts';
import { isAtLeast } from '../../protocol/firmware.ts';
import { type ProblemKind, problem, type Refusal } from '../http/problem.ts';
import type { StateProperty, Vehicle, VehicleState } from '../store/port/stored-vehicle.ts';
import { capabilityName } from '../vehicles/capabilities.ts';
import { commandLimits } from './limits.ts';
import type { BoxReadiness } from './readiness.ts';

/** What the guards look at. */
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

export interface Guard {
  readonly name: string;
  /** Which endpoints declare it, in words; the rows of endpoints.ts name it. */
  readonly appliesTo: string;
  readonly check: (context: GuardContext) => Refusal | undefined;
}

/**
 * The guards before the check for another command of the same vehicle. Their order is the order of refusals: the first
 * that objects wins.
 */
export const GUARDS_BEFORE_CONFLICT = [
  {
    name: 'setup-status',
    appliesTo: 'all but the workshop commands',
    check: ({ vehicle }) =>
      vehicle.setupStatus === 'SUCCEEDED'
        ? undefined
        : problem('conflicting-setup-status', setupDetailOf(vehicle)),
  },
  {
    name: 'shared-partner-only',
    appliesTo: 'resets, switch-mobile-network, network-detach',
    check: ({ partnerFleetId, callerFleetId }) =>
      partnerFleetId === undefined || partnerFleetId === callerFleetId
        ? undefined
        : problem(
            'shared-with-partner',
            'Only the partner with whom the vehicle is shared may use this request.',
          ),
  },
  {
    name: 'shared-owner-only',
    appliesTo: 'SIM activation and suspension',
    check: ({ partnerFleetId, callerFleetId }) =>
      partnerFleetId === undefined || partnerFleetId !== callerFleetId
        ? undefined
        : problem('shared-with-partner', 'Only the owner of the vehicle may use this request.'),
  },
  {
    name: 'command-not-supported',
    appliesTo: 'every command',
    check: ({ capabilities, command }) =>
      capabilities.includes(capabilityName(command.name))
        ? undefined
        : problem('command-not-supported', `The vehicle has no capability ${capabilityName(command.name)}.`),
  },
  {
    name: 'incompatible-firmware',
    appliesTo: 'workshop commands',
    // If the firmware of the box is unknown, the command is sent and the box decides.
    check: ({ vehicle, command }) =>
      command.minimumFirmware === undefined ||
      vehicle.box.firmware === undefined ||
      isAtLeast(vehicle.box.firmware, command.minimumFirmware)
        ? undefined
        : problem(
            'incompatible-firmware-version',
            `The command needs firmware ${command.minimumFirmware.join('.')} or higher; the box has ${vehicle.box.firmware.join('.')}.`,
          ),
  },
  {
    name: 'sim-provider',
    appliesTo: 'network-detach',
    check: ({ simProvider, command }) =>
      simProvider === undefined || simProvider.includes(capabilityName(command.name))
        ? undefined
        : problem('resource-conflict', `The SIM provider of the vehicle does not support ${command.name}.`),
  },
  {
    name: 'not-ready',
    appliesTo: 'every command',
    check: ({ vehicle, readiness }) => {
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
  },
] as const satisfies readonly Guard[];

/** `conflicting-command` comes here: the store decides it, since any backend may have accepted the other command. */

/** The guards after the check for a conflicting command. */
export const GUARDS_AFTER_CONFLICT = [
  {
    name: 'conflicting-state',
    appliesTo: 'commands that lock, unlock or disable driving',
    // The maker has newer data of its vehicle than the last state, and refuses by itself.
    check: ({ vehicle, nowMs }) =>
      vehicle.maker === undefined && isMoving(vehicle.state, nowMs)
        ? problem('conflicting-state', 'The vehicle is moving.')
        : undefined,
  },
  {
    name: 'connection',
    appliesTo: 'every command that a box carries out',
    check: ({ readiness }) =>
      readiness === 'not-connected'
        ? problem('no-connection', 'The vehicle did not connect; nothing was sent to it.')
        : undefined,
  },
] as const satisfies readonly Guard[];

export type GuardName =
  | (typeof GUARDS_BEFORE_CONFLICT)[number]['name']
  | (typeof GUARDS_AFTER_CONFLICT)[number]['name'];

/** The problem that each guard refuses with, for the document. */
export const GUARD_PROBLEMS: Readonly<Record<GuardName, ProblemKind>> = {
  'setup-status': 'conflicting-setup-status',
  'shared-partner-only': 'shared-with-partner',
  'shared-owner-only': 'shared-with-partner',
  'command-not-supported': 'command-not-supported',
  'incompatible-firmware': 'incompatible-firmware-version',
  'sim-provider': 'resource-conflict',
  'not-ready': 'conflicting-resource',
  'conflicting-state': 'conflicting-state',
  connection: 'no-connection',
};

/** The first objection among the guards that a row declares. */
export function firstRefusal(
  guards: readonly Guard[],
  declared: readonly string[],
  context: GuardContext,
): Refusal | undefined {
  for (const guard of guards) {
    if (!declared.includes(guard.name)) continue;
    const refusal = guard.check(context);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Properties with a speed in km/h, the more reliable one first. */
const SPEEDS = ['speed_in_kph', 'gnss_speed_over_ground_in_kph'] as const;

/**
 * Whether the latest state proves that the vehicle moves at `nowMs`: its newest speed is so high that it cannot have
 * come to rest since, and no ignition has been seen OFF. In all other cases the box decides.
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
 * What is said about a vehicle that is not set up: its status and, after a setup that failed, why and what to do.
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
