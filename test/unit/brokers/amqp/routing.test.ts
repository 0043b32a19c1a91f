import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tableOf } from '../../../../brokers/amqp/fields.ts';
import { permitsByPatterns } from '../../../../brokers/amqp/patterns.ts';
import { ReadyQueue } from '../../../../brokers/amqp/ready-queue.ts';
import { matchesHeaders, matchesTopic } from '../../../../brokers/amqp/routing.ts';

describe('topic patterns', () => {
  /** The definition, word by word. */
  function fits([first, ...rest]: readonly string[], words: readonly string[]): boolean {
    if (first === undefined) return words.length === 0;
    if (first === '#')
      return fits(rest, words) || (words.length > 0 && fits([first, ...rest], words.slice(1)));
    return words.length > 0 && (first === '*' || first === words[0]) && fits(rest, words.slice(1));
  }

  test('match as the definition says', () => {
    const word = fc.constantFrom('a', 'b', '');
    const part = fc.oneof(word, fc.constantFrom('*', '#'));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.array(word, { maxLength: 6 }), (pattern, words) => {
        expect(matchesTopic(pattern, words)).toBe(fits(pattern, words));
      }),
    );
  });

  test('many hashes cost no time', () => {
    expect(matchesTopic('#.a.'.repeat(60).split('.'), 'b'.repeat(120).split(''))).toBe(false);
  });
});

test('headers: all or any, a header of the same value, x- headers only where they are asked for', () => {
  const headers = tableOf({ a: 1, b: 'x', 'x-c': true });
  const fits = (args: Parameters<typeof tableOf>[0]) => matchesHeaders(tableOf(args), headers);
  expect(fits({ a: 1, b: 'x' })).toBe(true);
  expect(fits({ a: 1, b: 'y' })).toBe(false);
  expect(fits({ 'x-match': 'any', a: 2, b: 'x' })).toBe(true);
  expect(fits({ 'x-match': 'any', a: 2 })).toBe(false);
  expect(fits({ 'x-c': false })).toBe(true);
  expect(fits({ 'x-match': 'all-with-x', 'x-c': false })).toBe(false);
});

test('what comes back to a queue takes the place that it had', () => {
  const deeds = fc.array(fc.oneof(fc.constant('take'), fc.nat({ max: 20 })), { maxLength: 200 });
  fc.assert(
    fc.property(deeds, (list) => {
      const queue = new ReadyQueue<{ position: number }>();
      const inside = new Set(Array.from({ length: 100 }, (_, position) => position));
      for (const position of inside) queue.push({ position });
      const outside: number[] = [];
      for (const deed of list) {
        if (deed === 'take') {
          const taken = queue.shift()?.position;
          expect(taken).toBe(inside.size === 0 ? undefined : Math.min(...inside));
          if (taken !== undefined) outside.push(taken);
          inside.delete(taken ?? -1);
        } else {
          const [position] = outside.splice(Number(deed) % Math.max(1, outside.length), 1);
          if (position === undefined) continue;
          queue.putBack({ position });
          inside.add(position);
        }
        expect(queue.length).toBe(inside.size);
      }
      expect(queue.clear().map((each) => each.position)).toEqual([...inside].sort((a, b) => a - b));
    }),
  );
});

test('a pattern matches anywhere in a name unless it is anchored, and who has none may do nothing', () => {
  const permits = permitsByPatterns((user) =>
    user === 'reader' ? { configure: /^$/, write: /^$/, read: /^VehicleState/g } : undefined,
  );
  expect(permits('reader', 'read', 'VehicleState-1')).toBe(true);
  expect(permits('reader', 'read', 'VehicleState-1')).toBe(true);
  expect(permits('reader', 'read', 'My-VehicleState')).toBe(false);
  expect(permits('reader', 'write', 'VehicleState-1')).toBe(false);
  expect(permits('stranger', 'read', 'VehicleState-1')).toBe(false);
});
