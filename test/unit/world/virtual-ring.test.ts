import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ring, type RingMember } from '../../../world/virtual-ring.ts';

interface Numbered extends RingMember<Numbered> {
  readonly number: number;
}

test('a ring holds what a set would, in the same order, whoever is taken out', () => {
  const act = fc.oneof(
    fc.record({ act: fc.constant('add' as const) }),
    fc.record({ act: fc.constant('remove' as const), place: fc.nat(20) }),
    fc.record({ act: fc.constant('clear' as const) }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const ring = new Ring<Numbered>();
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
