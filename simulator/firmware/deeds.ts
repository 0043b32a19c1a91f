import { COMMANDS, type CommandName } from '../../protocol/commands.ts';
import type { Actuation } from '../vehicle/senses.ts';
import type { Errand } from './state.ts';

/** How a command is carried out. */
export type Deed =
  | { readonly do: 'tell-status' }
  | { readonly do: 'tell-state' }
  | { readonly do: 'reset-bluetooth' }
  | { readonly do: 'set-workshop'; readonly isOn: boolean }
  /** Takes the link down: the reply goes first. */
  | { readonly do: 'errand'; readonly what: Errand['what'] }
  | { readonly do: 'begin-setup' }
  /** All of them, in this order, or none. `standing`: never while the vehicle moves. */
  | { readonly do: 'actuate'; readonly actuations: readonly Actuation[]; readonly standing: boolean };

const lock: Actuation = { set: 'locked', to: true };
const unlock: Actuation = { set: 'locked', to: false };
const enable: Actuation = { set: 'drivingEnabled', to: true };
const disable: Actuation = { set: 'drivingEnabled', to: false };

/** One row for each command. */
export const DEEDS: Readonly<Record<CommandName, Deed>> = {
  'request-system-status': { do: 'tell-status' },
  'ble-reset': { do: 'reset-bluetooth' },
  'board-reset': { do: 'errand', what: 'board-reset' },
  'modem-reset': { do: 'errand', what: 'modem-reset' },
  'data-connection-reset': { do: 'errand', what: 'data-connection-reset' },
  'switch-mobile-network': { do: 'errand', what: 'switch-mobile-network' },
  'activate-workshop-mode': { do: 'set-workshop', isOn: true },
  'deactivate-workshop-mode': { do: 'set-workshop', isOn: false },
  'begin-setup': { do: 'begin-setup' },
  'request-vehicle-state': { do: 'tell-state' },
  'enable-driving': move(enable),
  'disable-driving': moveStanding(disable),
  'unlock-central-lock': moveStanding(unlock),
  'lock-central-lock': moveStanding(lock),
  'unlock-and-enable-driving': moveStanding(unlock, enable),
  // A vehicle that somebody can still get into must not be one that drives no more.
  'lock-and-disable-driving': moveStanding(lock, disable),
  'unlock-top-case': moveStanding({ set: 'topCaseLocked', to: false }),
  'lock-top-case': moveStanding({ set: 'topCaseLocked', to: true }),
  'draw-attention': move({ set: 'attention', to: true }),
  'unlock-battery-compartment': moveStanding({ set: 'compartmentLocked', to: false }),
};

function move(...actuations: readonly Actuation[]): Deed {
  return { do: 'actuate', actuations, standing: false };
}

function moveStanding(...actuations: readonly Actuation[]): Deed {
  return { do: 'actuate', actuations, standing: true };
}

export function codeOf(name: CommandName): number {
  return COMMANDS.find((row) => row.name === name)?.code ?? 0;
}

/** The deed of a code, or undefined where no command has it. */
export function deedOfCode(code: number): Deed | undefined {
  const row = COMMANDS.find((one) => one.code === code);
  return row === undefined ? undefined : DEEDS[row.name];
}
