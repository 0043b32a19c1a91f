import type { CommandRow } from '../../protocol/commands.ts';
import { isAtLeast } from '../../protocol/firmware.ts';
import { type ProblemKind, problem, type Refusal } from '../http/problem.ts';
import type { Vehicle } from '../store/vehicle-store.ts';
import { capabilityName } from '../vehicles/capabilities.ts';
import { isMoving } from './motion.ts';
import type { Readiness } from './readiness.ts';
import { setupDetailOf } from './setup-detail.ts';

/** What the guards look at. */
export interface GuardContext {
  readonly vehicle: Pick<Vehicle, 'setupStatus' | 'setupDetail' | 'box' | 'state' | 'maker'>;
  readonly command: Pick<CommandRow, 'name' | 'minimumFirmware'>;
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
        return problem(
          'conflicting-resource',
          `The telematics unit takes no commands before it is set up. ${setupDetailOf(vehicle)}`,
        );
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
    // A maker knows its vehicle better than what was last read from it, and refuses by itself.
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
