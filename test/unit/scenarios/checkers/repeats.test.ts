import { expect, test } from 'vitest';
import { Repeats } from '../../../../scenarios/checkers/repeats.ts';

/** What of these messages came more wrongly, each told by its id and when it came, in seconds. */
function wrong(messages: readonly (readonly [id: string, atS: number])[], restartsS: readonly number[] = []) {
  const repeats = new Repeats(restartsS.map((restartS) => restartS * 1_000));
  return messages.flatMap(([id, atS]) => {
    if (repeats.has(id)) return repeats.again(id, atS * 1_000) ? [] : [`${id} at ${atS}`];
    repeats.first(id);
    return [];
  });
}

test('a message may come again directly behind itself, at any time', () => {
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

test('behind a later message it may not, while the service has not been started again', () => {
  const goesBack = [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const;
  expect(wrong(goesBack)).toEqual(['a at 3']);
  expect(wrong(goesBack, [4])).toEqual(['a at 3']);
});

test('after a start the last ones come again in their order, with what is new behind them', () => {
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

test('one start excuses no messages that change their places among one another', () => {
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

test('starts that nothing came of excuse nothing later, but for one whose messages were long on their way', () => {
  const goesBack = (atS: number) =>
    [
      ['a', atS],
      ['b', atS],
    ] as const;
  const messages = [...goesBack(1), ...goesBack(60), ...goesBack(61), ...goesBack(62), ...goesBack(90)];
  expect(wrong(messages, [10, 20, 30, 40, 80])).toEqual(['a at 62']);
});
