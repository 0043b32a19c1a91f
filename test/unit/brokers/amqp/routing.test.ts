import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tableOf } from '../../../../brokers/amqp/codec/fields.ts';
import { permitsByPatterns } from '../../../../brokers/amqp/permission-patterns.ts';
import { ReadyQueue } from '../../../../brokers/amqp/ready-queue.ts';
import { matchesHeaders } from '../../../../brokers/amqp/routing.ts';

test('headers: all or any, equal values, x- headers only on request', () => {
  const headers = tableOf({ a: 1, b: 'x', 'x-c': true });
  const fits = (args: Parameters<typeof tableOf>[0]) => matchesHeaders(tableOf(args), headers);
  expect(fits({ a: 1, b: 'x' })).toBe(true);
  expect(fits({ a: 1, b: 'y' })).toBe(false);
  expect(fits({ 'x-match': 'any', a: 2, b: 'x' })).toBe(true);
  expect(fits({ 'x-match': 'any', a: 2 })).toBe(false);
  expect(fits({ 'x-c': false })).toBe(true);
  expect(fits({ 'x-match': 'all-with-x', 'x-c': false })).toBe(false);
});

test('a requeued message regains its position', () => {
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

test('a pattern matches anywhere in a name unless it is anchored, and without patterns nothing is allowed', () => {
  const permits = permitsByPatterns((user) =>
    user === 'reader' ? { configure: /^$/, write: /^$/, read: /^VehicleState/g } : undefined,
  );
  expect(permits('reader', 'read', 'VehicleState-1')).toBe(true);
  expect(permits('reader', 'read', 'VehicleState-1')).toBe(true);
  expect(permits('reader', 'read', 'My-VehicleState')).toBe(false);
  expect(permits('reader', 'write', 'VehicleState-1')).toBe(false);
  expect(permits('stranger', 'read', 'VehicleState-1')).toBe(false);
});
