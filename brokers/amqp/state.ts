import type { ExchangeType } from '../../world/amqp/exchange-routing.ts';
import type { AmqpTable } from './codec/fields.ts';
import type { FrameParser } from './codec/frames.ts';
import type { MethodArguments } from './codec/method-codec.ts';
import type { AmqpProperties } from './codec/properties.ts';
import type { QueueRules } from './queue-rules.ts';
import type { ReadyQueue } from './ready-queue.ts';

export interface ExchangeState {
  readonly name: string;
  readonly type: ExchangeType;
  readonly durable: boolean;
  readonly autoDelete: boolean;
  readonly internal: boolean;
  readonly args: AmqpTable;
  /** Where messages are published that it could not route (x-alternate or alternate-exchange). */
  readonly alternate: string | undefined;
  /** By `bindingKey`. */
  readonly bindings: Map<string, Binding>;
  /** The number of records with which it is on disk; 0 if it is not stored, or was stored earlier. */
  readonly storedAt: number;
}

export interface Binding {
  readonly source: string;
  readonly destination: { readonly kind: 'queue' | 'exchange'; readonly name: string };
  readonly routingKey: string;
  readonly args: AmqpTable;
  /** As for an exchange. */
  readonly storedAt: number;
}

export interface BrokerMessage {
  readonly exchange: string;
  readonly routingKey: string;
  /** Flags and properties as received, without the header BCC. */
  readonly properties: Uint8Array;
  /** The routing keys of the header BCC. */
  readonly hiddenKeys: readonly string[];
  readonly body: Uint8Array;
  readonly isPersistent: boolean;
  /** How many queues and unacknowledged deliveries hold it. */
  holders: number;
}

/** A message in one queue. */
export interface QueueEntry {
  /** Ascending over all queues, in the order of arrival. */
  readonly position: number;
  readonly message: BrokerMessage;
  readonly expiresAtMs: number | undefined;
  redelivered: boolean;
  /** How often a delivery of it has come back. After a restart it is counted from zero. */
  returns: number;
  /** It is, or will be, a row on disk. */
  readonly isStored: boolean;
}

export interface QueueState {
  readonly name: string;
  readonly durable: boolean;
  /** The connection that it is exclusive to. */
  readonly owner: ConnectionState | undefined;
  readonly autoDelete: boolean;
  readonly args: AmqpTable;
  readonly rules: QueueRules;
  readonly ready: ReadyQueue<QueueEntry>;
  readyBytes: number;
  /** In the order in which they are served next. */
  consumers: QueueConsumer[];
  /** For x-expires: the last declare, get or end of a consumer. */
  usedAtMs: number;
  isDeleted: boolean;
  /** As for an exchange. */
  storedAt: number;
}

export interface QueueConsumer {
  readonly tag: string;
  readonly queue: QueueState;
  readonly connection: ConnectionState;
  readonly channel: ChannelState;
  readonly noAck: boolean;
  readonly exclusive: boolean;
  /** 0: no limit. */
  readonly prefetch: number;
  unacknowledged: number;
  /** It had no room when a message was there. */
  isBlocked: boolean;
}

/** A consumer of direct replies (amq.rabbitmq.reply-to): at most one for each channel. */
export interface ReplyConsumer {
  readonly tag: string;
  /** Replaces amq.rabbitmq.reply-to in reply_to. It cannot be guessed: any client that knows it may answer. */
  readonly name: string;
  readonly connection: ConnectionState;
  readonly channel: ChannelState;
}

export interface UnacknowledgedDelivery {
  readonly entry: QueueEntry;
  readonly queue: QueueState;
  readonly consumer: QueueConsumer | undefined;
}

/** A publication whose header, and perhaps a part of its body, has arrived. */
export interface PartialPublication {
  readonly publish: MethodArguments<'basic.publish'>;
  header:
    | { readonly bodyBytes: number; readonly encoded: Uint8Array; readonly properties: AmqpProperties }
    | undefined;
  readonly pieces: Uint8Array[];
  heldBytes: number;
}

export interface ChannelState {
  readonly number: number;
  /** After our channel.close: everything but its answer is ignored. */
  isClosing: boolean;
  partialPublication: PartialPublication | undefined;
  lastQueue: string | undefined;
  /** basic.qos: for later consumers, and for the whole channel. 0: no limit. */
  prefetch: number;
  channelPrefetch: number;
  nextDeliveryTag: number;
  readonly unacknowledged: Map<number, UnacknowledgedDelivery>;
  /** Unacknowledged deliveries of consumers; gets do not count for a prefetch. */
  consumerUnacknowledged: number;
  readonly consumers: Map<string, QueueConsumer>;
  confirms: boolean;
  nextPublishTag: number;
  /** Publications without a confirm, ascending. */
  readonly unconfirmed: Set<number>;
  /** Confirmed and refused publications, ascending, to be reported at the end of the step. */
  confirmed: number[];
  refused: number[];
  replyConsumer: ReplyConsumer | undefined;
  /** Answers that wait for a commit; later answers of the channel wait too. */
  heldAnswers: number;
}

