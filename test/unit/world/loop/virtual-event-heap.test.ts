import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventHeap, type HeapEntry } from '../../../../world/loop/virtual-event-heap.ts';

type Step =
  | { readonly kind: 'push'; readonly atMs: number }
  | { readonly kind: 'pop' }
  | { readonly kind: 'cancel'; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('push' as const), atMs: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pop' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat() }) },
);

const byTimeAndOrder = (a: HeapEntry, b: HeapEntry) => a.atMs - b.atMs || a.order - b.order;

describe('the event heap', () => {
  test('behaves like a sorted list, whatever is pushed, popped and cancelled', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const heap = new EventHeap<HeapEntry>();
        let list: HeapEntry[] = [];
        for (const [order, each] of steps.entries()) {
          switch (each.kind) {
            case 'push': {
              const event = { atMs: each.atMs, order, isCancelled: false };
              heap.push(event);
              list = [...list, event].sort(byTimeAndOrder);
              break;
            }
            case 'pop':
              expect(heap.pop()).toBe(list.shift());
              break;
            case 'cancel': {
              const event = list[each.which % Math.max(1, list.length)];
              if (event !== undefined) heap.cancel(event);
              list = list.filter((other) => other !== event);
              break;
            }
            default:
              each satisfies never;
          }
          expect(heap.size).toBe(list.length);
          expect(heap.peek()).toBe(list[0]);
        }
      }),
    );
  });

  test('removing many cancelled events keeps the order of the others', () => {
    const heap = new EventHeap<HeapEntry>();
    const events = Array.from({ length: 5_000 }, (_, order) => ({
      atMs: (order * 7_919) % 1_000,
      order,
      isCancelled: false,
    }));
    for (const event of events) heap.push(event);
    for (const event of events) if (event.order % 4 !== 0) heap.cancel(event);
    const left = events.filter((event) => event.order % 4 === 0).sort(byTimeAndOrder);
    expect(heap.size).toBe(left.length);
    expect(left.map(() => heap.pop())).toEqual(left);
    expect(heap.pop()).toBeUndefined();
  });
});
