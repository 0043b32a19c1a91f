import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fifo } from '../../../../world/loop/virtual-fifo.ts';
import { PacketIds } from '../../../../world/mqtt/virtual-packet-ids.ts';

const isEqual = (value: number, key: number): boolean => value === key;

describe('a FIFO queue', () => {
  test('behaves like an array, whatever is pushed and removed', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('push' as const), value: fc.nat(5) }),
      fc.record({ kind: fc.constant('take' as const), value: fc.nat(5) }),
      fc.record({ kind: fc.constantFrom('shift' as const, 'clear' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const fifo = new Fifo<number>();
        let list: number[] = [];
        for (const each of steps) {
          switch (each.kind) {
            case 'push':
              fifo.push(each.value);
              list.push(each.value);
              break;
            case 'take': {
              const at = list.indexOf(each.value);
              expect(fifo.take(isEqual, each.value)).toBe(list[at]);
              if (at >= 0) list.splice(at, 1);
              break;
            }
            case 'shift':
              expect(fifo.shift()).toBe(list.shift());
              break;
            case 'clear':
              expect(fifo.clear()).toEqual(list);
              list = [];
              break;
            default:
              each satisfies never;
          }
          expect([fifo.length, fifo.first, fifo.all()]).toEqual([list.length, list[0], list]);
        }
      }),
    );
  });
});

describe('packet identifiers', () => {
  test('go from 1 to 65535 and start again, skipping those in use', () => {
    const ids = new PacketIds<string>();
    expect([ids.add('first'), ids.add('stays'), ids.add('third')]).toEqual([1, 2, 3]);
    expect([ids.take(1), ids.take(3), ids.take(3)]).toEqual(['first', 'third', undefined]);
    for (let id = 4; id <= 65_535; id += 1) ids.take(ids.add('passes'));
    expect([ids.add('a'), ids.add('b'), ids.size]).toEqual([1, 3, 3]);
    expect(ids.clear()).toEqual(['stays', 'a', 'b']);
  });
});
