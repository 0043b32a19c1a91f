import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import type { Subscription, SubscriptionStore } from '../store/subscription-store.ts';
import type { BrokerSide } from './broker-side.ts';
import { subscriptionLimits } from './limits.ts';

export interface SweeperParts {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly store: Pick<SubscriptionStore, 'takeOverdue' | 'remove'>;
  readonly broker: Pick<BrokerSide, 'takeAway'>;
  readonly counters: Counters;
}

/** Takes away what has ended or was never finished, until it is gone. */
export interface Sweeper {
  /** One attempt; the subscription must be ending. False where the broker failed: the sweeper goes on. */
  takeAway(subscription: Subscription): Promise<boolean>;
  /** Something is due. */
  wake(): void;
  stop(): void;
}

export function makeSweeper({ world, store, broker, counters }: SweeperParts): Sweeper {
  let isOver = false;
  let sweeping: Promise<void> | undefined;
  let cancelAlarm = (): void => undefined;

  async function takeAway(subscription: Subscription): Promise<boolean> {
    const { id, fleetId } = subscription;
    try {
      await broker.takeAway(subscription);
    } catch (error) {
      counters.add('subscriptions.lingering');
      world.log.warn(
        { subscription: id, fleetId, error: String(error) },
        'a subscription that has ended could not be taken away at the message broker; it is tried again',
      );
      return false;
    }
    await store.remove(id);
    counters.add('subscriptions.ended');
    return true;
  }

  async function sweep(): Promise<void> {
    try {
      const nowMs = world.time.nowMs();
      const nextDueMs = nowMs + subscriptionLimits.endingMs;
      for (const one of await store.takeOverdue(nowMs, nextDueMs, subscriptionLimits.sweepCount)) {
        if (isOver) return;
        await takeAway(one);
      }
    } catch (error) {
      world.log.error({ error: String(error) }, 'the store cannot tell which subscriptions have ended');
    }
  }

  function wake(): void {
    if (isOver || sweeping !== undefined) return;
    cancelAlarm();
    sweeping = sweep().finally(() => {
      sweeping = undefined;
      if (!isOver) cancelAlarm = world.time.alarm(world.time.nowMs() + subscriptionLimits.sweepMs, wake);
    });
  }

  wake();
  return {
    takeAway,
    wake,
    stop() {
      isOver = true;
      cancelAlarm();
    },
  };
}
