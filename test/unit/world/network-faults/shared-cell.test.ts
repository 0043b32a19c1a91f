import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SharedCell } from '../../../../world/network-faults/shared-cell.ts';

const [one, other] = [{}, {}];

test('what one sends passes behind what others sent before, in each direction by itself', () => {
  const cell = new SharedCell({ up: 8_000, down: 16_000 });
  expect(cell.passedMs(one, 'up', 1_000, 100)).toBe(1_100);
  expect(cell.passedMs(other, 'up', 1_000, 50)).toBe(1_150);
  expect(cell.passedMs(other, 'down', 1_000, 100)).toBe(1_050);
  expect(cell.passedMs(one, 'up', 5_000, 100)).toBe(5_100);
});

test('a direction without a rate is free', () => {
  expect(new SharedCell({ up: 1 }).passedMs(one, 'down', 7, 1_000_000)).toBe(7);
});

test('what is lost on its way makes room for what others send after that', () => {
  const cell = new SharedCell({ up: 8_000 });
  cell.passedMs(one, 'up', 0, 1_000);
  cell.passedMs(other, 'up', 0, 1_000);
  cell.release(one, 400);
  expect(cell.passedMs(other, 'up', 400, 100)).toBe(1_500);
  cell.release(one, 400);
  expect(cell.passedMs(other, 'up', 400, 100)).toBe(1_600);
});

test('no more passes than its rate, whoever sends when', () => {
  const sent = fc.record({
    who: fc.constantFrom(one, other),
    afterMs: fc.nat(500),
    bytes: fc.integer({ min: 1, max: 500 }),
  });
  fc.assert(
    fc.property(fc.array(sent, { minLength: 1, maxLength: 30 }), (packets) => {
      const cell = new SharedCell({ up: 8_000 });
      let nowMs = 0;
      let lastMs = 0;
      for (const { who, afterMs, bytes } of packets) {
        nowMs += afterMs;
        const passedMs = cell.passedMs(who, 'up', nowMs, bytes);
        expect(passedMs).toBeGreaterThanOrEqual(Math.max(lastMs, nowMs) + bytes - 0.001);
        lastMs = passedMs;
      }
    }),
  );
});
