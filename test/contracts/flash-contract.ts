import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Flash, FlashFull, type FlashOperation, LatePage } from '../../world/flash.ts';

export interface FlashStage {
  readonly flash: Flash;
  /** Ends the use of the medium and opens it anew, as a program that was started again. */
  reopen(): Promise<Flash>;
  /** Damages the medium as an interrupted write of `owner`'s last operations would, or why that cannot be had. */
  readonly tearLastWrite: ((owner: string) => Promise<void>) | { readonly none: string };
  /** Leaves no room on the medium, or why that cannot be had. */
  readonly fill: (() => Promise<void>) | { readonly none: string };
  close(): Promise<void>;
}

const bytes = (...values: number[]) => Uint8Array.from(values);
const put = (key: string, ...values: number[]): FlashOperation => ({ put: key, bytes: bytes(...values) });

const key = fc.constantFrom('a', 'b', 'journal/1', 'journal/2', 'ü');
const operation: fc.Arbitrary<FlashOperation> = fc.oneof(
  fc.record({ put: key, bytes: fc.uint8Array({ maxLength: 40 }) }),
  fc.record({ erase: key }),
);

/** What should be in force after `writes`. */
function model(writes: readonly (readonly FlashOperation[])[]): Map<string, Uint8Array> {
  const pages = new Map<string, Uint8Array>();
  for (const each of writes.flat()) {
    if ('put' in each) pages.set(each.put, each.bytes);
    else pages.delete(each.erase);
  }
  return pages;
}

/** The behaviour that every fulfilment of `Flash` has in common. `setUp` gives an empty medium for each test. */
export function flashContract(name: string, setUp: () => Promise<FlashStage>): void {
  describe(`flash: ${name}`, () => {
    let stage: FlashStage;
    beforeEach(async () => {
      stage = await setUp();
    });
    afterEach(() => stage.close());

    test('a new owner has nothing', async () => {
      expect((await stage.flash.load('box')).size).toBe(0);
    });

    test('what was written is there, also after the medium was opened anew', async () => {
      await stage.flash.write('box', [put('a', 1, 2), put('empty')]);
      expect([...(await stage.flash.load('box'))]).toEqual([
        ['a', bytes(1, 2)],
        ['empty', bytes()],
      ]);
      const again = await stage.reopen();
      expect([...(await again.load('box'))]).toEqual([
        ['a', bytes(1, 2)],
        ['empty', bytes()],
      ]);
    });

    test('any series of writes leaves what its operations say, in the order of first writing', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(operation, { maxLength: 5 }), { maxLength: 8 }),
          async (writes) => {
            run += 1;
            const owner = `box-${run}`;
            for (const write of writes) await stage.flash.write(owner, write);
            expect([...(await stage.flash.load(owner))]).toEqual([...model(writes)]);
          },
        ),
        { numRuns: 40 },
      );
    });

    test('a page that is written again keeps its place, one that was erased loses it', async () => {
      await stage.flash.write('box', [put('a', 1), put('b', 2), put('c', 3)]);
      await stage.flash.write('box', [put('a', 4), { erase: 'b' }]);
      await stage.flash.write('box', [put('b', 5)]);
      expect([...(await stage.flash.load('box')).keys()]).toEqual(['a', 'c', 'b']);
    });

    test('writes that are not awaited one by one are carried out in order', async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          stage.flash.write('box', [put('last', index), put(`k${index}`)]),
        ),
      );
      const pages = await stage.flash.load('box');
      expect(pages.get('last')).toEqual(bytes(49));
      expect(pages.size).toBe(51);
    });

    test('owners have nothing of each other, and wiping one leaves the rest', async () => {
      await stage.flash.write('box-1', [put('a', 1)]);
      await stage.flash.write('box-2', [put('a', 2)]);
      await stage.flash.wipe('box-1');
      expect((await stage.flash.load('box-1')).size).toBe(0);
      expect((await stage.flash.load('box-2')).get('a')).toEqual(bytes(2));
      await stage.flash.write('box-1', [put('b', 3)]);
      expect([...(await stage.flash.load('box-1')).keys()]).toEqual(['b']);
    });

    test('the buffer that was written belongs to the caller again, and the one that was loaded too', async () => {
      const buffer = bytes(1);
      const writing = stage.flash.write('box', [{ put: 'a', bytes: buffer }]);
      await writing;
      buffer[0] = 9;
      const loaded = (await stage.flash.load('box')).get('a');
      expect(loaded).toEqual(bytes(1));
      loaded?.fill(7);
      expect((await stage.flash.load('box')).get('a')).toEqual(bytes(1));
    });

    test('a page that is packed late holds what any other would, for each who loads it', async () => {
      await stage.flash.write('box', [new LatePage('a', () => bytes(1, 2)), put('b', 3)]);
      (await stage.flash.load('box')).get('a')?.fill(7);
      expect((await stage.flash.load('box')).get('a')).toEqual(bytes(1, 2));
      const again = await stage.reopen();
      expect([...(await again.load('box'))]).toEqual([
        ['a', bytes(1, 2)],
        ['b', bytes(3)],
      ]);
    });

    test('erasing what is not there does nothing', async () => {
      await stage.flash.write('box', [{ erase: 'nothing' }, put('a', 1)]);
      expect([...(await stage.flash.load('box')).keys()]).toEqual(['a']);
    });

    test('after close nothing more is written', async () => {
      await stage.flash.close();
      await expect(stage.flash.write('box', [put('a', 1)])).rejects.toBeInstanceOf(Error);
    });

    test('a torn last write is found, and what was before is in force', async (context) => {
      const { tearLastWrite } = stage;
      if (typeof tearLastWrite !== 'function') return context.skip(tearLastWrite.none);
      await stage.flash.write('box', [put('a', 1, 1, 1, 1), put('b', 2, 2, 2, 2)]);
      await stage.flash.write('box', [put('a', 3, 3, 3, 3)]);
      await tearLastWrite('box');
      const again = await stage.reopen();
      expect([...(await again.load('box'))]).toEqual([
        ['a', bytes(1, 1, 1, 1)],
        ['b', bytes(2, 2, 2, 2)],
      ]);
      await again.write('box', [put('a', 4)]);
      expect((await again.load('box')).get('a')).toEqual(bytes(4));
    });

    test('a torn first write leaves nothing of it', async (context) => {
      const { tearLastWrite } = stage;
      if (typeof tearLastWrite !== 'function') return context.skip(tearLastWrite.none);
      await stage.flash.write('box', [put('a', 1, 1, 1, 1)]);
      await tearLastWrite('box');
      expect((await (await stage.reopen()).load('box')).size).toBe(0);
    });

    test('without room a write is FlashFull, and none of it was written', async (context) => {
      const { fill } = stage;
      if (typeof fill !== 'function') return context.skip(fill.none);
      await stage.flash.write('box', [put('a', 1)]);
      await fill();
      const writing = stage.flash.write('box', [
        { erase: 'a' },
        { put: 'big', bytes: new Uint8Array(100_000).fill(1) },
      ]);
      await expect(writing).rejects.toBeInstanceOf(FlashFull);
      expect([...(await stage.flash.load('box')).keys()]).toEqual(['a']);
    });
  });
}
