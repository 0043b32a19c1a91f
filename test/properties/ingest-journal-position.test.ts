import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../backend/base/limits.ts';
import {
  addSettled,
  checkJournalClaim,
  countMissing,
  highestSettled,
  isSettled,
  receiptOf,
} from '../../backend/ingest/journal-position.ts';
import type { JournalPosition } from '../../backend/store/port/stored-vehicle.ts';
import { wireLimits } from '../../protocol/limits.ts';

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
    const settled = addSettled(position, first, last);
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

describe('a journal position compared with a plain set of sequences', () => {
  test('contains exactly the settled sequences, in normal form', () => {
    fc.assert(
      fc.property(settlings, (steps) => {
        const { position, model } = build(steps);
        expectNormal(position);
        for (let sequence = 1; sequence <= LAST + 1; sequence += 1) {
          expect(isSettled(position, sequence)).toBe(model.has(sequence));
        }
        expect(highestSettled(position)).toBe(Math.max(0, ...model));
      }),
    );
  });

  test('what begins in the contiguous part, or right behind it, leaves no range and takes nothing away', () => {
    const contiguousPart = fc.integer({ min: 1, max: LAST }).chain((contiguous) =>
      fc.record({
        contiguous: fc.constant(contiguous),
        first: fc.integer({ min: 1, max: contiguous + 1 }),
        length: fc.integer({ min: 0, max: 8 }),
      }),
    );
    fc.assert(
      fc.property(contiguousPart, ({ contiguous, first, length }) => {
        const last = first + length;
        expect(addSettled({ ...EMPTY, contiguous }, first, last)).toEqual({
          ...EMPTY,
          contiguous: Math.max(contiguous, last),
        });
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

  test('counts missing sequences as the set does', () => {
    fc.assert(
      fc.property(settlings, range, (steps, [first, last]) => {
        const { position, model } = build(steps);
        let count = 0;
        for (let sequence = first; sequence <= last; sequence += 1) if (!model.has(sequence)) count += 1;
        expect(countMissing(position, first, last)).toBe(count);
      }),
    );
  });

  test('a receipt names only settled sequences, in at most 32 ascending ranges, and all of them if they fit', () => {
    const gaps = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 150, size: 'max' });
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

  test('a claim is evaluated once all records held by the box are settled: then the gap is reported and skipped', () => {
    fc.assert(
      fc.property(settlings, range, (steps, [lowestHeld, lastHeld]) => {
        const { position, model } = build(steps);
        const claim = { lowestHeld, nextSequence: lastHeld + 1 };
        const judged = checkJournalClaim({ ...position, claim });
        const gone = Array.from({ length: lowestHeld - 1 }, (_, index) => index + 1).filter(
          (sequence) => !model.has(sequence),
        );
        const isAllThere = countMissing(position, lowestHeld, lastHeld) === 0;
        if (gone.length > 0 && !isAllThere) {
          expect(judged).toEqual({ position: { ...position, claim }, unexplained: 0 });
          return;
        }
        expect(judged.unexplained).toBe(gone.length);
        expect(judged.position.claim).toBeUndefined();
        expectNormal(judged.position);
        for (let sequence = 1; sequence <= LAST; sequence += 1) {
          expect(isSettled(judged.position, sequence)).toBe(model.has(sequence) || sequence < lowestHeld);
        }
      }),
    );
  });
});

describe('the limit of ranges', () => {
  const full: JournalPosition = {
    epoch: 1,
    contiguous: 0,
    ranges: Array.from({ length: limits.journalRanges }, (_, index) => [2 + index * 3, 2 + index * 3]),
  };
  const beyond = 2 + limits.journalRanges * 3;

  test('a sequence that would begin one range too many is refused', () => {
    expect(addSettled(full, beyond, beyond)).toBeUndefined();
    expect(addSettled(full, 4, 4)).toBeDefined();
  });

  test('a sequence that fills a gap or extends a range is accepted', () => {
    expect(addSettled(full, 1, 1)).toMatchObject({ contiguous: 2 });
    expect(addSettled(full, 3, 4)?.ranges.length).toBe(limits.journalRanges - 1);
    expect(addSettled(full, 6, 6)?.ranges.length).toBe(limits.journalRanges);
  });

  test('the last range that there is room for is accepted', () => {
    const allButOne = { ...full, ranges: full.ranges.slice(0, -1) };
    expect(addSettled(allButOne, beyond, beyond)?.ranges.length).toBe(limits.journalRanges);
  });

  test('where an earlier release has left more ranges, a sequence that adds none is accepted', () => {
    const tooMany: JournalPosition = { ...full, ranges: [...full.ranges, [beyond, beyond]] };
    expect(addSettled(tooMany, beyond + 1, beyond + 1)?.ranges.at(-1)).toEqual([beyond, beyond + 1]);
    expect(addSettled(tooMany, beyond + 3, beyond + 3)).toBeUndefined();
  });

  test('the limit is higher than that of a receipt, so that a box gets receipts for every range it has just sent', () => {
    expect(limits.journalRanges).toBeGreaterThan(wireLimits.receiptRanges);
  });
});
