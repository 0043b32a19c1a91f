import type { Time } from '../world/time/time.ts';
import type { CommandDispatcher } from './commands/command-dispatcher.ts';
import type { BulkWorker } from './configuration/bulk-worker.ts';
import type { OutboxPublisher } from './events/outbox-publisher.ts';
import { limits } from './limits.ts';
import type { PartitionKeeper } from './partitions/partition-keeper.ts';
import type { SetupWorker } from './setup/setup.ts';
import type { WakeUpListener } from './store/port/wake-ups.ts';
import type { Subscriptions } from './subscriptions/subscriptions.ts';

/** The parts of a backend that wait for what others commit. */
export interface WokenParts {
  readonly dispatcher: Pick<CommandDispatcher, 'settled' | 'lookAgain'>;
  readonly bulk: Pick<BulkWorker, 'wake'>;
  readonly setup: Pick<SetupWorker, 'ready' | 'lookAgain'>;
  /** Absent: there is no message broker. */
  readonly outboxPublisher: Pick<OutboxPublisher, 'wake'> | undefined;
  readonly subscriptions: Pick<Subscriptions, 'changedElsewhere'>;
  /** Absent: this backend is alone on its store. */
  readonly keeper: Pick<PartitionKeeper, 'wake'> | undefined;
}

/**
 * Wakes whom the store's wake-ups concern. What this backend has committed is told there on the spot, and may come here
 * again: who has looked already finds nothing new.
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
        dispatcher.lookAgain();
        bulk.wake();
        setup.lookAgain();
        outboxPublisher?.wake();
        subscriptions.changedElsewhere();
        return undefined;
      default:
        return wakeUp satisfies never;
    }
  };
}

/**
 * Wakes everybody a moment after a write has failed, at most once in that time: it may have been committed all the same, by
 * a call that nobody told of it. What was committed is then found where nobody tries again, or where the next try has
 * nothing to write. A store that still fails is asked again by whoever looks there.
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
