import { describe, expect, test } from 'vitest';
import { allDone } from '../../../../deployment/shared/all-done.ts';

describe('several things at the same time', () => {
  test('have their results in the order in which they were given', async () => {
    const last = Promise.withResolvers<string>();
    const done = allDone([last.promise, Promise.resolve(2)]);
    last.resolve('one');
    expect(await done).toEqual(['one', 2]);
  });

  test('fail once all of them have ended, with the failure that was given first', async () => {
    const slow = Promise.withResolvers<string>();
    let hasFailed = false;
    const done = allDone([slow.promise, Promise.reject(new Error('the second'))]).catch((error: unknown) => {
      hasFailed = true;
      return error;
    });
    await new Promise(setImmediate);
    expect(hasFailed).toBe(false);
    slow.reject(new Error('the first'));
    expect(await done).toEqual(new Error('the first'));
  });
});
