import { describe, expect, test } from 'vitest';
import { refuseFaultyModels } from '../../../../deployment/models/checked-models.ts';
import { estate } from '../../../../protocol/models/estate.ts';
import type { SignalRow, VehicleModel } from '../../../../protocol/models/model.ts';
import type { Quantity } from '../../../../protocol/models/quantities.ts';
import { scaled } from '../../../../protocol/models/rows.ts';

/** What a start with that model is refused with; undefined: it is not. */
function refusal(model: VehicleModel): string | undefined {
  try {
    refuseFaultyModels([model]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

const withFirst = (change: Partial<SignalRow>): VehicleModel => ({
  ...estate,
  rows: estate.rows.map((row, index) => (index === 0 ? { ...row, ...change } : row)),
});

describe('a start', () => {
  test('accepts the built-in models', () => {
    expect(() => refuseFaultyModels()).not.toThrow();
  });

  test.each<[string, VehicleModel, string]>([
    ['a signal that leaves its frame', withFirst({ source: can(40, 12) }), 'it extends beyond the frame'],
    ['signals that overlap', withFirst({ source: can(22, 12) }), 'speedKph overlaps engineRpm'],
    ['an unknown capability', withFirst({ feeds: ['warp_factor'] }), 'warp_factor is no property'],
    [
      'another unit',
      withFirst({ feeds: ['speed_in_kph'] }),
      'speed_in_kph is fed by speedKph, not by engineRpm',
    ],
    ['a span that does not fit', withFirst({ factor: 1 }), 'the range of engineRpm does not fit'],
    [
      'a quantity that nobody knows',
      withFirst(scaled(can(8, 16), 'warpFactor' as Quantity)),
      'warpFactor is not a quantity of protocol/models/quantities.ts',
    ],
    ['what its physics cannot have', withFirst({ quantity: 'adblueLitres' }), 'its body has no adblue'],
  ])('refuses a model with %s, and names file, row and reason', (_what, model, reason) => {
    const said = refusal(model) ?? '';
    expect(said).toContain('Failure: A vehicle model cannot be used:');
    expect(said).toMatch(/ {2}protocol\/models\/estate\.ts: estate: rows\[\d+\] \(CAN 0 105 bit \d+\): /);
    expect(said).toContain(reason);
    expect(said).toContain('docs/vehicle-models.md');
  });

  test('names a limited number of faults and counts the rest', () => {
    const rows = estate.rows.map((row) => ({ ...row, feeds: ['nothing'] }));
    expect(refusal({ ...estate, rows })?.split('\n')).toHaveLength(13);
  });
});

function can(startBit: number, bits: number): SignalRow['source'] {
  return { from: 'can', bus: 0, id: 0x105, startBit, bits, order: 'big' };
}
