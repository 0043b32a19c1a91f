import type { OutletCondition } from '../events/outlet.ts';
import type { OutboxSize } from '../store/outbox-store.ts';
import type { AccountsCondition } from '../subscriptions/accounts-watch.ts';

/** How it stands with the service at this moment. */
export interface Condition {
  /** It takes no commands any more. */
  readonly isStopping: boolean;
  /** `refuses`: it can be read, but a write failed. */
  readonly store: 'works' | 'refuses' | 'fails';
  /** Data files were deleted or replaced under the running service. */
  readonly areFilesGone: boolean;
  readonly mqtt: 'open' | 'away';
  /** `none`: there is no message broker, and no message is made. */
  readonly amqp: OutletCondition | 'none';
  /** Whether users can be made at the message broker; `none`: nobody makes any, or that cannot be away. */
  readonly accounts: AccountsCondition;
  readonly intake: {
    /** 0 to 1, and beyond 1 by what was on its way. */
    readonly fill: number;
    /** The MQTT broker is held back. */
    readonly isBraking: boolean;
  };
  /** Undefined where it cannot be read. */
  readonly outbox: OutboxSize | undefined;
}
