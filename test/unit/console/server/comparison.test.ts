import { describe, expect, test } from 'vitest';
import { compareVehicle } from '../../../../console/server/comparison.ts';

const TRUTH = {
  atMs: 0,
  latitude: 52.501,
  longitude: 13.44109,
  ignitionOn: true,
  sensors: {},
  receiver: { quality: 1 },
};
const told = (value: unknown) => ({ value, timestamp: '2026-01-31T12:00:00Z' });
const rowOf = (name: string, state: Readonly<Record<string, unknown>> | undefined) =>
  compareVehicle({ model: 'petrol-compact', truth: TRUTH, belief: { power: 'up' }, state }).find(
    (row) => row.name === name,
  );

describe('truth, box and service side by side', () => {
  test('a position is shown of both, though physics and API name it differently', () => {
    expect(rowOf('position', { position: told({ lat: 52.501035, lon: 13.4410383 }) })).toMatchObject({
      truth: '52.50100, 13.44109',
      service: '52.50104, 13.44104',
      toldAt: '2026-01-31T12:00:00Z',
    });
  });

  test('a difference has its cause, and what agrees has none', () => {
    expect(rowOf('ignition', { ignition: told('OFF') })?.cause).toBe('not sent yet');
    expect(rowOf('ignition', { ignition: told('ON') })?.cause).toBeUndefined();
  });

  test('without a service only truth and box are there', () => {
    expect(rowOf('position', undefined)).toMatchObject({ truth: '52.50100, 13.44109', service: undefined });
  });
});
