import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clientIdOf } from '../../../../backend/ingest/partition-sessions.ts';
import { PARTITIONS } from '../../../../protocol/partitions.ts';
import { topics } from '../../../../protocol/topics.ts';
import { type ManyBackends, openManyBackends } from '../../../support/backend/many-backends.ts';

const CLIENT_ID = 'service';
/** How often it is looked at who is there. */
const STEP_MS = 5;
/** What docs/decisions/0033-partitions-are-held-by-leases.md says. */
const MOST_MS = 1_000;

describe('a planned move of partitions', () => {
  let backends: ManyBackends;
  beforeEach(() => {
    backends = openManyBackends();
  });
  afterEach(() => backends.close());

  const start = (name: string) =>
    backends.start(name, {
      settings: {
        shared: { backend: name },
        mqtt: { clientId: CLIENT_ID, username: 'backend', password: 'secret' },
      },
    });

  /** The partitions that no backend is subscribed to at this moment. */
  const unserved = () =>
    Array.from({ length: PARTITIONS }, (_, partition) => partition).filter(
      (partition) =>
        !backends.world.mqttBroker.isSubscribed(clientIdOf(CLIENT_ID, partition), topics.upOf(partition)),
    );

  /** How long each partition that moves within that time is without a subscription, the longest; ms. */
  async function longestGap(durationMs: number): Promise<{ readonly moved: number; readonly gapMs: number }> {
    const goneMs = new Map<number, number>();
    for (let passedMs = 0; passedMs < durationMs; passedMs += STEP_MS) {
      await backends.world.runFor(STEP_MS);
      for (const partition of unserved()) goneMs.set(partition, (goneMs.get(partition) ?? 0) + STEP_MS);
    }
    expect(unserved()).toEqual([]);
    return { moved: goneMs.size, gapMs: Math.max(0, ...goneMs.values()) };
  }

  test.each([2, 3, 5])('from one of %i backends that stops takes less than a second', async (count) => {
    const started = [];
    for (let number = 1; number <= count; number += 1) started.push(await start(`backend-${number}`));
    await backends.world.runFor(20_000);
    expect(unserved()).toEqual([]);
    void started[0]?.service.stop();
    const { moved, gapMs } = await longestGap(20_000);
    expect(moved).toBeGreaterThanOrEqual(Math.floor(PARTITIONS / count));
    expect(gapMs).toBeLessThan(MOST_MS);
  });

  test.each([1, 2, 4])('to one that joins %i others takes less than a second', async (count) => {
    for (let number = 1; number <= count; number += 1) await start(`backend-${number}`);
    await backends.world.runFor(20_000);
    await start('joining');
    const { moved, gapMs } = await longestGap(20_000);
    expect(moved).toBeGreaterThanOrEqual(Math.floor(PARTITIONS / (count + 1)));
    expect(gapMs).toBeLessThan(MOST_MS);
  });
});
