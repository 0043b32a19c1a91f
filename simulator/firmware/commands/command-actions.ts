import { COMMANDS, type CommandName } from '../../../protocol/commands.ts';
import type { Actuation } from '../../vehicle/sensing/vehicle-ports.ts';
import type { PendingTask } from './command-state.ts';

/** How a command is carried out. */
export type CommandAction =
  | { readonly do: 'report-status' }
  | { readonly do: 'report-state' }
  | { readonly do: 'reset-bluetooth' }
  | { readonly do: 'set-workshop'; readonly isOn: boolean }
  /** Closes the connection: the reply is sent first. */
  | { readonly do: 'pending-task'; readonly what: PendingTask['what'] }
  | { readonly do: 'begin-setup' }
  /** All of them, in this order, or none. `requiresStandstill`: never while the vehicle moves. */
  | {
      readonly do: 'actuate';
      readonly actuations: readonly Actuation[];
      readonly requiresStandstill: boolean;
    };

const lock: Actuation = { set: 'locked', to: true };
const unlock: Actuation = { set: 'locked', to: false };
const enable: Actuation = { set: 'drivingEnabled', to: true };
const disable: Actuation = { set: 'drivingEnabled', to: false };

/** One row for each command. */
export const COMMAND_ACTIONS: Readonly<Record<CommandName, CommandAction>> = {
  'request-system-status': { do: 'report-status' },
  'ble-reset': { do: 'reset-bluetooth' },
  'board-reset': { do: 'pending-task', what: 'board-reset' },
  'modem-reset': { do: 'pending-task', what: 'modem-reset' },
  'data-connection-reset': { do: 'pending-task', what: 'data-connection-reset' },
  'switch-mobile-network': { do: 'pending-task', what: 'switch-mobile-network' },
  'activate-workshop-mode': { do: 'set-workshop', isOn: true },
  'deactivate-workshop-mode': { do: 'set-workshop', isOn: false },
  'begin-setup': { do: 'begin-setup' },
  'request-vehicle-state': { do: 'report-state' },
  'enable-driving': move(enable),
  'disable-driving': actuateWhenStationary(disable),
  'unlock-central-lock': actuateWhenStationary(unlock),
  'lock-central-lock': actuateWhenStationary(lock),
  'unlock-and-enable-driving': actuateWhenStationary(unlock, enable),
  // A vehicle that can still be entered must not have driving disabled.
  'lock-and-disable-driving': actuateWhenStationary(lock, disable),
  'unlock-top-case': actuateWhenStationary({ set: 'topCaseLocked', to: false }),
  'lock-top-case': actuateWhenStationary({ set: 'topCaseLocked', to: true }),
  'draw-attention': move({ set: 'attention', to: true }),
  'unlock-battery-compartment': actuateWhenStationary({ set: 'compartmentLocked', to: false }),
};

function move(...actuations: readonly Actuation[]): CommandAction {
  return { do: 'actuate', actuations, requiresStandstill: false };
}

function actuateWhenStationary(...actuations: readonly Actuation[]): CommandAction {
  return { do: 'actuate', actuations, requiresStandstill: true };
}

export function codeOf(name: CommandName): number {
  return COMMANDS.find((row) => row.name === name)?.code ?? 0;
}

/** The action of a command code; undefined: no command has this code. */
export function commandActionOfCode(code: number): CommandAction | undefined {
  const row = COMMANDS.find((one) => one.code === code);
  return row === undefined ? undefined : COMMAND_ACTIONS[row.name];
}
