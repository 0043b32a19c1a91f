import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FlashFull, type FlashOperation, LatePage } from '../../../world/flash.ts';
import { Chip } from '../../../world/virtual-chip.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';

const key = fc.constantFrom('a', 'b', 'c', 'ü'.repeat(40));
const bytes = fc.uint8Array({ maxLength: 300 });
const operation: fc.Arbitrary<FlashOperation> = fc.oneof(
  fc.record({ put: key, bytes }),
  fc.tuple(key, bytes).map(([put, late]) => new LatePage(put, () => late.slice())),
  fc.record({ erase: key }),
);
const write = fc.array(operation, { minLength: 1, maxLength: 6 });

const pagesAfter = (writes: readonly (readonly FlashOperation[])[]) => {
  const chip = new Chip();
  for (const each of writes) chip.write(each);
  return [...chip.pages()];
};

describe('a chip', () => {
  test('with its last write torn holds what it held before that write, and goes on from there', () => {
    fc.assert(
      fc.property(fc.array(write), write, write, (before, torn, after) => {
        const chip = new Chip();
        for (const each of before) chip.write(each);
        chip.write(torn);
        chip.tearLastWrite();
        expect([...chip.pages()]).toEqual(pagesAfter(before));
        chip.write(after);
        expect([...chip.pages()]).toEqual(pagesAfter([...before, after]));
      }),
    );
  });
});

describe('a late page', () => {
  test('reads as any other, also where the write behind it was torn, and is never packed where nobody reads it', async () => {
    let packed = 0;
    const late = (key: string, value: number) =>
      new LatePage(key, () => {
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
      world.chips.tearLastWrite('box');
      expect([...(await world.flash.load('box'))]).toEqual([['a', Uint8Array.of(8)]]);
    });
  });
});

describe('virtual flash', () => {
  test('a write is in force at once and for ever once it has resolved, whatever dies then', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const program = world.incarnation('boxes');
    await world.run(() => program.flash.write('box', [{ put: 'a', bytes: Uint8Array.of(1) }]));
    program.sever();
    const pages = await world.run(() => world.incarnation('boxes').flash.load('box'));
    expect([...pages]).toEqual([['a', Uint8Array.of(1)]]);
  });

  test('a program that dies during a write leaves all of it or nothing, and never hears of it', async () => {
    const outcomes = new Set<number>();
    for (let seed = 0; seed < 40; seed++) {
      const world = openVirtualWorld({ seed });
      const program = world.incarnation('boxes');
      let isResolved = false;
      const operations = ['a', 'b', 'c'].map((name) => ({ put: name, bytes: Uint8Array.of(1) }));
      void program.flash.write('box', operations).then(() => {
        isResolved = true;
      });
      world.loop.schedule(world.loop.nowMs + 1, 'kill', () => program.sever());
      await world.pass(100);
      if (isResolved) continue;
      outcomes.add((await world.run(() => world.flash.load('box'))).size);
    }
    expect(outcomes).toEqual(new Set([0, 3]));
  });

  test('without room nothing can be put, but erased, and later put again', async () => {
    const world = openVirtualWorld({ seed: 1 });
    await world.run(async () => {
      const put: FlashOperation = { put: 'a', bytes: Uint8Array.of(1) };
      await world.flash.write('box', [put]);
      world.chips.setFull('box', true);
      await expect(world.flash.write('box', [{ erase: 'a' }, put])).rejects.toBeInstanceOf(FlashFull);
      expect((await world.flash.load('box')).size).toBe(1);
      await world.flash.write('other', [put]);
      await world.flash.write('box', [{ erase: 'a' }]);
      world.chips.setFull('box', false);
      await world.flash.write('box', [put]);
      expect((await world.flash.load('box')).size).toBe(1);
    });
  });
});
