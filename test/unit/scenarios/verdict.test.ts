import { expect, test } from 'vitest';
import { idsOnce } from '../../../scenarios/verdict.ts';

/** Messages as they lie in the queue: id, vehicle, and when they came, in seconds. */
function findingsOf(
  messages: readonly (readonly [id: string, vehicle: string, atS: number])[],
  restartsS: readonly number[] = [],
) {
  return idsOnce(
    messages.map(([id, vehicle, atS]) => ({
      body: Buffer.from(JSON.stringify({ metadata: { message_id: id }, data: { vehicle_id: vehicle } })),
      storedMs: atS * 1_000,
    })),
    restartsS.map((atS) => atS * 1_000),
  ).findings;
}

const GOES_BACK = [
  ['a', 'V1', 1],
  ['b', 'V1', 2],
  ['x', 'V2', 3],
  ['a', 'V1', 6],
  ['b', 'V1', 7],
  ['c', 'V1', 8],
] as const;

test('a message that is repeated behind a later one of its vehicle is found, where no service has died', () => {
  const said = ['reordered: message a of V1 was repeated after a later one'];
  expect(findingsOf(GOES_BACK)).toEqual(said);
  expect(findingsOf(GOES_BACK, [9])).toEqual(said);
});

test('a service that has been started again may repeat the last ones in their order, and once', () => {
  expect(findingsOf(GOES_BACK, [5])).toEqual([]);
  expect(findingsOf([...GOES_BACK, ['b', 'V1', 9]], [5])).toEqual([
    'reordered: message b of V1 was repeated after a later one',
  ]);
});

test('a message may come again directly behind itself, whatever other vehicles say between', () => {
  expect(
    findingsOf([
      ['a', 'V1', 1],
      ['x', 'V2', 2],
      ['a', 'V1', 3],
    ]),
  ).toEqual([]);
});
