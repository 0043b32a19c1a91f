import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../../../judge/evidence/evidence.ts';
import { failed, passed } from '../../../../judge/verdict.ts';
import { valueText } from '../../../../judge/wording.ts';
import type { Selection } from '../../../../scenarios/language/document/scenario.ts';
import { mismatchOf, mismatchText } from '../../../../scenarios/language/expectations/match.ts';
import { runLimits } from '../../../../scenarios/limits.ts';
import { awaitMet, awaitNever } from '../../../../scenarios/run/await-expectation.ts';
import { chosenVehicles } from '../../../../scenarios/run/chosen-vehicles.ts';
import { RunRecord } from '../../../../scenarios/run/record.ts';
import { heal } from '../../../../scenarios/run/run.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { FakeTestbed, START_MS, vehicleOf } from '../../../support/scenarios/fake-testbed.ts';

describe('awaiting', () => {
  test('ends soon after the condition holds, and checks for the last time at the deadline', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(600_000), fc.nat(600_000), async (metMs, withinMs) => {
        const { loop, time } = new FakeTestbed(0);
        let looks = 0;
        const look = async () => {
          looks += 1;
          return time.nowMs() >= START_MS + metMs ? passed('') : failed('');
        };
        const { result, atMs } = await loop.runWhile(awaitMet(time, withinMs, look));
        expect(result).toBe(metMs <= withinMs ? 'passed' : 'failed');
        if (result === 'failed') expect(atMs).toBe(START_MS + withinMs);
        else
          expect(atMs - START_MS - metMs).toBeLessThanOrEqual(
            Math.max(runLimits.firstLookMs, withinMs / 200),
          );
        expect(looks).toBeLessThan(230);
      }),
      { numRuns: 30 },
    );
  });

  test('what must hold over the whole time is looked at until the end, and ends where it stops to hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(600_000), fc.nat(600_000), async (comesMs, withinMs) => {
        const { loop, time } = new FakeTestbed(0);
        const look = async () =>
          time.nowMs() >= START_MS + comesMs
            ? { ...failed('one came'), isFinal: true as const }
            : { ...passed('none'), isHeld: true as const };
        const { result, atMs } = await loop.runWhile(awaitMet(time, withinMs, look));
        expect(result).toBe(comesMs > withinMs ? 'passed' : 'failed');
        if (result === 'passed') expect(atMs).toBe(START_MS + withinMs);
        else
          expect(atMs - START_MS - comesMs).toBeLessThanOrEqual(
            Math.max(runLimits.firstLookMs, withinMs / 200),
          );
        const never = await loop.runWhile(
          awaitNever(time, withinMs, async () => ({ ...passed('none'), isHeld: true as const })),
        );
        expect(never.result).toBe('failed');
      }),
      { numRuns: 30 },
    );
  });

  test('that nothing happens ends at once if it does', async () => {
    const { loop, time } = new FakeTestbed(0);
    const look = async () => (time.nowMs() >= START_MS + 1_000 ? passed('it') : failed('it'));
    const awaited = await loop.runWhile(awaitNever(time, 60_000, look));
    expect(awaited).toMatchObject({ result: 'failed', text: 'was never to be: it' });
    expect(awaited.atMs).toBeLessThan(START_MS + 1_500);
  });
});

describe('a selection', () => {
  const vehicles = [1, 2, 3, 4, 5, 6].map((number) => vehicleOf(number, number < 4 ? 'vans' : 'cars'));
  const cast = (on: Selection, seed = 1, of = 'step') =>
    chosenVehicles(on, vehicles, new Map([['first', vehicles.slice(0, 2)]]), seededRandom(seed), of).map(
      ({ number }) => number,
    );

  test('is by group, number, label, or all', () => {
    expect(cast({ pick: 'all' })).toEqual([1, 2, 3, 4, 5, 6]);
    expect(cast({ pick: 'all', group: 'cars' })).toEqual([4, 5, 6]);
    expect(cast({ pick: { box: 2 } })).toEqual([2]);
    expect(cast({ pick: { box: 7 } })).toEqual([]);
    expect(cast({ pick: { sameAs: 'first' } })).toEqual([1, 2]);
    expect(cast({ pick: { othersThan: 'first' }, group: 'vans' })).toEqual([3]);
  });

  test('of a count or a share is drawn only from the name of its step, in the order of the fleet', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(), (count, seed) => {
        const drawn = cast({ pick: { count } }, seed);
        expect(drawn).toHaveLength(Math.min(count, 6));
        expect(new Set(drawn).size).toBe(drawn.length);
        expect(drawn).toEqual(drawn.toSorted());
        expect(cast({ pick: { count } }, seed)).toEqual(drawn);
      }),
    );
    expect(cast({ pick: { fraction: 0.01 } })).toHaveLength(1);
    expect(cast({ pick: { fraction: 0.5 } })).toHaveLength(3);
    const ofSteps = new Set(
      ['a', 'b', 'c', 'd'].map((name) => cast({ pick: { count: 3 } }, 1, name).join(' ')),
    );
    expect(ofSteps.size).toBeGreaterThan(1);
  });
});

