import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LinkedList, type ListMember } from '../../../../world/loop/virtual-linked-list.ts';

interface Numbered extends ListMember<Numbered> {
  readonly number: number;
}

test('a linked list has the members of a set, in the same order, whichever are removed', () => {
  const act = fc.oneof(
    fc.record({ act: fc.constant('add' as const) }),
    fc.record({ act: fc.constant('remove' as const), place: fc.nat(20) }),
    fc.record({ act: fc.constant('clear' as const) }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const ring = new LinkedList<Numbered>();
      const set = new Set<Numbered>();
      for (const [number, each] of acts.entries()) {
        switch (each.act) {
          case 'add': {
            const member: Numbered = { number, before: undefined, after: undefined };
            ring.add(member);
            set.add(member);
            break;
          }
          case 'remove': {
            const member = [...set][each.place];
            if (member === undefined) break;
            ring.remove(member);
            set.delete(member);
            break;
          }
          case 'clear':
            ring.clear();
            set.clear();
            break;
          default:
            each satisfies never;
        }
        expect([...ring].map(({ number: one }) => one)).toEqual([...set].map(({ number: one }) => one));
      }
    }),
  );
});
