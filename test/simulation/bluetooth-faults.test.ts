import { describe, expect, test } from 'vitest';
import { runBluetoothFaults } from '../support/simulation/bluetooth-faults.ts';

describe('an hour of phones next to vehicles whose boxes connect and disconnect', () => {
  test.each([1, 2, 3])(
    'with seed %i each completed access is in exactly one message, with its time',
    async (seed) => {
      const { answers, offline, settled, findings } = await runBluetoothFaults(seed, 360);
      expect(findings).toEqual([]);
      expect(answers['done']).toBeGreaterThan(50);
      expect(answers['silent']).toBeGreaterThan(0);
      expect(offline).toBeGreaterThan(20);
      expect(settled).toBeGreaterThan(0);
    },
    120_000,
  );

  test('has the same trace hash when repeated', async () => {
    expect((await runBluetoothFaults(4, 60)).hash).toBe((await runBluetoothFaults(4, 60)).hash);
  }, 60_000);
});
