import { describe, expect, test } from 'vitest';
import { makeSetupSchedule } from '../../../../backend/setup/schedule.ts';
import type { Setup, SetupStore } from '../../../../backend/store/port/setup-store.ts';
import { sleep } from '../../../../world/time/time.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';

type DueQuery = Parameters<SetupStore['due']>[0];

/** Lets that many steps of other promises pass. */
async function steps(count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) await Promise.resolve();
}

/** A schedule over a store without setups that answers after 20 ms, and how often it looked at all of them. */
function emptySchedule() {
  const world = openVirtualWorld({ seed: 1 });
  const queries: DueQuery[] = [];
  const schedule = makeSetupSchedule({
    world,
    store: {
      due: async (query) => {
        queries.push(query);
        await sleep(world.time, 20);
        return [];
      },
      ofBoxes: () => Promise.resolve([]),
      nextDueMs: () => Promise.resolve(undefined),
    },
    freePlaces: () => 10,
    handle: () => Promise.resolve(),
  });
  const isAll = ({ afterMs = Number.MIN_SAFE_INTEGER }: DueQuery) => afterMs === Number.MIN_SAFE_INTEGER;
  return { world, schedule, all: () => queries.filter(isAll).length };
}

describe('the schedule of setups', () => {
  test('finds room that becomes free at whatever step of a look', async () => {
    for (let step = 0; step <= 12; step += 1) {
      let free = 1;
      const handled: string[] = [];
      const world = openVirtualWorld({ seed: 1 });
      const boxes = ['box 1', 'box 2'];
      const schedule = makeSetupSchedule({
        world,
        store: {
          due: () => Promise.resolve([]),
          ofBoxes: (boxIds) =>
            Promise.resolve(
              boxIds.map((boxId) => ({ vehicle: { boxId }, attempts: 0, dueMs: 0 }) as unknown as Setup),
            ),
          nextDueMs: () => Promise.resolve(undefined),
        },
        freePlaces: () => free,
        handle: ({ vehicle }) => {
          handled.push(vehicle.boxId);
          free -= 1;
          void steps(step).then(() => {
            free += 1;
            schedule.roomFreed();
          });
          return Promise.resolve();
        },
      });
      await world.loop.runUntil(world.loop.nowMs + 10);
      schedule.ready(boxes);
      await world.loop.runUntil(world.loop.nowMs + 1_000);
      schedule.stop();
      expect(handled, `room after ${step} steps`).toEqual(boxes);
    }
  });

  test('looks at all setups again where that is asked for during a look', async () => {
    const { world, schedule, all } = emptySchedule();
    // The first look, at all setups, is over.
    await world.loop.runUntil(world.loop.nowMs + 1_000);
    expect(all()).toBe(1);
    schedule.dueBy(world.time.nowMs());
    await world.loop.runUntil(world.loop.nowMs + 10);
    schedule.recheck();
    await world.loop.runUntil(world.loop.nowMs + 1_000);
    schedule.stop();
    expect(all()).toBe(2);
  });
});
