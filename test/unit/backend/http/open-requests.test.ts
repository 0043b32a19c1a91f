import { expect, test } from 'vitest';
import { makeOpenRequests } from '../../../../backend/http/open-requests.ts';

test('none is open until one comes, and after the last is answered or has failed', async () => {
  const requests = makeOpenRequests();
  await requests.idle();
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const answer = requests.during(first.promise);
  const failure = requests.during(second.promise);
  let isIdle = false;
  const idle = requests.idle().then(() => {
    isIdle = true;
  });
  first.resolve('answered');
  expect(await answer).toBe('answered');
  await Promise.resolve();
  expect(isIdle).toBe(false);
  second.reject(new Error('failed'));
  await expect(failure).rejects.toThrow('failed');
  await idle;
});
