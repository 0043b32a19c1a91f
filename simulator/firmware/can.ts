import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';

/** How a CAN bus looks from the box. OBD answers travel on bus 0. */
export interface BusStatus {
  readonly isActive: boolean;
  /** Bit 0: silent while ignition is on; bit 1: supply too low for the transceiver. */
  readonly errorFlags: number;
}

export const SILENT = 0x01;
export const UNDERVOLTAGE = 0x02;

/** `isPolling`: the box asks over OBD. `isWired`: this bus was heard since boot. */
export function busStatus(senses: Senses, bus: 0 | 1, isPolling: boolean, isWired: boolean): BusStatus {
  const answers = bus === 0 && isPolling && (senses.signals.obd?.length ?? 0) > 0;
  const frames = senses.signals.can?.some((frame) => frame.bus === bus) ?? false;
  const isActive = answers || frames;
  const isExpected = isWired && senses.ignitionOn && (isPolling || frames);
  return {
    isActive,
    errorFlags:
      (isExpected && !isActive ? SILENT : 0) |
      (isWired && senses.supplyMillivolts < limits.restoreMillivolts ? UNDERVOLTAGE : 0),
  };
}

/** The buses that are heard now, bit n = bus n. */
export function heardBuses(senses: Senses, isPolling: boolean): number {
  const zero = busStatus(senses, 0, isPolling, false).isActive ? 1 : 0;
  const one = busStatus(senses, 1, isPolling, false).isActive ? 2 : 0;
  return zero | one;
}
