import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBodyTimeout, waitText } from '../../../../cli/commands/wire.ts';

const VEHICLE = '8B13V';
const box = (ignitionOn: boolean, belief: Readonly<Record<string, unknown>>) => ({
  boxId: '0787010120a9dc28',
  truth: { ignitionOn },
  belief: { power: 'up', session: 'ready', ...belief },
});

test.each([
  [
    'a parked vehicle sends seldom, and how frames are had is said',
    box(false, { clockMs: 1_000_000, nextAlarmMs: 2_800_000 }),
    /is parked: .* when it wakes on its own, in 30m at the latest.*npx boxtwin do 8B13V drive/,
  ],
  ['a vehicle that drives speaks by itself', box(true, {}), /ignition is on/],
  ['a box without a session waits for one', box(false, { session: 'connecting' }), /session is "connecting"/],
  ['a box without power sends nothing', box(true, { power: 'dead' }), /is dead: it sends nothing/],
])('%s', (_what, looked, expected) => {
  expect(waitText(looked, VEHICLE)).toMatch(expected);
});

test('every state of the simulator has a sentence', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(waitText(value, VEHICLE)).toMatch(/^listening to box/);
    }),
  );
});

test('a body in which nothing arrives for long is asked for again, and a connection that broke is not', () => {
  const cause = (code: string) => Object.assign(new Error('terminated'), { code });
  expect(isBodyTimeout(new TypeError('terminated', { cause: cause('UND_ERR_BODY_TIMEOUT') }))).toBe(true);
  expect(isBodyTimeout(new TypeError('terminated', { cause: cause('UND_ERR_SOCKET') }))).toBe(false);
  expect(isBodyTimeout(new TypeError('terminated'))).toBe(false);
});
