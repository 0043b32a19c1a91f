import { expect, test } from 'vitest';
import { comeUp } from '../../../../cli/real-theatre/come-up.ts';
import { limits } from '../../../../cli/real-theatre/limits.ts';
import type { Time } from '../../../../world/time.ts';

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

const AWAY = 'There is no connection to the message broker, and one is tried again.';
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
  await comeUp((request) => {
    asked.push(new URL(request.url).pathname);
    const answer = answers.shift();
    return Promise.resolve(answer === undefined ? undefined : Response.json(answer));
  }, time);
  expect(asked).toEqual(Array(4).fill('/health/ready'));
  expect(time.nowMs()).toBe(3 * limits.comeUpLookMs);
});

test('where it never is, the reason is told, after a time that is bounded', async () => {
  const time = leapingTime();
  const waiting = comeUp(() => Promise.resolve(Response.json(degraded)), time);
  await expect(waiting).rejects.toThrow(`The service did not come up: ${AWAY}`);
  expect(time.nowMs()).toBe(limits.comeUpMs);
  await expect(comeUp(() => Promise.resolve(undefined), leapingTime())).rejects.toThrow('it is away');
});
