import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterConnectionsForgotten } from '../../../../backend/ingest/ingest.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';

const NOTHING = {
  framesDown: [],
  settledRequestIds: [],
  readyBoxIds: [],
  messageCount: 0,
  writtenRows: undefined,
  troubles: [],
};

/** Plays commits on a store that fails so many times to forget; returns what was done, in order. */
async function played(failures: number, commits: number): Promise<readonly string[]> {
  const done: string[] = [];
  let left = failures;
  const silent = () => undefined;
  const commit = afterConnectionsForgotten(
    {
      world: {
        time: { nowMs: () => 1, alarm: () => silent },
        log: { debug: silent, info: silent, warn: silent, error: () => void done.push('told') },
      },
      store: {
        forgetConnections: () => {
          left -= 1;
          done.push(left >= 0 ? 'failed' : 'forgotten');
          return left >= 0 ? Promise.reject(new StoreFailed('disk full')) : Promise.resolve();
        },
      },
    },
    () => {
      done.push('committed');
      return Promise.resolve(NOTHING);
    },
  );
  await new Promise((resolve) => setImmediate(resolve));
  for (let count = 0; count < commits; count += 1)
    await commit([]).catch((error: unknown) =>
      done.push(error instanceof StoreFailed ? 'refused' : 'broken'),
    );
  return done;
}

test('connections are forgotten once, at once, and every commit comes after that', async () => {
  expect(await played(0, 3)).toEqual(['forgotten', 'committed', 'committed', 'committed']);
});

test('a store that fails is told of once; each commit tries again first, and fails with it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 0, max: 4 }),
      async (failures, more) => {
        const done = await played(failures, failures + more);
        const refusals = Array.from({ length: failures - 1 }, () => ['failed', 'refused']).flat();
        const commits = Array.from({ length: more + 1 }, () => 'committed');
        expect(done).toEqual(['failed', 'told', ...refusals, 'forgotten', ...commits]);
      },
    ),
  );
});
