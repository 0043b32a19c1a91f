import type { Time } from '../world/time/time.ts';
import { limits } from './base/limits.ts';
import type { CommandDispatcher } from './commands/command-dispatcher.ts';
import type { BulkWorker } from './configuration/bulk-worker.ts';
import type { OutboxPublisher } from './events/outbox-publisher.ts';
import type { PartitionKeeper } from './partitions/partition-keeper.ts';
import type { SetupWorker } from './setup/setup.ts';
import type { WakeUpListener } from './store/port/wake-ups.ts';
import type { Subscriptions } from './subscriptions/subscriptions.ts';

/** The parts of a backend that wait for what others commit. */
export interface WokenParts {
  readonly dispatcher: Pick<CommandDispatcher, 'settled' | 'recheck'>;
  readonly bulk: Pick<BulkWorker, 'wake'>;
  readonly setup: Pick<SetupWorker, 'ready' | 'recheck'>;
  /** Absent: there is no message broker. */
  readonly outboxPublisher: Pick<OutboxPublisher, 'wake'> | undefined;
  readonly subscriptions: Pick<Subscriptions, 'changedElsewhere'>;
  /** Absent: this backend is alone on its store. */
  readonly keeper: Pick<PartitionKeeper, 'wake'> | undefined;
}

/**
 * Wakes the parts that a wake-up of the store concerns. This backend reports its own commits at once, and may get the
 * same wake-up again: a part that has checked already finds nothing new.
 */
export function wakeUpHandler(parts: WokenParts): WakeUpListener {
  const { dispatcher, bulk, setup, outboxPublisher, subscriptions, keeper } = parts;
  return (wakeUp) => {
    switch (wakeUp.kind) {
      case 'settled':
        return dispatcher.settled(wakeUp.requestIds);
      case 'messages':
        return outboxPublisher?.wake();
      case 'onboarded':
        return setup.ready(wakeUp.boxIds);
      case 'bulk':
        return bulk.wake();
      case 'subscriptions':
        return subscriptions.changedElsewhere();
      case 'leases':
        return keeper?.wake();
      case 'anything':
        keeper?.wake();
        dispatcher.recheck();
        bulk.wake();
        setup.recheck();
        outboxPublisher?.wake();
        subscriptions.changedElsewhere();
        return undefined;
      default:
        return wakeUp satisfies never;
    }
  };
}

/**
 * Wakes all parts shortly after a write has failed, at most once in that time: it may have been committed nevertheless,
 * without a wake-up. So its effect is found even if no part retries, or the retry writes nothing. A store that still
 * fails is retried by the part that reads it.
 */
export function startDoubtWatch(
  time: Time,
  woken: WakeUpListener,
): { readonly failed: () => void; readonly stop: () => void } {
  let cancel: (() => void) | undefined;
  let isOver = false;
  return {
    failed() {
      if (isOver) return;
      cancel ??= time.alarm(time.nowMs() + limits.doubtMs, () => {
        cancel = undefined;
        woken({ kind: 'anything' });
      });
    },
    stop() {
      isOver = true;
      cancel?.();
    },
  };
}
