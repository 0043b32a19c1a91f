import { COMMANDS, type CommandName, type CommandRow } from '../../../protocol/commands.ts';
import { isAtLeast, wireGenerationOf } from '../../../protocol/firmware.ts';
import type { Generation } from '../../../protocol/message.ts';
import type { StepContext } from '../core/step-context.ts';

/** Whether this box can carry a command out: its firmware knows it, and for a vehicle command the wiring allows it. */
export function supportsCommand(
  { facts, ram }: Pick<StepContext, 'facts' | 'ram'>,
  name: CommandName,
): boolean {
  const row: CommandRow | undefined = COMMANDS.find((one) => one.name === name);
  if (row === undefined) return false;
  if (row.minimumFirmware !== undefined && !isAtLeast(ram.firmware, row.minimumFirmware)) return false;
  return row.family !== 'vehicle' || facts.vehicleCommands.includes(name);
}

/** The layout in which this box writes its frames, and the newest that it can read. */
export function wireGeneration({ facts, ram }: Pick<StepContext, 'facts' | 'ram'>): Generation {
  return wireGenerationOf(facts.generation, ram.firmware);
}
