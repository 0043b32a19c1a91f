import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../backend/store/sqlite/store.ts';
import { PARTITIONS } from '../../protocol/partitions.ts';
import { LeaseModel } from '../support/interleavings/lease-model.ts';

const LEASE_MS = 6_000;

const call = fc.record({
  what: fc.constantFrom('look', 'look', 'look', 'release', 'release-stale', 'leave'),
  backend: fc.constantFrom('a', 'b', 'c'),
  /** Of what is held, how much is released. */
  count: fc.integer({ min: 0, max: PARTITIONS }),
  isSettled: fc.boolean(),
  afterMs: fc.constantFrom(0, 1, 2_000, 4_000, LEASE_MS),
});

describe('the model of a store of leases', () => {
  test('answers as the store does, whatever is called', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 40 }), async (calls) => {
        let nowMs = 1_000_000;
        const store = openSqliteStore(':memory:', { nowMs: () => nowMs });
        const model = new LeaseModel(PARTITIONS);
        try {
          for (const { what, backend, count, isSettled, afterMs } of calls) {
            nowMs += afterMs;
            if (what === 'look') {
              const query = { backend, leaseMs: LEASE_MS };
              expect(await store.leases.look(query)).toEqual(model.look(query, nowMs));
            } else if (what === 'leave') {
              await store.leases.leave(backend);
              model.leave(backend);
            } else {
              const stale = what === 'release' ? 0 : 1;
              const leases = model.rows
                .map(({ fence }, partition) => ({ partition, fence: fence - stale }))
                .slice(0, count);
              await store.leases.release({ backend, leases, isSettled });
              model.release({ backend, leases, isSettled });
            }
          }
        } finally {
          await store.close();
        }
      }),
      { numRuns: 60 },
    );
  });
});
