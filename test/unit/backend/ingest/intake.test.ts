import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Intake } from '../../../../backend/ingest/intake.ts';
import type { Arrival } from '../../../../backend/ingest/letter.ts';

const bounds = { payloads: 4, bytes: 100, resumeFraction: 0.5 };

function arrival(size: number, number = 0): Arrival {
  return { topic: `${number}`, bytes: new Uint8Array(size), retained: false, receivedMs: 1 };
}

describe('the intake', () => {
  test('acknowledges at once below its bounds and holds above them', () => {
    const intake = new Intake(bounds);
    const acknowledged: number[] = [];
    for (let number = 1; number <= 5; number += 1)
      intake.take(arrival(1, number), () => acknowledged.push(number));
    expect(acknowledged).toEqual([1, 2, 3, 4]);
    expect(intake.isBraking).toBe(true);
    intake.drop(2);
    expect(intake.isBraking).toBe(true);
    intake.drop(1);
    expect(acknowledged).toEqual([1, 2, 3, 4, 5]);
    expect(intake.isBraking).toBe(false);
  });

  test('is bounded in bytes as well', () => {
    const intake = new Intake(bounds);
    const acknowledged: number[] = [];
    intake.take(arrival(100), () => acknowledged.push(1));
    intake.take(arrival(1), () => acknowledged.push(2));
    expect(acknowledged).toEqual([1]);
    intake.drop(1);
    expect(acknowledged).toEqual([1, 2]);
  });

  test('forgets the acknowledgements of a session that is gone, and keeps its payloads', () => {
    const intake = new Intake(bounds);
    intake.take(arrival(100), () => undefined);
    intake.take(arrival(1), () => {
      throw new Error('acknowledged to a session that is gone');
    });
    intake.forgetHeld();
    expect(intake.isBraking).toBe(false);
    intake.drop(2);
    expect(intake.length).toBe(0);
  });

  test('a producer that waits for its acknowledgement never gets further than one beyond the bound, and gets on', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 60 }), (sizes) => {
        const intake = new Intake(bounds);
        const order: string[] = [];
        let isHeld = false;
        for (const [number, size] of sizes.entries()) {
          while (isHeld) {
            const [oldest] = intake.peek(1);
            order.push(oldest?.topic ?? 'none');
            intake.drop(1);
          }
          isHeld = true;
          intake.take(arrival(size, number), () => {
            isHeld = false;
          });
          expect(intake.length).toBeLessThanOrEqual(bounds.payloads + 1);
        }
        for (const rest of intake.peek(100)) order.push(rest.topic);
        expect(order).toEqual(sizes.map((_, number) => `${number}`));
      }),
    );
  });
});
