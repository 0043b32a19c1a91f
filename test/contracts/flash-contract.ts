import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Flash, FlashFull, type FlashOperation, LazyPage } from '../../world/flash/flash.ts';

export interface FlashFixture {
  readonly flash: Flash;
  /** Closes the medium and opens it again, as a restarted program would. */
  reopen(): Promise<Flash>;
  /**
   * Damages the medium as an interrupted write of `owner`'s last operations would, or why that is not
   * possible.
   */
  readonly tearLastWrite: ((owner: string) => Promise<void>) | { readonly none: string };
  /** Leaves no space on the medium, or why that is not possible. */
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

/** The expected content after `writes`. */
function model(writes: readonly (readonly FlashOperation[])[]): Map<string, Uint8Array> {
  const pages = new Map<string, Uint8Array>();
  for (const each of writes.flat()) {
    if ('put' in each) pages.set(each.put, each.bytes);
    else pages.delete(each.erase);
  }
  return pages;
}

/** The common behaviour of all implementations of `Flash`. `setUp` returns an empty medium for each test. */
export function flashContract(name: string, setUp: () => Promise<FlashFixture>): void {
  describe(`flash: ${name}`, () => {
    let fixture: FlashFixture;
    beforeEach(async () => {
      fixture = await setUp();
    });
    afterEach(() => fixture.close());

    test('a new owner has nothing', async () => {
      expect((await fixture.flash.load('box')).size).toBe(0);
    });

    test('written pages are there, also after the medium was reopened', async () => {
      await fixture.flash.write('box', [put('a', 1, 2), put('empty')]);
      expect([...(await fixture.flash.load('box'))]).toEqual([
        ['a', bytes(1, 2)],
        ['empty', bytes()],
      ]);
      const again = await fixture.reopen();
      expect([...(await again.load('box'))]).toEqual([
        ['a', bytes(1, 2)],
        ['empty', bytes()],
      ]);
    });

    test('any series of writes leaves the content of its operations, in the order of the first writes', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(operation, { maxLength: 5 }), { maxLength: 8 }),
          async (writes) => {
            run += 1;
            const owner = `box-${run}`;
            for (const write of writes) await fixture.flash.write(owner, write);
            expect([...(await fixture.flash.load(owner))]).toEqual([...model(writes)]);
          },
        ),
        { numRuns: 40 },
      );
    });

    test('a page that is written again keeps its position, an erased one loses it', async () => {
      await fixture.flash.write('box', [put('a', 1), put('b', 2), put('c', 3)]);
      await fixture.flash.write('box', [put('a', 4), { erase: 'b' }]);
      await fixture.flash.write('box', [put('b', 5)]);
      expect([...(await fixture.flash.load('box')).keys()]).toEqual(['a', 'c', 'b']);
    });

    test('writes that are not awaited are carried out in order', async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          fixture.flash.write('box', [put('last', index), put(`k${index}`)]),
        ),
      );
      const pages = await fixture.flash.load('box');
      expect(pages.get('last')).toEqual(bytes(49));
      expect(pages.size).toBe(51);
    });

    test('owners are independent of each other, and wiping one leaves the others', async () => {
      await fixture.flash.write('box-1', [put('a', 1)]);
      await fixture.flash.write('box-2', [put('a', 2)]);
      await fixture.flash.wipe('box-1');
      expect((await fixture.flash.load('box-1')).size).toBe(0);
      expect((await fixture.flash.load('box-2')).get('a')).toEqual(bytes(2));
      await fixture.flash.write('box-1', [put('b', 3)]);
      expect([...(await fixture.flash.load('box-1')).keys()]).toEqual(['b']);
    });

    test('the caller may reuse the buffer of a write, and change the one of a load', async () => {
      const buffer = bytes(1);
      const writing = fixture.flash.write('box', [{ put: 'a', bytes: buffer }]);
      await writing;
      buffer[0] = 9;
      const loaded = (await fixture.flash.load('box')).get('a');
      expect(loaded).toEqual(bytes(1));
      loaded?.fill(7);
      expect((await fixture.flash.load('box')).get('a')).toEqual(bytes(1));
    });

    test('a lazy page has the same content as any other, for every load', async () => {
      await fixture.flash.write('box', [new LazyPage('a', () => bytes(1, 2)), put('b', 3)]);
      (await fixture.flash.load('box')).get('a')?.fill(7);
      expect((await fixture.flash.load('box')).get('a')).toEqual(bytes(1, 2));
      const again = await fixture.reopen();
      expect([...(await again.load('box'))]).toEqual([
        ['a', bytes(1, 2)],
        ['b', bytes(3)],
      ]);
    });

    test('erasing a page that does not exist does nothing', async () => {
      await fixture.flash.write('box', [{ erase: 'nothing' }, put('a', 1)]);
      expect([...(await fixture.flash.load('box')).keys()]).toEqual(['a']);
    });

    test('after close nothing more is written', async () => {
      await fixture.flash.close();
      await expect(fixture.flash.write('box', [put('a', 1)])).rejects.toBeInstanceOf(Error);
    });

    test('after an interrupted last write the older content is returned', async (context) => {
      const { tearLastWrite } = fixture;
      if (typeof tearLastWrite !== 'function') return context.skip(tearLastWrite.none);
      await fixture.flash.write('box', [put('a', 1, 1, 1, 1), put('b', 2, 2, 2, 2)]);
      await fixture.flash.write('box', [put('a', 3, 3, 3, 3)]);
      await tearLastWrite('box');
      const again = await fixture.reopen();
      expect([...(await again.load('box'))]).toEqual([
        ['a', bytes(1, 1, 1, 1)],
        ['b', bytes(2, 2, 2, 2)],
      ]);
      await again.write('box', [put('a', 4)]);
      expect((await again.load('box')).get('a')).toEqual(bytes(4));
    });

    test('after an interrupted first write nothing of it is left', async (context) => {
      const { tearLastWrite } = fixture;
      if (typeof tearLastWrite !== 'function') return context.skip(tearLastWrite.none);
      await fixture.flash.write('box', [put('a', 1, 1, 1, 1)]);
      await tearLastWrite('box');
      expect((await (await fixture.reopen()).load('box')).size).toBe(0);
    });

    test('without space a write is FlashFull, and nothing of it was written', async (context) => {
      const { fill } = fixture;
      if (typeof fill !== 'function') return context.skip(fill.none);
      await fixture.flash.write('box', [put('a', 1)]);
      await fill();
      const writing = fixture.flash.write('box', [
        { erase: 'a' },
        { put: 'big', bytes: new Uint8Array(100_000).fill(1) },
      ]);
      await expect(writing).rejects.toBeInstanceOf(FlashFull);
      expect([...(await fixture.flash.load('box')).keys()]).toEqual(['a']);
    });
  });
}
