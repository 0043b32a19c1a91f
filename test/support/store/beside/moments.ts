import fc from 'fast-check';
import { START_MS } from '../store-rows.ts';
import { FLEETS } from './draw.ts';
import type { Stage } from './stage.ts';

/** Which requests come later than those of others, in one round after the other. */
export const slowRequests: fc.Arbitrary<readonly (readonly number[])[]> = fc.array(
  fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 }),
  { minLength: 12, maxLength: 12 },
);

/** Throws if a subscription that is removed while all are read is read in part. */
export async function readWhileRemoved(stage: Stage, given: readonly (readonly number[])[]): Promise<void> {
  const store = await stage.open();
  const queues = ['Trip_v1', 'VehicleState_v1'].map((topic) => ({ topic, name: topic }));
  const subscription = {
    fleetId: FLEETS[0],
    discriminator: '',
    user: undefined,
    queues,
    createdMs: START_MS,
  };
  try {
    for (const [round, slow] of given.entries()) {
      const id = `s${round}`;
      stage.proxy.plan(new Map());
      await store.subscriptions.begin({ id, dueMs: START_MS, ...subscription }, { perFleet: 1 });
      await store.subscriptions.finish(id);
      stage.proxy.plan(new Map(slow.map((request) => [request, 'slow'])));
      const [read] = await Promise.all([store.subscriptions.live(), store.subscriptions.remove(id)]);
      if (read.some((one) => one.queues.length !== queues.length))
        throw new Error(`Requests ${slow.join()} came late: ${JSON.stringify(read)}`);
    }
  } finally {
    stage.proxy.plan(new Map());
    await store.close();
  }
}