export type ConnectionPhase =
  | 'header'
  | 'start'
  | 'signing-in'
  | 'tune'
  | 'open'
  | 'running'
  | 'closing'
  | 'ended';

export interface ConnectionState {
  readonly id: number;
  readonly address: string;
  readonly parser: FrameParser;
  phase: ConnectionPhase;
  user: string;
  /** Of its sign-in. */
  mechanism: string;
  frameMax: number;
  channelMax: number;
  heartbeatMs: number;
  capabilities: { readonly cancels: boolean; readonly blocked: boolean; readonly refusals: boolean };
  readonly channels: Map<number, ChannelState>;
  /** Of all channels together. */
  partialBytes: number;
  hasPublished: boolean;
  isToldBlocked: boolean;
  /** Reading from it is paused. */
  isPaused: boolean;
  /** Bytes that were written to it and are unread. */
  outstandingBytes: number;
  stalledSinceMs: number | undefined;
  readAtMs: number;
  wroteAtMs: number;
  /** In `closing` and before `running`: when it is severed. */
  deadlineMs: number;
  /** Its socket is being severed: it no longer counts for the limits. */
  isSevered: boolean;
}

/** A change to be stored. Replayed in order, the records give the durable part of the state. */
export type JournalRecord =
  | { readonly kind: 'put-exchange'; readonly exchange: Omit<ExchangeState, 'storedAt'> }
  | { readonly kind: 'drop-exchange'; readonly name: string }
  | { readonly kind: 'put-queue'; readonly queue: Pick<QueueState, 'name' | 'autoDelete' | 'args'> }
  /** With its messages. */
  | { readonly kind: 'drop-queue'; readonly name: string }
  | { readonly kind: 'put-binding'; readonly binding: Omit<Binding, 'storedAt'>; readonly key: string }
  | { readonly kind: 'drop-binding'; readonly key: string }
  | { readonly kind: 'put-message'; readonly queue: string; readonly entry: QueueEntry }
  | { readonly kind: 'drop-message'; readonly position: number };

/** An answer that may be sent only once all records before it are on disk. */
export interface DeferredAnswer {
  /** The number of records that must be committed first. */
  readonly after: number;
  readonly sinceMs: number;
  readonly connection: ConnectionState;
  readonly channel: ChannelState;
  readonly answer: { readonly confirm: number } | { readonly bytes: Uint8Array };
}

export type AmqpOperation = 'configure' | 'write' | 'read';

export interface BrokerServices {
  /**
   * Whether a user may do this with an exchange or queue of this name. The default exchange is `amq.default`.
   */
  permits(user: string, operation: AmqpOperation, name: string): boolean;
  /** An unguessable part of a name. */
  makeName(): string;
  /** Of this program, and what it runs on (`Node.js v24.18.0`): for the server properties. */
  readonly version: string;
  readonly platform: string;
}

export type BrokerEffect =
  | { readonly kind: 'write'; readonly connection: number; readonly bytes: Uint8Array }
  | {
      readonly kind: 'authenticate';
      readonly connection: number;
      readonly username: string;
      readonly password: string;
    }
  /** Ends the socket once everything before is written, or severs it. */
  | { readonly kind: 'end'; readonly connection: number; readonly isSevered: boolean }
  | { readonly kind: 'pause' | 'resume'; readonly connection: number }
  | { readonly kind: 'warn'; readonly who: string; readonly reason: string; readonly message: string };

/** The whole broker. Only `stepBroker` in core.ts changes it, in place. */
export interface BrokerState {
  readonly services: BrokerServices;
  readonly exchanges: Map<string, ExchangeState>;
  readonly queues: Map<string, QueueState>;
  readonly connections: Map<number, ConnectionState>;
  /** By their names. */
  readonly replyConsumers: Map<string, ReplyConsumer>;
  bindingCount: number;
  nowMs: number;
  nextPosition: number;
  /** The memory of all messages together. */
  messageBytes: number;
  /** Why publishers are blocked. */
  readonly alarms: Set<'memory' | 'disk'>;
  /** Not yet taken by the server. */
  journal: JournalRecord[];
  /** How many records were ever written to the journal, and how many of them are on disk. */
  journalCount: number;
  committedCount: number;
  /** An answer waits for a commit of the journal. */
  isAwaited: boolean;
  /** The number of records up to the last deletion of an exchange, queue or binding, or purge. */
  removedAt: number;
  /** Ascending by `after`. */
  deferredAnswers: DeferredAnswer[];
  /** Channels with entries in `confirmed` or `refused`. */
  readonly confirming: Map<ChannelState, ConnectionState>;
  /** Effects of the current step. */
  effects: BrokerEffect[];
}
