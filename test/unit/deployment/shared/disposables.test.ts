import { expect, test } from 'vitest';
import { Disposables } from '../../../../deployment/shared/disposables.ts';

test('the last part started is ended first', async () => {
  const order: string[] = [];
  const disposables = new Disposables();
  for (const name of ['store', 'broker', 'service']) await disposables.add(() => void order.push(name));
  await disposables.close();
  expect(order).toEqual(['service', 'broker', 'store']);
});

test('a part that fails to end does not prevent the others from ending, and is reported', async () => {
  const order: string[] = [];
  const disposables = new Disposables();
  await disposables.add(() => void order.push('store'));
  await disposables.add(() => Promise.reject(new Error('stuck')));
  await expect(disposables.close()).rejects.toThrow('stuck');
  expect(order).toEqual(['store']);
});

test('a part started during the shutdown is ended at once', async () => {
  const disposables = new Disposables();
  await disposables.close();
  let isEnded = false;
  await disposables.add(() => {
    isEnded = true;
  });
  expect(isEnded).toBe(true);
});
