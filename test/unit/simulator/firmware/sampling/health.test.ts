import { describe, expect, test } from 'vitest';
import type { StepContext } from '../../../../../simulator/firmware/core/step-context.ts';
import { freeHeapBytes } from '../../../../../simulator/firmware/sampling/health.ts';
import { TestBox } from '../../../../support/firmware/test-box.ts';

/** Only what the heap is calculated from. */
const freeOf = ({ state }: TestBox) => freeHeapBytes(state as unknown as StepContext);

describe('the temperature of a box', () => {
  test('approaches, over minutes, the air around it and what its work adds', () => {
    const rig = new TestBox().ready({ ignitionOn: true, ambientTemperatureC: 0 });
    const measured = [0, 2, 4, 60].map((minutes) => {
      rig.passAnswered(minutes * 60_000);
      rig.tick();
      return rig.state.ram.health.temperatureC ?? Number.NaN;
    });
    const [first = 0, second = 0, third = 0, last = 0] = measured;
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
    expect(last).toBeGreaterThan(third);
    // 5 K always, 9 K with the ignition on, 3 K with data, and less than one more for what it sends.
    expect(last).toBeGreaterThan(16);
    expect(last).toBeLessThan(18);
  });
});

describe('the free heap of a box', () => {
  test('is less by each record that it holds, and by each request that it remembers', () => {
    const rig = new TestBox().ready();
    const before = freeOf(rig);
    rig.tick({ anyDoorOpen: true });
    rig.acknowledgeAll();
    expect(before - freeOf(rig)).toBe(8);
    rig.receiptAll();
    rig.command('request-vehicle-state');
    rig.acknowledgeAll();
    rig.receiptAll();
    expect(before - freeOf(rig)).toBe(64);
  });
});
