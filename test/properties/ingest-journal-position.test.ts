import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  highest,
  holds,
  judgeClaim,
  missing,
  receiptOf,
  settle,
} from '../../backend/ingest/journal-position.ts';
import { limits } from '../../backend/limits.ts';
import type { JournalPosition } from '../../backend/store/vehicle-store.ts';
import { limits as wireLimits } from '../../protocol/limits.ts';

const EMPTY: JournalPosition = { epoch: 1, contiguous: 0, ranges: [] };
/** Sequences of a small journal, so that they meet. */
const LAST = 60;
const range = fc
  .tuple(fc.integer({ min: 1, max: LAST }), fc.integer({ min: 0, max: 8 }))
  .map(([first, length]) => [first, Math.min(first + length, LAST)] as const);
const settlings = fc.array(range, { maxLength: 30 });

function build(steps: readonly (readonly [number, number])[]): {
  position: JournalPosition;
  model: Set<number>;
} {
  let position = EMPTY;
  const model = new Set<number>();
  for (const [first, last] of steps) {
    const settled = settle(position, first, last);
    if (settled === undefined) throw new Error('refused below the bound');
    position = settled;
    for (let sequence = first; sequence <= last; sequence += 1) model.add(sequence);
  }
  return { position, model };
}

/** Rising, not touching, beyond the contiguous part. */
function expectNormal(position: JournalPosition): void {
  let before = position.contiguous;
  for (const [first, last] of position.ranges) {
    expect(first).toBeGreaterThan(before + 1);
    expect(last).toBeGreaterThanOrEqual(first);
    before = last;
  }
}

describe('a journal position against a plain set of sequences', () => {
  test('holds what was settled and nothing else, in normal form', () => {
    fc.assert(
      fc.property(settlings, (steps) => {
        const { position, model } = build(steps);
        expectNormal(position);
        for (let sequence = 1; sequence <= LAST + 1; sequence += 1) {
          expect(holds(position, sequence)).toBe(model.has(sequence));
        }
        expect(highest(position)).toBe(Math.max(0, ...model));
      }),
    );
  });

  test('the order in which sequences are settled does not matter', () => {
    fc.assert(
      fc.property(
        settlings.chain((steps) =>
          fc.tuple(fc.constant(steps), fc.shuffledSubarray(steps, { minLength: steps.length })),
        ),
        ([steps, shuffled]) => {
          expect(build(shuffled).position).toEqual(build(steps).position);
        },
      ),
    );
  });

  test('counts what is missing as the set does', () => {
    fc.assert(
      fc.property(settlings, range, (steps, [first, last]) => {
        const { position, model } = build(steps);
        let count = 0;
        for (let sequence = first; sequence <= last; sequence += 1) if (!model.has(sequence)) count += 1;
        expect(missing(position, first, last)).toBe(count);
      }),
    );
  });

  test('a receipt names only what is settled, in at most 32 rising ranges, all of it where they fit', () => {
    const gaps = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 150 });
    fc.assert(
      fc.property(gaps, fc.array(fc.nat(400), { maxLength: 10 }), (sequences, touched) => {
        const { position, model } = build(sequences.map((sequence) => [sequence, sequence] as const));
        const receipt = receiptOf(position, touched);
        expectNormal({ epoch: 1, ...receipt });
        expect(receipt.ranges.length).toBe(Math.min(position.ranges.length, wireLimits.receiptRanges));
        for (const [first, last] of receipt.ranges)
          for (let sequence = first; sequence <= last; sequence += 1) expect(model.has(sequence)).toBe(true);
        for (const sequence of touched.filter((one) => model.has(one))) {
          const isNamed =
            sequence <= receipt.contiguous ||
            receipt.ranges.some(([first, last]) => first <= sequence && sequence <= last);
          expect(isNamed).toBe(true);
        }
      }),
    );
  });

  test('a claim is judged once all that the box held is settled: then the gap is told and passed over', () => {
    fc.assert(
      fc.property(settlings, range, (steps, [lowestHeld, lastHeld]) => {
        const { position, model } = build(steps);
        const claim = { lowestHeld, nextSequence: lastHeld + 1 };
        const judged = judgeClaim({ ...position, claim });
        const gone = Array.from({ length: lowestHeld - 1 }, (_, index) => index + 1).filter(
          (sequence) => !model.has(sequence),
        );
        const isAllThere = missing(position, lowestHeld, lastHeld) === 0;
        if (gone.length > 0 && !isAllThere) {
          expect(judged).toEqual({ position: { ...position, claim }, unexplained: 0 });
          return;
        }
        expect(judged.unexplained).toBe(gone.length);
        expect(judged.position.claim).toBeUndefined();
        expectNormal(judged.position);
        for (let sequence = 1; sequence <= LAST; sequence += 1) {
          expect(holds(judged.position, sequence)).toBe(model.has(sequence) || sequence < lowestHeld);
        }
      }),
    );
  });
});

describe('the bound of ranges', () => {
  const full: JournalPosition = {
    epoch: 1,
    contiguous: 0,
    ranges: Array.from({ length: limits.journalRanges }, (_, index) => [2 + index * 3, 2 + index * 3]),
  };
  const beyond = 2 + limits.journalRanges * 3;

  test('a sequence that would open one range more is refused', () => {
    expect(settle(full, beyond, beyond)).toBeUndefined();
    expect(settle(full, 4, 4)).toBeDefined();
  });

  test('one that fills a gap or extends a range is taken', () => {
    expect(settle(full, 1, 1)).toMatchObject({ contiguous: 2 });
    expect(settle(full, 3, 4)?.ranges.length).toBe(limits.journalRanges - 1);
    expect(settle(full, 6, 6)?.ranges.length).toBe(limits.journalRanges);
  });

  test('the bound is wider than a receipt, so that a box learns of every range it has just sent', () => {
    expect(limits.journalRanges).toBeGreaterThan(wireLimits.receiptRanges);
  });
});
