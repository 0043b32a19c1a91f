import type { BluetoothAction } from '../../../protocol/bluetooth.ts';
import type { CommandName } from '../../../protocol/commands.ts';

const LOCK = ['locked', true] as const;
const UNLOCK = ['locked', false] as const;
const ENABLE = ['drivingEnabled', true] as const;
const DISABLE = ['drivingEnabled', false] as const;

/** The parts that each command moves, and their state afterwards: docs/api.md, Vehicle commands. */
const MOVES: Readonly<Record<CommandName, readonly (readonly [part: string, to: boolean])[]>> = {
  'request-system-status': [],
  'ble-reset': [],
  'board-reset': [],
  'modem-reset': [],
  'data-connection-reset': [],
  'switch-mobile-network': [],
  'activate-workshop-mode': [],
  'deactivate-workshop-mode': [],
  'begin-setup': [],
  'request-vehicle-state': [],
  'lock-central-lock': [LOCK],
  'unlock-central-lock': [UNLOCK],
  'enable-driving': [ENABLE],
  'disable-driving': [DISABLE],
  'unlock-and-enable-driving': [UNLOCK, ENABLE],
  'lock-and-disable-driving': [LOCK, DISABLE],
  'lock-top-case': [['topCaseLocked', true]],
  'unlock-top-case': [['topCaseLocked', false]],
  'unlock-battery-compartment': [['compartmentLocked', false]],
  'draw-attention': [['attention', true]],
};

/** The parts that a command moves, by the names of the physical truth; empty: none. */
export function movesOf(command: string): ReadonlyMap<string, boolean> {
  return new Map(Object.hasOwn(MOVES, command) ? MOVES[command as CommandName] : []);
}

/** The command that moves the same parts as each action of a phone: docs/bluetooth.md, A walk. */
const SAME_AS: Readonly<Record<BluetoothAction, CommandName>> = {
  unlock: 'unlock-central-lock',
  lock: 'lock-central-lock',
  'unlock-and-enable-driving': 'unlock-and-enable-driving',
  'lock-and-disable-driving': 'lock-and-disable-driving',
  'enable-driving': 'enable-driving',
  'disable-driving': 'disable-driving',
  'unlock-top-case': 'unlock-top-case',
  'lock-top-case': 'lock-top-case',
};

/** The parts that a phone's action moves. */
export function movesOfAction(action: BluetoothAction): ReadonlyMap<string, boolean> {
  return movesOf(SAME_AS[action]);
}
