import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GroupCommit, type GroupPace } from '../../../../world/group-commit/group-commit.ts';

/** Groups that end when the test says so. */
function controlled(most = 1_000, pace?: GroupPace) {
  const groups: { readonly calls: readonly number[]; end(error?: Error): void }[] = [];
  const commit = new GroupCommit<number, string>(
    (calls) =>
      new Promise((resolve, reject) => {
        groups.push({
          calls,
          end: (error) =>
            error === undefined ? resolve(calls.map((call) => `done ${call}`)) : reject(error),
        });
      }),
    most,
    pace,
  );
  return { groups, commit };
}

/** A pace whose moments come when the test says so. */
function paced() {
  const due: { readonly soon: (() => void)[]; later: (() => void) | undefined } = {
    soon: [],
    later: undefined,
  };
  const pace: GroupPace = {
    soon: (begin) => void due.soon.push(begin),
    later: (begin) => {
      due.later = begin;
      return () => {
        due.later = undefined;
      };
    },
  };
  const turn = () => {
    for (const begin of due.soon.splice(0)) begin();
  };
  return { due, pace, turn };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('group commit', () => {
  test('the first call begins at once, and all that come meanwhile share the next group', async () => {
    const { groups, commit } = controlled();
    const first = commit.add(1);
    const others = [commit.add(2), commit.add(3)];
    expect(groups.map(({ calls }) => calls)).toEqual([[1]]);
    groups[0]?.end();
    expect(await first).toBe('done 1');
    await settled();
    expect(groups.map(({ calls }) => calls)).toEqual([[1], [2, 3]]);
    groups[1]?.end();
    expect(await Promise.all(others)).toEqual(['done 2', 'done 3']);
    await commit.idle();
    expect(commit.begun).toEqual({ groups: 2, calls: 3 });
  });

  test('a group that fails rejects all its calls and no other', async () => {
    const { groups, commit } = controlled();
    const first = commit.add(1);
    const others = Promise.allSettled([commit.add(2), commit.add(3)]);
    groups[0]?.end();
    await first;
    await settled();
    const last = commit.add(4);
    groups[1]?.end(new Error('no room'));
    expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await settled();
    groups[2]?.end();
    expect(await last).toBe('done 4');
  });

  test('with a pace, all calls of a turn share a group, and the next one begins in a later turn', async () => {
    const { pace, turn } = paced();
    const { groups, commit } = controlled(1_000, pace);
    const answers = [commit.add(1), commit.add(2)];
    expect(groups).toEqual([]);
    turn();
    answers.push(commit.add(3));
    groups[0]?.end();
    await settled();
    answers.push(commit.add(4));
    expect(groups.map(({ calls }) => calls)).toEqual([[1, 2]]);
    turn();
    expect(groups.map(({ calls }) => calls)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    groups[1]?.end();
    expect(await Promise.all(answers)).toEqual(['done 1', 'done 2', 'done 3', 'done 4']);
  });

  test('a patient call begins no group for a while, and keeps its place before later calls', async () => {
    const { due, pace, turn } = paced();
    const { groups, commit } = controlled(1_000, pace);
    const answers = [commit.add(1, true), commit.add(2, true)];
    turn();
    expect(groups).toEqual([]);
    answers.push(commit.add(3));
    expect(due.later).toBeUndefined();
    turn();
    groups[0]?.end();
    await Promise.all(answers);
    expect(groups.map(({ calls }) => calls)).toEqual([[1, 2, 3]]);
    const alone = commit.add(4, true);
    due.later?.();
    turn();
    groups[1]?.end();
    expect(await alone).toBe('done 4');
  });

  test('a patient call that the bound leaves over waits on, and idle carries it out at once', async () => {
    const { due, pace, turn } = paced();
    const { groups, commit } = controlled(1, pace);
    const answers = [commit.add(1), commit.add(2, true)];
    turn();
    groups[0]?.end();
    await settled();
    turn();
    expect(groups.map(({ calls }) => calls)).toEqual([[1]]);
    expect(due.later).toBeDefined();
    const idle = commit.idle();
    groups[1]?.end();
    await idle;
    expect(await Promise.all(answers)).toEqual(['done 1', 'done 2']);
    expect(due.later).toBeUndefined();
    turn();
    expect(groups).toHaveLength(2);
  });

  test('whenever calls come and groups end: one group at a time, in order, within the bound, each answered with its own', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 5 }),
        async (steps, most) => {
          const { groups, commit } = controlled(most);
          const answers: Promise<string>[] = [];
          let ended = 0;
          for (const isCall of steps) {
            if (isCall) answers.push(commit.add(answers.length));
            else if (ended < groups.length) groups[ended++]?.end();
            await settled();
            expect(groups.length - ended).toBeLessThanOrEqual(1);
          }
          while (ended < groups.length) {
            groups[ended++]?.end();
            await settled();
          }
          expect(groups.flatMap(({ calls }) => calls)).toEqual(answers.map((_, index) => index));
          for (const { calls } of groups) expect(calls.length).toBeLessThanOrEqual(most);
          expect(await Promise.all(answers)).toEqual(answers.map((_, index) => `done ${index}`));
        },
      ),
      { numRuns: 60 },
    ));
});
