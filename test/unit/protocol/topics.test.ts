import { describe, expect, test } from 'vitest';
import { isFormerPresence, parseTopic, topics } from '../../../protocol/topics.ts';

const BOX = '0123456789abcdef';

describe('a topic', () => {
  test.each([
    [`boxes/${BOX}/presence`, true],
    ['boxes/0/presence', false],
    [`boxes/${BOX}0/presence`, false],
    [`x/boxes/${BOX}/presence`, false],
    [`boxes/${BOX}/presence/x`, false],
    [`boxes/${BOX.toUpperCase()}/presence`, false],
    [topics.presence(BOX), false],
  ])('%s is of presence before there were partitions: %s', (topic, isFormer) => {
    expect(isFormerPresence(topic)).toBe(isFormer);
  });

  test('of a box under the partition of another one is none', () => {
    expect(parseTopic(topics.up(BOX))).toEqual({ boxId: BOX, channel: 'up' });
    expect(parseTopic(topics.up(BOX).replace('/49/', '/48/'))).toBeUndefined();
  });
});
