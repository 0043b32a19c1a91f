import type { CommandName } from '../../../protocol/commands.ts';

const LOCK = ['locked', true] as const;
const UNLOCK = ['locked', false] as const;
const ENABLE = ['drivingEnabled', true] as const;
const DISABLE = ['drivingEnabled', false] as const;

/** What each command moves, and how it stands afterwards: docs/api.md, Vehicle commands. */
const MOVES: Readonly<Partial<Record<CommandName, readonly (readonly [part: string, to: boolean])[]>>> = {
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
  return new Map(MOVES[command as CommandName] ?? []);
}
