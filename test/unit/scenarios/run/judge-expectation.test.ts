import { expect, test } from 'vitest';
import type { Expectation } from '../../../../scenarios/language/expectations/expectations.ts';
import { type ExpectationContext, judgeExpectation } from '../../../../scenarios/run/judge-expectation.ts';
import type { ApiAnswer, SeenMessage } from '../../../../scenarios/testbed/port/testbed.ts';
import { FakeTestbed, vehicleOf } from '../../../support/scenarios/fake-testbed.ts';

const away: ApiAnswer = { status: 0, headers: {}, body: undefined, tookMs: 40 };

function judged(expectation: Expectation, more: Partial<ExpectationContext>) {
  return judgeExpectation(expectation, vehicleOf(1), {
    testbed: new FakeTestbed(1),
    answerOf: () => undefined,
    outcomeOf: () => undefined,
    messages: () => [],
    spansOf: () => [],
    jobId: () => undefined,
    ...more,
  });
}

test('a call without an answer is reported as such, and not as the status 0', async () => {
  const { text, ...rest } = await judged({ kind: 'answer', status: 200 }, { answerOf: () => away });
  expect(rest).toEqual({ result: 'failed', findings: [], isFinal: true });
  expect(text).toBe('no answer came: the service was away, or gave no token; expected answer.status 200');
});

test('an answer with another status is reported with its detail', async () => {
  const refused = {
    ...away,
    status: 409,
    body: { type: '/problems/vehicle/state-conflict', detail: 'It drives.' },
  };
  const { result, text } = await judged({ kind: 'answer', status: 200 }, { answerOf: () => refused });
  expect(result).toBe('failed');
  expect(text).toMatch(/^answer\.status is 409, expected 200; status 409 \(.*It drives\.\)$/);
});

test('the duration of a call is not reported if there was no answer', async () => {
  const tooSlow = { kind: 'took', took: { at_most: 10 } } as const;
  const said = async (answer: ApiAnswer) => (await judged(tooSlow, { answerOf: () => answer })).text;
  expect(await said(away)).toBe('the call, to which no answer came, took 40 ms, expected 0 to 10 ms');
  expect(await said({ ...away, status: 200 })).toBe('the answer took 40 ms, expected 0 to 10 ms');
});

test('one message is reported in the singular', async () => {
  const one: SeenMessage = {
    atMs: 1,
    vehicleId: 'VEH01',
    name: 'SmokeDetected',
    messageId: 'm',
    queue: 'q',
    body: {},
  };
  const { result, text } = await judged(
    { kind: 'message', message: 'SmokeDetected', count: 2 },
    { messages: () => [one] },
  );
  expect(result).toBe('failed');
  expect(text).toBe('1 message SmokeDetected, expected 2; 1 of that name came');
});

test('a message is looked for in a queue of that name, or of that fleet', async () => {
  const came = ['VehicleState_v1-own', 'VehicleState_v1-partner'].map(
    (queue): SeenMessage => ({
      atMs: 1,
      vehicleId: 'VEH01',
      name: 'VehicleStateReceived',
      messageId: queue,
      queue,
      body: {},
    }),
  );
  const resultOf = async (wanted: object, count: number) =>
    (
      await judged(
        { kind: 'message', message: 'VehicleStateReceived', count, with: wanted },
        { messages: () => came },
      )
    ).result;
  expect(await resultOf({}, 2)).toBe('passed');
  expect(await resultOf({ fleet: 'partner' }, 1)).toBe('passed');
  expect(await resultOf({ fleet: 'stranger' }, 0)).toBe('passed');
  expect(await resultOf({ queue: { like: '-own$' } }, 1)).toBe('passed');
  expect(await resultOf({ queue: 'VehicleState_v1-own', fleet: 'partner' }, 0)).toBe('passed');
});
