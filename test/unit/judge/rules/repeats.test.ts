import { expect, test } from 'vitest';
import { Repeats } from '../../../../judge/rules/repeats.ts';

/** What of these messages came more wrongly, each told by its id and when it came, in seconds. */
function wrong(messages: readonly (readonly [id: string, atS: number])[], restartsS: readonly number[] = []) {
  const repeats = new Repeats(restartsS.map((restartS) => restartS * 1_000));
  return messages.flatMap(([id, atS]) => {
    if (repeats.has(id)) return repeats.isAllowedRepeat(id, atS * 1_000) ? [] : [`${id} at ${atS}`];
    repeats.addFirst(id);
    return [];
  });
}

test('a message may be repeated directly after itself, at any time', () => {
  expect(
    wrong([
      ['a', 1],
      ['a', 2],
      ['b', 3],
      ['b', 3],
      ['b', 4],
    ]),
  ).toEqual([]);
});

test('it may not be repeated after a later message, unless the service has restarted', () => {
  const goesBack = [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const;
  expect(wrong(goesBack)).toEqual(['a at 3']);
  expect(wrong(goesBack, [4])).toEqual(['a at 3']);
});

test('after a restart the last ones may be repeated in order, followed by new ones', () => {
  const anew = [
    ['a', 1],
    ['b', 2],
    ['a', 6],
    ['b', 7],
    ['c', 8],
  ] as const;
  expect(wrong(anew, [5])).toEqual([]);
  expect(wrong([...anew, ['b', 9]], [5])).toEqual(['b at 9']);
  expect(wrong([...anew, ['b', 19], ['c', 20]], [5, 15])).toEqual([]);
});

test('one restart does not allow messages in another order', () => {
  expect(
    wrong(
      [
        ['a', 1],
        ['b', 2],
        ['b', 6],
        ['a', 7],
        ['b', 8],
        ['a', 9],
      ],
      [5],
    ),
  ).toEqual(['a at 9']);
});

test('restarts without repeats allow none later, except one whose messages were delayed', () => {
  const goesBack = (atS: number) =>
    [
      ['a', atS],
      ['b', atS],
    ] as const;
  const messages = [...goesBack(1), ...goesBack(60), ...goesBack(61), ...goesBack(62), ...goesBack(90)];
  expect(wrong(messages, [10, 20, 30, 40, 80])).toEqual(['a at 62']);
});
