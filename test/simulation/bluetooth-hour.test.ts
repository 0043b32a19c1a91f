import { describe, expect, test } from 'vitest';
import { bluetoothHour } from './bluetooth-hour.ts';

describe('an hour of phones beside vehicles whose boxes come and go', () => {
  test.each([1, 2, 3])(
    'with seed %i each access that was carried out is in exactly one message, with its own time',
    async (seed) => {
      const { answers, offline, settled, findings } = await bluetoothHour(seed, 360);
      expect(findings).toEqual([]);
      expect(answers['done']).toBeGreaterThan(50);
      expect(answers['silent']).toBeGreaterThan(0);
      expect(offline).toBeGreaterThan(20);
      expect(settled).toBeGreaterThan(0);
    },
    120_000,
  );

  test('repeats to the byte', async () => {
    expect((await bluetoothHour(4, 60)).hash).toBe((await bluetoothHour(4, 60)).hash);
  }, 60_000);
});
