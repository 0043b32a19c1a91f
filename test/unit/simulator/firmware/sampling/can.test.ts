import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  busStatus,
  heardBuses,
  SILENT,
  UNDERVOLTAGE,
} from '../../../../../simulator/firmware/sampling/can.ts';
import { limits } from '../../../../../simulator/limits.ts';
import { PARKED } from '../../../../support/firmware/test-box.ts';

test('a bus is active while anything is heard on it, and what is missing or weak is flagged', () => {
  const inputs = fc.record({
    buses: fc.subarray([0, 1] as const),
    hasAnswers: fc.boolean(),
    isPolling: fc.boolean(),
    isWired: fc.boolean(),
    ignitionOn: fc.boolean(),
    supplyMillivolts: fc.integer({ min: limits.restoreMillivolts - 2, max: limits.restoreMillivolts + 1 }),
    bus: fc.constantFrom(0 as const, 1 as const),
  });
  fc.assert(
    fc.property(inputs, ({ buses, hasAnswers, isPolling, isWired, ignitionOn, supplyMillivolts, bus }) => {
      const can = buses.map((one) => ({ bus: one, id: 0x100, data: Uint8Array.of(1) }));
      const obd = hasAnswers ? [{ pid: 0x0d, data: Uint8Array.of(0) }] : [];
      const sensors = { ...PARKED, ignitionOn, supplyMillivolts, signals: { ...PARKED.signals, can, obd } };
      const isHeard = (one: 0 | 1) => buses.includes(one) || (one === 0 && isPolling && hasAnswers);
      const isSilent = isWired && ignitionOn && isPolling && !isHeard(bus);
      const isWeak = isWired && supplyMillivolts < limits.restoreMillivolts;
      expect(busStatus(sensors, bus, isPolling, isWired)).toEqual({
        isActive: isHeard(bus),
        errorFlags: (isSilent ? SILENT : 0) + (isWeak ? UNDERVOLTAGE : 0),
      });
      expect(heardBuses(sensors, isPolling)).toBe((isHeard(0) ? 1 : 0) + (isHeard(1) ? 2 : 0));
    }),
  );
});
