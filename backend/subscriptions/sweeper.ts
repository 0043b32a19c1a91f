import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { subscriptionLimits } from '../base/limits.ts';
import { makeWorkLoop } from '../base/work-loop.ts';
import type { Subscription, SubscriptionStore } from '../store/port/subscription-store.ts';
import type { BrokerProvisioning } from './broker-provisioning.ts';

export interface SweeperParts {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly store: Pick<SubscriptionStore, 'takeOverdue' | 'nextOverdueMs' | 'remove'>;
  readonly broker: Pick<BrokerProvisioning, 'takeAway'>;
  readonly counters: Counters;
}

/** Deletes subscriptions that have ended or were never finished, until they are gone. */
export interface Sweeper {
  /** One attempt; the subscription must be ending. False if the broker failed: the sweeper retries. */
  takeAway(subscription: Subscription): Promise<boolean>;
  /** Something is due. */
  wake(): void;
  /** Something may be due then. Called before it is written, so that a failure leaves nothing behind. */
  dueBy(dueMs: number): void;
  stop(): void;
}

export function makeSweeper({ world, store, broker, counters }: SweeperParts): Sweeper {
  let isOver = false;
  let alarmMs = Number.POSITIVE_INFINITY;
  let cancelAlarm = (): void => undefined;
  const loop = makeWorkLoop({
    time: world.time,
    round: sweep,
    failed(error) {
      world.log.error({ error: String(error) }, 'the store cannot read which subscriptions have ended');
      return subscriptionLimits.retryMs;
    },
  });

  async function takeAway(subscription: Subscription): Promise<boolean> {
    const { id, fleetId } = subscription;
    try {
      await broker.takeAway(subscription);
    } catch (error) {
      counters.add('subscriptions.lingering');
      world.log.warn(
        { subscription: id, fleetId, error: String(error) },
        'a deleted subscription could not be removed at the message broker; the service tries again',
      );
      return false;
    }
    await store.remove(id);
    counters.add('subscriptions.ended');
    return true;
  }

  async function sweep(): Promise<void> {
    const nowMs = world.time.nowMs();
    const nextDueMs = nowMs + subscriptionLimits.endingMs;
    for (const one of await store.takeOverdue(nowMs, nextDueMs, subscriptionLimits.sweepCount)) {
      if (isOver) return;
      await takeAway(one);
    }
    const pollMs = nowMs + subscriptionLimits.pollMs;
    dueBy(Math.min((await store.nextOverdueMs()) ?? pollMs, pollMs));
  }

  function dueBy(dueMs: number): void {
    if (isOver || dueMs >= alarmMs) return;
    cancelAlarm();
    alarmMs = dueMs;
    cancelAlarm = world.time.alarm(dueMs, () => {
      alarmMs = Number.POSITIVE_INFINITY;
      loop.wake();
    });
  }

  loop.wake();
  return {
    takeAway,
    wake: loop.wake,
    dueBy,
    stop() {
      isOver = true;
      loop.stop();
      cancelAlarm();
    },
  };
}
