import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FlashFull, type FlashOperation, LazyPage } from '../../../../world/flash/flash.ts';
import { FlashImage } from '../../../../world/flash/virtual-flash-image.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

const key = fc.constantFrom('a', 'b', 'c', 'ü'.repeat(40));
const bytes = fc.uint8Array({ maxLength: 300 });
const operation: fc.Arbitrary<FlashOperation> = fc.oneof(
  fc.record({ put: key, bytes }),
  fc.tuple(key, bytes).map(([put, late]) => new LazyPage(put, () => late.slice())),
  fc.record({ erase: key }),
);
const write = fc.array(operation, { minLength: 1, maxLength: 6 });

const pagesAfter = (writes: readonly (readonly FlashOperation[])[]) => {
  const image = new FlashImage();
  for (const each of writes) image.write(each);
  return [...image.pages()];
};

describe('a flash image', () => {
  test('after an interrupted write has the content from before that write, and can be written again', () => {
    fc.assert(
      fc.property(fc.array(write), write, write, (before, torn, after) => {
        const image = new FlashImage();
        for (const each of before) image.write(each);
        image.write(torn);
        image.tearLastWrite();
        expect([...image.pages()]).toEqual(pagesAfter(before));
        image.write(after);
        expect([...image.pages()]).toEqual(pagesAfter([...before, after]));
      }),
    );
  });
});

describe('a lazy page', () => {
  test('reads like any other, also if the write after it was interrupted, and is never packed unless it is read', async () => {
    let packed = 0;
    const late = (key: string, value: number) =>
      new LazyPage(key, () => {
        packed += 1;
        return Uint8Array.of(value);
      });
    const world = openVirtualWorld({ seed: 1 });
    await world.run(async () => {
      for (let value = 0; value < 10; value += 1)
        await world.flash.write('box', [late('a', value), late('b', value), { erase: 'b' }]);
      expect(packed).toBe(0);
      expect([...(await world.flash.load('box'))]).toEqual([['a', Uint8Array.of(9)]]);
      expect(packed).toBe(1);
      world.flashImages.tearLastWrite('box');
      expect([...(await world.flash.load('box'))]).toEqual([['a', Uint8Array.of(8)]]);
    });
  });
});

describe('virtual flash', () => {
  test('a write is durable once it has resolved, even if the program is killed then', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const program = world.instance('boxes');
    await world.run(() => program.flash.write('box', [{ put: 'a', bytes: Uint8Array.of(1) }]));
    program.kill();
    const pages = await world.run(() => world.instance('boxes').flash.load('box'));
    expect([...pages]).toEqual([['a', Uint8Array.of(1)]]);
  });

  test('a program that is killed during a write leaves all of it or nothing, and gets no answer', async () => {
    const outcomes = new Set<number>();
    for (let seed = 0; seed < 40; seed++) {
      const world = openVirtualWorld({ seed });
      const program = world.instance('boxes');
      let isResolved = false;
      const operations = ['a', 'b', 'c'].map((name) => ({ put: name, bytes: Uint8Array.of(1) }));
      void program.flash.write('box', operations).then(() => {
        isResolved = true;
      });
      world.loop.schedule(world.loop.nowMs + 1, 'kill', () => program.kill());
      await world.runFor(100);
      if (isResolved) continue;
      outcomes.add((await world.run(() => world.flash.load('box'))).size);
    }
    expect(outcomes).toEqual(new Set([0, 3]));
  });

  test('when full, pages cannot be put but can be erased, and then put again', async () => {
    const world = openVirtualWorld({ seed: 1 });
    await world.run(async () => {
      const put: FlashOperation = { put: 'a', bytes: Uint8Array.of(1) };
      await world.flash.write('box', [put]);
      world.flashImages.setFull('box', true);
      await expect(world.flash.write('box', [{ erase: 'a' }, put])).rejects.toBeInstanceOf(FlashFull);
      expect((await world.flash.load('box')).size).toBe(1);
      await world.flash.write('other', [put]);
      await world.flash.write('box', [{ erase: 'a' }]);
      world.flashImages.setFull('box', false);
      await world.flash.write('box', [put]);
      expect((await world.flash.load('box')).size).toBe(1);
    });
  });
});
