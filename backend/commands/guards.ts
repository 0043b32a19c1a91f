import type { CommandRow } from '../../protocol/commands.ts';
import { problem, type Refusal } from '../http/problem.ts';
import type { Vehicle } from '../store/store.ts';
import { capabilityName } from '../vehicles/capabilities.ts';
import { isMoving } from './motion.ts';
import type { Readiness } from './readiness.ts';

/** What the guards look at. */
export interface GuardContext {
  readonly vehicle: Pick<Vehicle, 'setupStatus' | 'box' | 'state'>;
  readonly command: CommandRow;
  /** UPPER_SNAKE_CASE, all that the vehicle takes. */
  readonly capabilities: readonly string[];
  readonly readiness: Readiness;
  readonly callerFleetId: string;
  /** The fleet with which the vehicle is shared, where it is. */
  readonly partnerFleetId: string | undefined;
  /** What the SIM's provider can do, UPPER_SNAKE_CASE; undefined for a command that does not concern it. */
  readonly simProvider: readonly string[] | undefined;
  readonly nowMs: number;
}

export interface Guard {
  readonly name: string;
  /** Which endpoints declare it, in words; the rows of commands/endpoints.ts name it. */
  readonly appliesTo: string;
  readonly check: (context: GuardContext) => Refusal | undefined;
}

/**
 * What may stand against a command before another command of the same vehicle counts. The order is the order of
 * refusals: the first that objects wins.
 */
export const GUARDS_BEFORE_CONFLICT = [
  {
    name: 'setup-status',
    appliesTo: 'all but the workshop commands',
    check: ({ vehicle }) =>
      vehicle.setupStatus === 'SUCCEEDED'
        ? undefined
        : problem('conflicting-setup-status', `The vehicle's setup status is ${vehicle.setupStatus}.`),
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
    // A box that never told its firmware is asked: it answers for itself.
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
        : problem('resource-conflict', `The SIM provider of the vehicle has no ${command.name}.`),
  },
  {
    name: 'not-ready',
    appliesTo: 'every command',
    check: ({ vehicle, readiness }) => {
      if (vehicle.setupStatus !== 'SUCCEEDED')
        return problem('conflicting-resource', 'The telematics unit is being set up.');
      return readiness === 'not-ready'
        ? problem(
            'conflicting-resource',
            'The telematics unit is starting or updating; it takes no commands yet.',
          )
        : undefined;
    },
  },
] as const satisfies readonly Guard[];

/** Here stands `conflicting-command`: the store decides it, since any backend may have taken the other command. */

/** What ranks behind a conflicting command. */
export const GUARDS_AFTER_CONFLICT = [
  {
    name: 'conflicting-state',
    appliesTo: 'commands that lock, unlock or disable driving',
    check: ({ vehicle, nowMs }) =>
      isMoving(vehicle.state, nowMs) ? problem('conflicting-state', 'The vehicle is moving.') : undefined,
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

function isAtLeast(has: readonly [number, number], needs: readonly [number, number]): boolean {
  return has[0] > needs[0] || (has[0] === needs[0] && has[1] >= needs[1]);
}
