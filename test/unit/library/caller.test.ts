import { expect, test } from 'vitest';
import { boxHandle } from '../../../library/box.ts';

/** The first frame of the stack that an action which is refused rejects with. */
async function firstFrame(act: () => Promise<unknown>): Promise<string | undefined> {
  const error = (await act().catch((one: unknown) => one)) as Error;
  return error.stack?.split('\n').find((line) => line.startsWith('    at'));
}

const box = boxHandle('4b001bd064e21b7f', () =>
  Promise.reject(new Error('409 The vehicle is locked.\nUnlock it.')),
);

test.each([
  ['a function of a box', async () => box.drive()],
  ['any action', async () => box.act('refuel', { to_percent: 50 })],
  ['weather', async () => box.weather('stall')],
])('the stack of a refusal begins in the file that called %s', async (_, act) => {
  expect(await firstFrame(act)).toContain('caller.test.ts');
});

test('its message is whole, before the stack', async () => {
  const error = (await box.park().catch((one: unknown) => one)) as Error;
  expect(error.stack).toMatch(/^Error: 409 The vehicle is locked\.\nUnlock it\.\n {4}at /);
});

test('an unknown action of code without types is told the nearest name', async () => {
  // @ts-expect-error: there is no such action.
  await expect(box.act('dirve')).rejects.toThrow('There is no action "dirve". Did you mean drive?');
});
