import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { READS } from '../../backend/store/port/store.ts';
import { postgresCalls } from '../../backend/store/postgres/calls.ts';
import { postgres, withService } from '../support/run/external-services.ts';
import { compareStores, newTally } from '../support/store/beside/compare.ts';
import { groups } from '../support/store/beside/groups.ts';
import { openStage, type Stage } from '../support/store/beside/stage.ts';
import { testDatabases } from '../support/store/postgres-databases.ts';
import { POSTGRES_FAULTS } from '../support/store/postgres-fault-proxy.ts';

await withService(postgres, ({ url }) => {
  describe('a store in PostgreSQL beside one in SQLite, for long', () => {
    const databases = testDatabases(url);
    let stage: Stage;
    beforeAll(async () => {
      stage = await openStage(databases);
    });
    afterAll(async () => {
      await stage.close();
      await databases.drop();
    });
    const bounds = { interruptAfterTimeLimit: 200_000, markInterruptAsFailure: true };

    test('answers calls made at the same time as SQLite does in some order, and has the same rows', async () => {
      const tally = newTally(true);
      await fc.assert(
        fc.asyncProperty(groups(false, 60), (given) => compareStores(stage, given, tally)),
        { numRuns: 5, ...bounds },
      );
      const calls = postgresCalls();
      const all = (Object.keys(READS) as (keyof typeof READS)[]).flatMap((part) =>
        Object.keys(calls[part]).map((name) => `${part}.${name}`),
      );
      expect(all.filter((call) => !tally.called.has(call))).toEqual([]);
    });

    test('with errors and lost connections answers the same, or fails and says whether it may have written', async () => {
      const tally = newTally();
      await fc.assert(
        fc.asyncProperty(groups(true, 60), (given) => compareStores(stage, given, tally)),
        { numRuns: 5, ...bounds },
      );
      expect(POSTGRES_FAULTS.filter((fault) => !tally.faults.has(fault))).toEqual([]);
      expect(tally.failed).toBeGreaterThan(0);
      expect(tally.unknown).toBeGreaterThan(0);
    });
  });
});
