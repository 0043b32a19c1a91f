import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Entry,
  emptyShelf,
  entriesOf,
  find,
  following,
  last,
  put,
  type Shelf,
  type Sort,
  size,
  take,
} from '../../../../simulator/firmware/shelf.ts';

const SORTS: readonly Sort[] = ['report', 'event', 'reply', 'tombstone'];
const entry = (sequence: number, sort: Sort): Entry => ({
  sequence,
  sort,
  bytes: Uint8Array.of(sequence & 0xff),
  wasUnreadable: false,
});

const anyStep = fc.oneof(
  fc.record({
    do: fc.constant('put' as const),
    at: fc.integer({ min: 0, max: 400 }),
    sort: fc.constantFrom(...SORTS),
  }),
  fc.record({
    do: fc.constant('take' as const),
    at: fc.integer({ min: 0, max: 400 }),
    many: fc.integer({ min: 0, max: 150 }),
  }),
);

test('a shelf answers every question as a plain sorted list would, and an older one stays as it was', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 200, size: 'max' }), fc.nat(400), (steps, from) => {
      let shelf: Shelf = emptyShelf;
      let plain: readonly Entry[] = [];
      const snapshots: { shelf: Shelf; plain: readonly Entry[] }[] = [];
      for (const step of steps) {
        if (step.do === 'put') {
          const one = entry(step.at, step.sort);
          shelf = put(shelf, one);
          plain = [...plain.filter((other) => other.sequence !== step.at), one].sort(
            (a, b) => a.sequence - b.sequence,
          );
        } else {
          const within = (other: Entry) => other.sequence >= step.at && other.sequence <= step.at + step.many;
          const taken = take(shelf, step.at, step.at + step.many);
          expect(taken.taken).toEqual(plain.filter(within));
          shelf = taken.shelf;
          plain = plain.filter((other) => !within(other));
        }
        snapshots.push({ shelf, plain });
      }
      for (const snapshot of snapshots) expect(entriesOf(snapshot.shelf)).toEqual(snapshot.plain);
      expect(size(shelf)).toBe(plain.length);
      expect(last(shelf)).toEqual(plain.at(-1));
      expect(find(shelf, from)).toEqual(plain.find((one) => one.sequence === from));
      expect(following(shelf, from)).toEqual(plain.find((one) => one.sequence >= from));
      for (const sort of SORTS) {
        expect(shelf.counts[sort]).toBe(plain.filter((one) => one.sort === sort).length);
        expect(following(shelf, from, [sort])).toEqual(
          plain.find((one) => one.sequence >= from && one.sort === sort),
        );
      }
    }),
    { numRuns: 100 },
  );
});
