import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgres, withService } from '../support/run/external-services.ts';
import { compareStores, emptyDifferences, newTally } from '../support/store/beside/compare.ts';
import { groups } from '../support/store/beside/groups.ts';
import { readWhileRemoved, slowRequests } from '../support/store/beside/moments.ts';
import { openStage, type Stage } from '../support/store/beside/stage.ts';
import { callsOfTakers, takeTogether } from '../support/store/beside/takers.ts';
import { testDatabases } from '../support/store/postgres-databases.ts';

await withService(postgres, ({ url }) => {
  describe('a store in PostgreSQL beside one in SQLite', () => {
    const databases = testDatabases(url);
    let stage: Stage;
    beforeAll(async () => {
      stage = await openStage(databases);
    });
    afterAll(async () => {
      await stage.close();
      await databases.drop();
    });
    const bounds = { interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true };

    test('has the same rows before any call', async () => {
      expect(await emptyDifferences(stage)).toEqual([]);
    });

    test('answers calls made at the same time as SQLite does in some order, and has the same rows', async () => {
      const tally = newTally();
      await fc.assert(
        fc.asyncProperty(groups(false, 30), (given) => compareStores(stage, given, tally)),
        { numRuns: 1, ...bounds },
      );
    });

    test('with errors and lost connections answers the same, or fails and says whether it may have written', async () => {
      const tally = newTally();
      await fc.assert(
        fc.asyncProperty(groups(true, 40), (given) => compareStores(stage, given, tally)),
        { numRuns: 1, ...bounds },
      );
      expect(tally.unknown).toBeGreaterThan(0);
    });

    test('reads of several statements as of one moment, while others remove what is read', async () => {
      await fc.assert(
        fc.asyncProperty(slowRequests, (given) => readWhileRemoved(stage, given)),
        { numRuns: 1, ...bounds },
      );
    });

    test('whose backends take work at the same time gives each piece to one of them, and all to somebody', async () => {
      await fc.assert(
        fc.asyncProperty(callsOfTakers, (given) => takeTogether(stage, given)),
        { numRuns: 1, ...bounds },
      );
    });
  });
});
