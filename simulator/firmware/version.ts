import { COMMANDS, type CommandName, type CommandRow } from '../../protocol/commands.ts';
import type { BoxFacts } from './state.ts';

/** Whether version `is` is `least` or higher: by major number, then by minor. */
export function isAtLeast(
  is: readonly [major: number, minor: number],
  least: readonly [major: number, minor: number],
): boolean {
  return is[0] > least[0] || (is[0] === least[0] && is[1] >= least[1]);
}

/** Whether this box can carry a command out: its firmware knows it, and for a vehicle command the wiring allows it. */
export function isAble(facts: Pick<BoxFacts, 'firmware' | 'vehicleCommands'>, name: CommandName): boolean {
  const row: CommandRow | undefined = COMMANDS.find((one) => one.name === name);
  if (row === undefined) return false;
  if (row.minimumFirmware !== undefined && !isAtLeast(facts.firmware, row.minimumFirmware)) return false;
  return row.family === 'box' || facts.vehicleCommands.includes(name);
}
