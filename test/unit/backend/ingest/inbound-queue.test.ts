import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReceivedPayload } from '../../../../backend/ingest/inbound-message.ts';
import { InboundQueue } from '../../../../backend/ingest/inbound-queue.ts';

const SESSION = {};
const bounds = { payloads: 4, bytes: 100, resumeFraction: 0.5 };

function arrival(size: number, number = 0): ReceivedPayload {
  return { topic: `${number}`, bytes: new Uint8Array(size), retained: false, receivedMs: 1 };
}

describe('the inbound queue', () => {
  test('acknowledges at once below its limits and delays above them', () => {
    const queue = new InboundQueue(bounds);
    const acknowledged: number[] = [];
    for (let number = 1; number <= 5; number += 1)
      queue.add(arrival(1, number), () => acknowledged.push(number), SESSION);
    expect(acknowledged).toEqual([1, 2, 3, 4]);
    expect(queue.isHoldingBack).toBe(true);
    queue.removeOldest(2);
    expect(queue.isHoldingBack).toBe(true);
    queue.removeOldest(1);
    expect(acknowledged).toEqual([1, 2, 3, 4, 5]);
    expect(queue.isHoldingBack).toBe(false);
  });

  test('is limited in bytes as well', () => {
    const queue = new InboundQueue(bounds);
    const acknowledged: number[] = [];
    queue.add(arrival(100), () => acknowledged.push(1), SESSION);
    queue.add(arrival(1), () => acknowledged.push(2), SESSION);
    expect(acknowledged).toEqual([1]);
    queue.removeOldest(1);
    expect(acknowledged).toEqual([1, 2]);
  });

  test('shows so many of its oldest payloads as are asked for', () => {
    const queue = new InboundQueue(bounds);
    for (let number = 1; number <= 3; number += 1) queue.add(arrival(1, number), () => undefined, SESSION);
    const shown = (count: number) => queue.peek(count).map(({ topic }) => topic);
    expect([shown(0), shown(2), shown(9)]).toEqual([[], ['1', '2'], ['1', '2', '3']]);
  });

  test('acknowledges again once it is down to its part of both limits', () => {
    const queue = new InboundQueue(bounds);
    const acknowledged: number[] = [];
    queue.add(arrival(20), () => acknowledged.push(1), SESSION);
    queue.add(arrival(60), () => acknowledged.push(2), SESSION);
    queue.add(arrival(30), () => acknowledged.push(3), SESSION);
    expect(acknowledged).toEqual([1, 2]);
    queue.removeOldest(1);
    expect(queue.isHoldingBack).toBe(true);
    queue.removeOldest(1);
    expect(acknowledged).toEqual([1, 2, 3]);
    expect(queue.isHoldingBack).toBe(false);
  });

  test('drops the acknowledgements of an ended session, and keeps its payloads', () => {
    const queue = new InboundQueue(bounds);
    queue.add(arrival(100), () => undefined, SESSION);
    queue.add(
      arrival(1),
      () => {
        throw new Error('acknowledged to a session that is gone');
      },
      SESSION,
    );
    queue.forgetHeldAcknowledgements(SESSION);
    expect(queue.isHoldingBack).toBe(false);
    queue.removeOldest(2);
    expect(queue.length).toBe(0);
  });

  test('keeps the acknowledgements of other sessions', () => {
    const queue = new InboundQueue(bounds);
    const acknowledged: number[] = [];
    queue.add(arrival(100), () => acknowledged.push(1), SESSION);
    queue.add(arrival(1), () => acknowledged.push(2), SESSION);
    queue.add(arrival(1), () => acknowledged.push(3), {});
    queue.forgetHeldAcknowledgements(SESSION);
    queue.removeOldest(3);
    expect(acknowledged).toEqual([1, 3]);
  });

  test('says when everything that waits at a moment has been processed', async () => {
    const queue = new InboundQueue(bounds);
    const passed: string[] = [];
    const note = (name: string) => void queue.passed().then(() => passed.push(name));
    queue.add(arrival(1, 1), () => undefined, SESSION);
    queue.add(arrival(1, 2), () => undefined, SESSION);
    note('both');
    queue.add(arrival(1, 3), () => undefined, SESSION);
    queue.removeOldest(1);
    await Promise.resolve();
    expect(passed).toEqual([]);
    queue.removeOldest(1);
    await Promise.resolve();
    expect(passed).toEqual(['both']);
  });

  test('has nothing to wait for where it is empty', async () => {
    const queue = new InboundQueue(bounds);
    let isPassed = false;
    void queue.passed().then(() => {
      isPassed = true;
    });
    await Promise.resolve();
    expect(isPassed).toBe(true);
  });

  test('a producer that waits for acknowledgements exceeds the limit by at most one, and is not blocked for ever', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 60 }), (sizes) => {
        const queue = new InboundQueue(bounds);
        const order: string[] = [];
        let isHeld = false;
        for (const [number, size] of sizes.entries()) {
          while (isHeld) {
            const [oldest] = queue.peek(1);
            order.push(oldest?.topic ?? 'none');
            queue.removeOldest(1);
          }
          isHeld = true;
          queue.add(
            arrival(size, number),
            () => {
              isHeld = false;
            },
            SESSION,
          );
          expect(queue.length).toBeLessThanOrEqual(bounds.payloads + 1);
        }
        for (const rest of queue.peek(100)) order.push(rest.topic);
        expect(order).toEqual(sizes.map((_, number) => `${number}`));
      }),
    );
  });
});
