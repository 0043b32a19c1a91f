import type { CommandDispatcher } from './commands/command-dispatcher.ts';
import type { BulkWorker } from './configuration/bulk-worker.ts';
import type { OutboxPublisher } from './events/outbox-publisher.ts';
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
}

/**
 * Wakes whom the store's wake-ups concern. What this backend has committed is told there on the spot, and may come here
 * again: who has looked already finds nothing new.
 */
export function wakeUpHandler(parts: WokenParts): WakeUpListener {
  const { dispatcher, bulk, setup, outboxPublisher, subscriptions } = parts;
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
      case 'anything':
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
