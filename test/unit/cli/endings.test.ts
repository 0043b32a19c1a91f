import { expect, test } from 'vitest';
import { Endings } from '../../../cli/endings.ts';

test('what was started last is ended first', async () => {
  const order: string[] = [];
  const endings = new Endings();
  for (const name of ['store', 'broker', 'service']) await endings.add(() => void order.push(name));
  await endings.close();
  expect(order).toEqual(['service', 'broker', 'store']);
});

test('what fails to end does not keep the rest from it, and is told', async () => {
  const order: string[] = [];
  const endings = new Endings();
  await endings.add(() => void order.push('store'));
  await endings.add(() => Promise.reject(new Error('stuck')));
  await expect(endings.close()).rejects.toThrow('stuck');
  expect(order).toEqual(['store']);
});

test('what is started while everything ends is ended at once', async () => {
  const endings = new Endings();
  await endings.close();
  let isEnded = false;
  await endings.add(() => {
    isEnded = true;
  });
  expect(isEnded).toBe(true);
});
