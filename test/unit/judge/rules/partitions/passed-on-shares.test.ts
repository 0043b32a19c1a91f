import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ShareEvent } from '../../../../../judge/evidence/partition-history.ts';
import { Findings } from '../../../../../judge/rules/findings.ts';
import { judgePassedOn } from '../../../../../judge/rules/partitions/passed-on-shares.ts';

const END_MS = 600_000;

function found(...events: readonly ShareEvent[]): readonly string[] {
  const findings = new Findings();
  judgePassedOn(events, END_MS, findings);
  return findings.result([]).findings.map(({ text }) => text);
}

const event = (atMs: number, backend: string, what: ShareEvent['what'], held = 0): ShareEvent => ({
  what,
  atMs,
  backend,
  held,
});
const TWO = [event(0, 'a', 'joined', 64), event(9_000, 'b', 'joined')] as const;

test('who stops passes on all, and leaves soon or dies at it', () => {
  const passed = event(200_000, 'a', 'passed', 0);
  expect(found(...TWO, passed)).toHaveLength(1);
  for (const end of ['left', 'lapsed'] as const)
    expect(found(...TWO, passed, event(210_000, 'a', end))).toEqual([]);
  expect(found(...TWO, passed, event(210_000, 'b', 'left'))).toHaveLength(1);
});

test('of whom others have taken partitions, or whose leases lapsed, passes on what it was told', () => {
  const passed = event(200_000, 'a', 'passed', 10);
  for (const before of ['lost', 'lapsed'] as const)
    expect(found(...TWO, event(150_000, 'a', before), event(160_000, 'a', 'joined'), passed)).toEqual([]);
});

test('a surplus is that of the most backends that were there a while ago', () => {
  const third = [event(190_000, 'c', 'joined'), event(195_000, 'c', 'left')];
  expect(found(...TWO, event(200_000, 'a', 'passed', 21))).toHaveLength(1);
  expect(found(...TWO, ...third, event(200_000, 'a', 'passed', 21))).toEqual([]);
});

test('of any number of backends each may keep its share', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 0, max: 64 }), (backends, held) => {
      const joined = Array.from({ length: backends }, (_, index) => event(index, `b${index}`, 'joined'));
      const share = Math.floor(64 / backends);
      expect(found(...joined, event(200_000, 'b0', 'passed', held))).toHaveLength(held < share ? 1 : 0);
    }),
  );
});
