import { limits } from '../../limits.ts';
import type { StepContext } from '../core/step-context.ts';

/** The Bluetooth module: on or off as configured, and unavailable for a short time after a reset. */
export function resetBluetooth(context: StepContext): void {
  context.ram.bluetoothBackAt = context.at + limits.bleResetMs;
}

export function operateBluetooth(context: StepContext): void {
  if (context.ram.bluetoothBackAt !== undefined && context.at >= context.ram.bluetoothBackAt)
    context.ram.bluetoothBackAt = undefined;
}

export const BLUETOOTH_PHASES = ['on', 'off', 'resetting'] as const;

/** The current phase of the module. */
export function bluetoothPhase(
  context: Pick<StepContext, 'ram' | 'flash'>,
): (typeof BLUETOOTH_PHASES)[number] {
  if (context.flash.configuration.values['box.bleEnabled'] !== 1) return 'off';
  return context.ram.bluetoothBackAt === undefined ? 'on' : 'resetting';
}
