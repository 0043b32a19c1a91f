import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FIRST_TRACE_CURSOR,
  readCellularTrace,
  type TraceCursor,
  transmit,
} from '../../../../world/network-faults/cellular-trace.ts';

const stamps = fc
  .array(fc.nat(500), { minLength: 1, maxLength: 20 })
  .map((gaps) => gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0)))
  .filter((all) => (all.at(-1) ?? 0) > 0);

describe('a cellular trace in the mahimahi format', () => {
  test('any text is read as a trace or as a fault that names its line', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.nat(3)).map((all) => all.join('\n')),
        ),
        (text) => {
          const read = readCellularTrace(text);
          if ('fault' in read) expect(read.fault.what).not.toBe('');
          else expect(read.trace.stampsMs.at(-1)).toBeGreaterThan(0);
        },
      ),
    );
  });

  test.each([
    ['0\n5\nx\n', 3, 'not a whole number'],
    ['7\n\n5', 3, 'must rise'],
    ['0\n0', 2, 'above 0'],
    ['\n \n', undefined, 'no stamp'],
  ])('%j is refused at line %s', (text, line, what) => {
    const read = readCellularTrace(text);
    expect('fault' in read && read.fault.line).toBe(line);
    expect('fault' in read && read.fault.what).toContain(what);
  });

  test('packets pass in order, like one by one through each opportunity of 1,500 bytes', () => {
    fc.assert(
      fc.property(
        stamps,
        fc.array(fc.tuple(fc.nat(900), fc.integer({ min: 1, max: 5_000 })), { maxLength: 12 }),
        (stampsMs, packets) => {
          const periodMs = stampsMs.at(-1) ?? 1;
          let cursor: TraceCursor = FIRST_TRACE_CURSOR;
          let atMs = 0;
          // The model iterates over every opportunity.
          let opportunity = 0;
          let room = 1_500;
          const timeOf = (index: number): number =>
            1_000 + Math.floor(index / stampsMs.length) * periodMs + (stampsMs[index % stampsMs.length] ?? 0);
          for (const [gapMs, bytes] of packets) {
            atMs += gapMs;
            const passed = transmit({ stampsMs }, 1_000, cursor, atMs, bytes);
            cursor = passed.cursor;
            let left = bytes;
            while (left > 0) {
              if (timeOf(opportunity) < atMs || room === 0) {
                opportunity += 1;
                room = 1_500;
                continue;
              }
              const now = Math.min(left, room);
              left -= now;
              room -= now;
            }
            expect(passed.passedMs).toBe(timeOf(opportunity));
          }
        },
      ),
    );
  });
});
