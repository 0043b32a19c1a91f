import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTopicFilter, isTopicName, matchesFilter } from '../../../../world/mqtt/topic-filter.ts';
import { TopicTree } from '../../../../world/mqtt/virtual-topic-tree.ts';

describe('topic filters', () => {
  // The examples of MQTT 3.1.1 sections 4.7.1 and 4.7.2.
  test.each([
    ['sport/tennis/player1/#', 'sport/tennis/player1', true],
    ['sport/tennis/player1/#', 'sport/tennis/player1/ranking', true],
    ['sport/tennis/player1/#', 'sport/tennis/player1/score/wimbledon', true],
    ['sport/#', 'sport', true],
    ['#', 'sport/a/b', true],
    ['sport/tennis/+', 'sport/tennis/player1', true],
    ['sport/tennis/+', 'sport/tennis/player1/ranking', false],
    ['sport/+', 'sport', false],
    ['sport/+', 'sport/', true],
    ['+/+', '/finance', true],
    ['/+', '/finance', true],
    ['+', '/finance', false],
    ['#', '$SYS/monitor', false],
    ['+/monitor/Clients', '$SYS/monitor/Clients', false],
    ['$SYS/#', '$SYS/monitor/Clients', true],
    ['boxes/+/+/up', 'boxes/07/0f3a/up', true],
    ['boxes/+/+/up', 'boxes/07/0f3a/down', false],
  ])('%s and %s: %s', (filter, topic, isMatch) => {
    expect(matchesFilter(filter, topic)).toBe(isMatch);
  });

  test.each([
    ['a/b', true],
    ['+', true],
    ['#', true],
    ['a/+/b/#', true],
    ['', false],
    ['a/#/b', false],
    ['a#', false],
    ['a+/b', false],
    ['a\0b', false],
  ])('%j is a filter: %s', (filter, isOne) => {
    expect(isTopicFilter(filter)).toBe(isOne);
  });

  test('a topic name for publishing has no wildcard', () => {
    expect(['a/b', '', 'a/+', '#', 'a\0'].map(isTopicName)).toEqual([true, false, false, false, false]);
  });

  test('the tree finds the same subscribers as the filters one by one, also after removals', () => {
    const level = fc.constantFrom('a', 'b', '');
    const topic = fc.array(level, { minLength: 1, maxLength: 4 }).map((levels) => levels.join('/'));
    const filter = fc
      .tuple(fc.array(fc.constantFrom('a', 'b', '', '+'), { maxLength: 3 }), fc.constantFrom('a', '+', '#'))
      .map(([levels, last]) => [...levels, last].join('/'));
    fc.assert(
      fc.property(fc.array(filter), fc.array(filter), topic, (kept, removed, name) => {
        const tree = new TopicTree<string>();
        const gone = removed.filter((each) => !kept.includes(each));
        for (const each of [...gone, ...kept]) tree.add(each, each);
        // The cache of this result must be cleared by the changes below.
        tree.match(name);
        for (const each of gone) tree.remove(each, each);
        for (const each of gone) tree.remove(each, each);
        expect(new Set(tree.match(name))).toEqual(new Set(kept.filter((each) => matchesFilter(each, name))));
      }),
    );
  });
});
