import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';

/** The state of a CAN bus as the box sees it. OBD answers use bus 0. */
export interface BusStatus {
  readonly isActive: boolean;
  /** Bit 0: no traffic while the ignition is on; bit 1: supply too low for the transceiver. */
  readonly errorFlags: number;
}

export const SILENT = 0x01;
export const UNDERVOLTAGE = 0x02;

/** `isPolling`: the box sends OBD requests. `isWired`: this bus had traffic since boot. */
export function busStatus(
  sensors: SensorInputs,
  bus: 0 | 1,
  isPolling: boolean,
  isWired: boolean,
): BusStatus {
  const answers = bus === 0 && isPolling && (sensors.signals.obd?.length ?? 0) > 0;
  const frames = sensors.signals.can?.some((frame) => frame.bus === bus) ?? false;
  const isActive = answers || frames;
  const isExpected = isWired && sensors.ignitionOn && (isPolling || frames);
  return {
    isActive,
    errorFlags:
      (isExpected && !isActive ? SILENT : 0) |
      (isWired && sensors.supplyMillivolts < limits.restoreMillivolts ? UNDERVOLTAGE : 0),
  };
}

/** The buses with traffic now, bit n = bus n. */
export function heardBuses(sensors: SensorInputs, isPolling: boolean): number {
  const zero = busStatus(sensors, 0, isPolling, false).isActive ? 1 : 0;
  const one = busStatus(sensors, 1, isPolling, false).isActive ? 2 : 0;
  return zero | one;
}
