import { expect, test } from 'vitest';
import { limits } from '../../../../deployment/testbed/limits.ts';
import { waitUntilReady } from '../../../../deployment/testbed/real-testbed.ts';
import type { Time } from '../../../../world/time/time.ts';

/** Time in which every alarm is due at once. */
function leapingTime(): Time {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    alarm: (dueMs, wake) => {
      nowMs = Math.max(nowMs, dueMs);
      queueMicrotask(wake);
      return () => undefined;
    },
  };
}

const AWAY = 'There is no connection to the message broker; the service keeps trying to connect.';
const degraded = {
  status: 'degraded',
  checks: [
    { name: 'mqtt', status: 'ok', reason: '' },
    { name: 'amqp', status: 'degraded', reason: AWAY },
  ],
};

test('a run waits for the service until it is connected with all that it needs', async () => {
  const answers = [undefined, degraded, degraded, { status: 'ready', checks: [] }];
  const asked: string[] = [];
  const time = leapingTime();
  await waitUntilReady((request) => {
    asked.push(new URL(request.url).pathname);
    const answer = answers.shift();
    return Promise.resolve(answer === undefined ? undefined : Response.json(answer));
  }, time);
  expect(asked).toEqual(Array(4).fill('/health/ready'));
  expect(time.nowMs()).toBe(3 * limits.comeUpLookMs);
});

test('if it never is, the reason is reported after a time-out', async () => {
  const time = leapingTime();
  const waiting = waitUntilReady(() => Promise.resolve(Response.json(degraded)), time);
  await expect(waiting).rejects.toThrow(`The service did not come up: ${AWAY}`);
  expect(time.nowMs()).toBe(limits.comeUpMs);
  await expect(waitUntilReady(() => Promise.resolve(undefined), leapingTime())).rejects.toThrow('it is away');
});
