import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TestStore } from '../support/store/store-rows.ts';
import { START_MS } from '../support/store/store-rows.ts';

/** The behaviour of a store if a fleet has the maximum number of bulk jobs. */
export function bulkRoomContract(stage: TestStore): void {
  const bulk = () => stage.store.bulk;
  const create = (
    id: string,
    vehicleIds: readonly string[],
    room: { jobs: number; vehicles: number },
    [fleetId, atMs]: readonly [fleetId: string, atMs: number] = ['FLEET1', START_MS],
  ) =>
    bulk().create(
      {
        id,
        fleetId,
        flowId: 'f',
        vehicleIds,
        features: { tracking: null },
        createdMs: atMs,
        expiresMs: atMs + 1_000,
      },
      room,
    );
  const complete = async (nowMs = START_MS) => {
    for (;;) {
      const workItems = await bulk().lease({ nowMs, leaseMs: 1_000, limit: 100 });
      if (workItems.length === 0) return;
      await bulk().finish(
        workItems.map(({ jobId, position, attempt }) => ({ jobId, position, attempt, outcome: 'applied' })),
        nowMs,
      );
    }
  };

  describe('jobs that end at the same moment', () => {
    test('are settled in several calls, so that no single one takes long', async () => {
      const room = { jobs: 10, vehicles: 10_000 };
      const names = (letter: string) => Array.from({ length: 2_000 }, (_, index) => `${letter}${index}`);
      await create('J1', names('A'), room);
      await create('J2', names('B'), room);
      const endMs = START_MS + 1_000;
      const pending = async () => {
        const jobs = await Promise.all([bulk().find('J1'), bulk().find('J2')]);
        return jobs.reduce((sum, job) => sum + (job?.counts.pending ?? 0), 0);
      };
      let before = await pending();
      while (before > 0) {
        expect(await bulk().lease({ nowMs: endMs, leaseMs: 1_000, limit: 50 })).toEqual([]);
        const now = await pending();
        expect(now).toBeLessThan(before);
        expect(before - now).toBeLessThanOrEqual(1_000);
        before = now;
      }
      expect(await bulk().nextDueMs()).toBeUndefined();
    });
  });

  describe('the limit of jobs', () => {
    test('is kept by removing the oldest completed jobs of the fleet, as few as possible, with their vehicles', async () => {
      const room = { jobs: 10, vehicles: 5 };
      await create('OTHER', ['B1', 'B2'], room, ['FLEET2', START_MS - 5]);
      await create('J2', ['A1', 'A2'], room, ['FLEET1', START_MS + 2]);
      await create('J1', ['A3', 'A4'], room, ['FLEET1', START_MS + 1]);
      await complete(START_MS + 3);
      expect(await create('J3', ['A5', 'A6', 'A7'], room, ['FLEET1', START_MS + 3])).toBe('created');
      expect(await bulk().find('J1')).toBeUndefined();
      expect(await bulk().items({ jobId: 'J1', afterPosition: -1, limit: 9 })).toEqual([]);
      expect(await bulk().find('J2')).toBeDefined();
      expect(await bulk().find('OTHER')).toBeDefined();
    });

    test('is reached by jobs that are not completed: nothing is written, and nothing removed', async () => {
      const room = { jobs: 2, vehicles: 100 };
      await create('DONE', ['A1'], room);
      await complete();
      await create('J1', ['A2'], room, ['FLEET1', START_MS + 1]);
      const wide = { jobs: 2, vehicles: 2 };
      expect(await create('J2', ['A3', 'A4'], wide, ['FLEET1', START_MS + 2])).toBe('full');
      expect(await bulk().find('DONE')).toBeDefined();
      expect(await bulk().find('J2')).toBeUndefined();
      expect(await create('J3', ['A5'], room, ['FLEET1', START_MS + 3])).toBe('created');
      expect(await bulk().find('DONE')).toBeUndefined();
      expect(await create('J4', ['A6'], room, ['FLEET1', START_MS + 4])).toBe('full');
    });

    test('is never exceeded, whatever is added and completed in any order', async () => {
      const room = { jobs: 3, vehicles: 7 };
      const step = fc.oneof(fc.constant('complete' as const), fc.integer({ min: 1, max: 5 }));
      let number = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          number += 1;
          const fleetId = `F${number}`;
          const ids: string[] = [];
          for (const [index, taken] of steps.entries()) {
            if (taken === 'complete') await complete();
            else {
              const id = `${fleetId}-${index}`;
              const vehicleIds = Array.from({ length: taken }, (_, at) => `${id}-${at}`);
              if ((await create(id, vehicleIds, room, [fleetId, START_MS - 100 + index])) === 'created')
                ids.push(id);
              expect(await bulk().find(id)).toEqual(ids.includes(id) ? expect.anything() : undefined);
            }
            const kept = (await Promise.all(ids.map((id) => bulk().find(id)))).flatMap((job) => job ?? []);
            expect(kept.length).toBeLessThanOrEqual(room.jobs);
            const vehicles = kept.reduce((sum, job) => sum + job.counts.total, 0);
            expect(vehicles).toBeLessThanOrEqual(room.vehicles);
          }
        }),
        { numRuns: 40 },
      );
    });
  });
}
