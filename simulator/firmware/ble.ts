import { limits } from '../limits.ts';
import type { Turn } from './turn.ts';

/** The Bluetooth module: on or off as it is configured, and away for a moment after a reset. */
export function resetBluetooth(turn: Turn): void {
  turn.ram.bleBackAt = turn.at + limits.bleResetMs;
}

export function tendBluetooth(turn: Turn): void {
  if (turn.ram.bleBackAt !== undefined && turn.at >= turn.ram.bleBackAt) turn.ram.bleBackAt = undefined;
}

/** What the module does now. */
export function bluetoothPhase(turn: Pick<Turn, 'ram' | 'flash'>): 'on' | 'off' | 'resetting' {
  if (turn.flash.configuration.values['box.bleEnabled'] !== 1) return 'off';
  return turn.ram.bleBackAt === undefined ? 'on' : 'resetting';
}
