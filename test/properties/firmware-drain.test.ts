import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits as backend } from '../../backend/base/limits.ts';
import { anyFirmware } from '../support/firmware/box-moves.ts';
import { FirmwareAndIngest, NO_LOSS, type RecordRun } from '../support/firmware/firmware-and-ingest.ts';

const run: fc.Arbitrary<RecordRun> = fc.record({
  sort: fc.constantFrom('report' as const, 'event' as const),
  count: fc.integer({ min: 1, max: 40 }),
});
/** A short pattern many times over: isolated events among them, which leave the most gaps. */
const pattern: fc.Arbitrary<readonly RecordRun[]> = fc
  .tuple(
    fc.array(fc.record({ sort: run.map(({ sort }) => sort), count: fc.integer({ min: 1, max: 3 }) }), {
      minLength: 1,
      maxLength: 5,
    }),
    fc.integer({ min: 1, max: 500 }),
  )
  .map(([runs, times]) => Array.from({ length: times }, () => runs).flat());
const runs = fc
  .array(fc.oneof(fc.array(run, { maxLength: 40 }), pattern), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.flat())
  .map((all) => {
    let room = 3_000;
    return all.filter(({ count }) => {
      room -= count;
      return room >= 0;
    });
  });
const capacity = fc.oneof(fc.integer({ min: 2, max: 1_500 }), fc.constant(10_000));
const weather = fc.record({
  lostUp: fc.integer({ min: 0, max: 40 }),
  spoiltUp: fc.integer({ min: 0, max: 20 }),
  lostDown: fc.integer({ min: 0, max: 60 }),
  cut: fc.integer({ min: 0, max: 10 }),
});

describe('a journal with any pattern of records', () => {
  test('drains over a good link in minutes, and the backend never has to refuse a record', () => {
    let overtaken = 0;
    let lost = 0;
    fc.assert(
      fc.property(runs, capacity, anyFirmware, (all, records, firmware) => {
        const drain = new FirmwareAndIngest(records, 1, firmware);
        drain.record(all);
        expect(drain.secondsToDrain(300)).toBeDefined();
        expect(drain.counts.get('troubles.too-many-gaps') ?? 0).toBe(0);
        expect(drain.mostRanges).toBeLessThanOrEqual(backend.journalRanges);
        if (drain.mostRanges >= 32) overtaken += 1;
        if ((drain.counts.get('records.lost') ?? 0) > 0) lost += 1;
      }),
      { numRuns: 60 },
    );
    // Runs without overtaking or tombstones would prove little.
    expect(overtaken).toBeGreaterThan(5);
    expect(lost).toBeGreaterThan(5);
  }, 120_000);

  test('drains once a link is good again that lost, corrupted and cut frames while records continued', () => {
    fc.assert(
      fc.property(
        runs,
        fc.array(fc.tuple(weather, fc.array(run, { maxLength: 12 }), fc.integer({ min: 1, max: 120 })), {
          maxLength: 6,
        }),
        capacity,
        fc.nat(),
        anyFirmware,
        (all, spells, records, seed, firmware) => {
          const drain = new FirmwareAndIngest(records, seed, firmware);
          drain.record(all);
          for (const [spell, more, seconds] of spells) {
            drain.weather = spell;
            drain.secondsToDrain(seconds);
            drain.record(more);
          }
          drain.weather = NO_LOSS;
          expect(drain.secondsToDrain(3_600)).toBeDefined();
        },
      ),
      { numRuns: 60 },
    );
  }, 240_000);
});
