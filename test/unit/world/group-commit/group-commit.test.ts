import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GroupCommit } from '../../../../world/group-commit/group-commit.ts';

/** Groups that end when the test says so. */
function controlled(most = 1_000) {
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
  );
  return { groups, commit };
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