describe('a pattern', () => {
  test('matches every value that it was made from, and the value may have more parts', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(mismatchOf(plain, plain)).toBeUndefined();
        expect(mismatchOf({ part: plain }, { part: plain, more: 1 })).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    [{ above: 3 }, 4, 3],
    [{ below: 3 }, 2, '2'],
    [{ at_least: 3, at_most: 5 }, 5, 6],
    [{ not: 3 }, 4, 3],
    [{ one_of: [1, { above: 9 }] }, 10, 2],
    [{ like: '^a+$' }, 'aaa', 'ab'],
    [{ like: '(' }, undefined, '('],
    [{ present: false }, null, 0],
    [{ a: { present: false } }, {}, { a: 1 }],
    [
      [1, { above: 1 }],
      [1, 2],
      [1, 2, 3],
    ],
  ])('%j tells apart', (pattern, right, wrong) => {
    if (right !== undefined) expect(mismatchOf(pattern, right)).toBeUndefined();
    expect(mismatchOf(pattern, wrong)).toBeDefined();
  });

  test('does not take an expression that comes to no end for one that does not match', () => {
    const text = 'a'.repeat(60);
    for (const pattern of [{ like: '(a+)+!' }, { not: { like: '(a+)+!' } }, [{ like: '(a|a)+!' }]])
      expect(() => mismatchOf(pattern, Array.isArray(pattern) ? [text] : text)).toThrow(/takes too long/);
  });

  test('says briefly where it does not match', () => {
    const mismatch = mismatchOf({ a: [{ b: { below: 1 } }] }, { a: [{ b: 13 }] });
    expect(mismatch === undefined ? '' : mismatchText(mismatch, 'state')).toBe(
      'state.a[0].b is 13, expected below 1',
    );
    expect(valueText('x'.repeat(1_000)).length).toBeLessThan(210);
  });
});

describe('healing', () => {
  const pendingOf = (testbed: FakeTestbed, at: (s: number) => readonly string[]) => {
    testbed.evidence = {
      pending: async () =>
        at((testbed.time.nowMs() - START_MS) / 1_000).map((what) => ({
          what,
          reason: 'so',
          vehicle: vehicleOf(1),
        })),
    } as unknown as Evidence;
    return testbed.loop.runWhile(heal(testbed, 60_000));
  };

  test('ends once every item was settled at some time', async () => {
    const testbed = new FakeTestbed(1);
    const unhealed = await pendingOf(testbed, (s) => (s < 5 ? ['a', 'b'] : s < 9 ? ['b'] : ['a']));
    expect(unhealed).toEqual([]);
    expect(testbed.time.nowMs()).toBe(START_MS + 9_000);
  });

  test('reports what was pending at every check until its deadline', async () => {
    const testbed = new FakeTestbed(1);
    const unhealed = await pendingOf(testbed, (s) => (s < 5 ? ['a', 'b'] : ['b', 'c']));
    expect(unhealed).toEqual([{ what: 'b', reason: 'so', vehicle: 1 }]);
    expect(testbed.time.nowMs()).toBe(START_MS + 60_000);
  });
});

describe('the record of a run', () => {
  test('keeps a limited number of facts, and counts the dropped ones', () => {
    const record = new RunRecord(new FakeTestbed(0).time);
    for (let step = 0; step <= runLimits.facts; step += 1)
      record.note({ kind: 'step', step, phase: 'begins' });
    expect(record.dropped + record.facts.length).toBe(runLimits.facts + 1);
    expect(record.facts.at(-1)).toMatchObject({ step: runLimits.facts });
    expect(Number.isInteger(record.dropped)).toBe(true);
  });

  test('keeps in a long run what concerns all vehicles, and everything of the first ones', () => {
    const record = new RunRecord(new FakeTestbed(0).time);
    record.note({ kind: 'step', step: 0, phase: 'begins' });
    for (let held = 1; held <= 2; held += 1) {
      for (const vehicle of [runLimits.threadVehicles, runLimits.threadVehicles + 1])
        record.note({ kind: 'journal', vehicle, held });
    }
    for (let at = 0; at < 3 * runLimits.facts; at += 1)
      record.note({ kind: 'journal', vehicle: 1_000, held: at });
    expect(record.dropped + record.facts.length).toBe(3 * runLimits.facts + 5);
    expect(record.facts.length).toBeLessThanOrEqual(runLimits.facts);
    expect(record.facts.slice(0, 3)).toMatchObject([
      { kind: 'step' },
      { vehicle: runLimits.threadVehicles, held: 1 },
      { vehicle: runLimits.threadVehicles, held: 2 },
    ]);
    expect(record.facts[3]).toMatchObject({ vehicle: 1_000 });
  });

  test('returns the messages of one vehicle since a time', () => {
    const record = new RunRecord(new FakeTestbed(0).time);
    for (const [atMs, vehicleId] of [
      [1, 'A'],
      [2, 'B'],
      [3, 'A'],
      [3, 'A'],
      [5, 'A'],
    ] as const)
      record.keep({ atMs, vehicleId, name: 'n', messageId: `${atMs}`, queue: 'q', body: {} });
    expect(record.messages('A', 3)).toHaveLength(3);
    expect(record.messages('A', 6)).toHaveLength(0);
    expect(record.messages('C', 0)).toHaveLength(0);
  });
});
