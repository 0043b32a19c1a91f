import type { AmqpConnectionCondition } from '../events/amqp-connection.ts';
import type { PartitionsCondition } from '../partitions/partition-keeper.ts';
import type { OutboxSize } from '../store/port/outbox-store.ts';
import type { AccountsCondition } from '../subscriptions/accounts-watch.ts';

/** The condition of the service at this moment. */
export interface ServiceCondition {
  /** It no longer accepts commands. */
  readonly isStopping: boolean;
  /** `refuses`: reads work, but a write failed. */
  readonly store: 'works' | 'refuses' | 'fails';
  /** Data files were deleted or replaced under the running service. */
  readonly areFilesGone: boolean;
  readonly mqtt: 'open' | 'away';
  /** Why it is away, if the broker belongs to another installation: a text for the operator. */
  readonly mqttRefusal?: string | undefined;
  /** `none`: there is no message broker, and no message is written. */
  readonly amqp: AmqpConnectionCondition | 'none';
  /** Whether users can be created at the message broker; `none`: not supported, or always reachable. */
  readonly accounts: AccountsCondition;
  readonly intake: {
    /** 0 to 1, and above 1 while unacknowledged payloads still arrive. */
    readonly fill: number;
    /** Acknowledgements to the MQTT broker are withheld. */
    readonly isHoldingBack: boolean;
    /** When the oldest payload that waits for its commit came, in epoch milliseconds; undefined: none waits. */
    readonly oldestMs: number | undefined;
  };
  /** The partitions of boxes, if several backends share them; undefined: this one serves all. */
  readonly partitions: PartitionsCondition | undefined;
  /** Undefined if it cannot be read. */
  readonly outbox: OutboxSize | undefined;
}
