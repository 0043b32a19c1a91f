import { expect, test } from 'vitest';
import { startThread, ThreadEnded, ThreadRefused } from '../../../../world/threads/real-thread.ts';

const start = (settings: { readonly refuse?: string } = {}) =>
  startThread<string, string>('../../../support/world/echo-thread', import.meta.url, settings);

test('a thread answers requests in their order, and says what it is when it is ready', async () => {
  const thread = await start();
  expect(thread.ready).toBe('ready to echo');
  expect(await Promise.all(['a', 'b', 'c'].map((word) => thread.ask(word)))).toEqual(['A', 'B', 'C']);
  await thread.close();
});

test('a request that fails rejects with its error, and the next one is answered', async () => {
  const thread = await start();
  const [failed, next] = await Promise.allSettled([thread.ask('throw'), thread.ask('on')]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'told to throw' } });
  expect(next).toEqual({ status: 'fulfilled', value: 'ON' });
  await thread.close();
});

test('a thread that dies rejects what it has not answered, and everything after', async () => {
  const thread = await start();
  const asked = Promise.allSettled([thread.ask('first'), thread.ask('die'), thread.ask('late')]);
  expect((await asked).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  await expect(thread.ask('later')).rejects.toThrow(ThreadEnded);
  await thread.close();
});

test('a thread that is closed answers what it was asked before, and refuses what comes after', async () => {
  const thread = await start();
  const asked = thread.ask('before');
  const closing = thread.close();
  await expect(thread.ask('after')).rejects.toThrow(ThreadEnded);
  expect(await asked).toBe('BEFORE');
  await closing;
  await thread.close();
});

test('a program that refuses its settings rejects the start with the name and the words of its error', async () => {
  const failure: unknown = await start({ refuse: 'not like this' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ThreadRefused);
  expect(failure).toMatchObject({ reason: 'RangeError', message: 'not like this' });
});

test('a program that is not there rejects the start', async () => {
  await expect(startThread('./no-such-program', import.meta.url, {})).rejects.toThrow(/no-such-program/);
});
