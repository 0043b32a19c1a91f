import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../brokers/limits.ts';
import { type Delivery, InProcessInbox } from '../../../../brokers/mqtt/in-process-inbox.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const delivery = (brokerCounter: number, bytes = 1): Delivery => ({
  topic: 'boxes/07/00000000000000b1/up',
  payload: new Uint8Array(bytes),
  isRetained: false,
  brokerCounter,
});

function setUp(isHolding: boolean) {
  const given: number[] = [];
  const acknowledged: number[] = [];
  const marks: boolean[] = [];
  const held: (() => void)[] = [];
  const inbox = new InProcessInbox({
    message: ({ brokerCounter }, acknowledge) => {
      given.push(brokerCounter);
      if (isHolding) held.push(acknowledge);
      else acknowledge();
    },
    acknowledged: ({ brokerCounter }) => acknowledged.push(brokerCounter),
    full: (isFull) => marks.push(isFull),
  });
  return { inbox, given, acknowledged, marks, held };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('the inbox of a session within the process', () => {
  test('does not call its program within a call of the broker', async () => {
    const { inbox, given } = setUp(false);
    inbox.add(delivery(1));
    expect(given).toEqual([]);
    await turn();
    expect(given).toEqual([1]);
  });

  test('gives each message once, in order, the next after the acknowledgement, whatever comes when', async () => {
    const steps = fc.array(fc.constantFrom('add', 'acknowledge', 'turn'), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(steps, async (acts) => {
        const { inbox, given, acknowledged, held } = setUp(true);
        let added = 0;
        for (const act of acts) {
          if (act === 'add') inbox.add(delivery(added++));
          else if (act === 'turn') await turn();
          // A second call of the same one does nothing.
          else for (const acknowledge of [held.at(-1), held.at(-1)]) acknowledge?.();
          expect(given.length - acknowledged.length).toBeLessThanOrEqual(1);
        }
        while (acknowledged.length < added) {
          await turn();
          held.at(-1)?.();
        }
        expect(given).toEqual(numbers(added));
        expect(acknowledged).toEqual(numbers(added));
      }),
    );
  });

  test('is full from its bound of messages on, until it is down to a part of it', async () => {
    const { inbox, marks, held } = setUp(true);
    for (const number of numbers(limits.mqtt.brakeMessages - 1)) inbox.add(delivery(number));
    expect(marks).toEqual([]);
    inbox.add(delivery(limits.mqtt.brakeMessages));
    expect(marks).toEqual([true]);
    while (inbox.length > limits.mqtt.brakeMessages * limits.mqtt.brakeReleaseFraction) {
      expect(marks).toEqual([true]);
      await turn();
      held.at(-1)?.();
    }
    expect(marks).toEqual([true, false]);
  });

  test('is full from its bound of bytes on', async () => {
    const { inbox, marks } = setUp(false);
    inbox.add(delivery(0, limits.mqtt.brakeBytes));
    expect(marks).toEqual([true]);
    await turn();
    expect(marks).toEqual([true, false]);
  });

  test('takes no more than a session keeps', () => {
    const { inbox } = setUp(true);
    for (const number of numbers(limits.mqtt.queuedMessages)) expect(inbox.add(delivery(number))).toBe(true);
    expect(inbox.add(delivery(0))).toBe(false);
    const { inbox: ofBytes } = setUp(true);
    expect(ofBytes.add(delivery(0, limits.mqtt.queuedBytes))).toBe(true);
    expect(ofBytes.add(delivery(1))).toBe(false);
  });

  test('gives nothing once it is closed, takes no acknowledgement, and is not full', async () => {
    const { inbox, given, acknowledged, marks, held } = setUp(true);
    for (const number of numbers(limits.mqtt.brakeMessages)) inbox.add(delivery(number));
    await turn();
    inbox.close();
    held[0]?.();
    await turn();
    expect(given).toEqual([0]);
    expect(acknowledged).toEqual([]);
    expect(marks).toEqual([true, false]);
    expect(inbox.add(delivery(0))).toBe(false);
  });
});
