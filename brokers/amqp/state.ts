import type { Table } from './fields.ts';
import type { FrameParser } from './frames.ts';
import type { Arguments } from './method-codec.ts';
import type { Properties } from './properties.ts';
import type { QueueRules } from './queue-rules.ts';
import type { ReadyQueue } from './ready-queue.ts';

export type ExchangeType = 'direct' | 'fanout' | 'topic' | 'headers';

export interface ExchangeState {
  readonly name: string;
  readonly type: ExchangeType;
  readonly durable: boolean;
  readonly autoDelete: boolean;
  readonly internal: boolean;
  readonly args: Table;
  /** Where messages go that it could not route (x-alternate or alternate-exchange). */
  readonly alternate: string | undefined;
  /** By everything that tells one from another. */
  readonly bindings: Map<string, Binding>;
  /** The number of entrances with which it is on disk; 0 where it need not, or has long been. */
  readonly storedAt: number;
}

export interface Binding {
  readonly source: string;
  readonly destination: { readonly kind: 'queue' | 'exchange'; readonly name: string };
  readonly routingKey: string;
  readonly args: Table;
  /** As that of an exchange. */
  readonly storedAt: number;
}

export interface Message {
  readonly exchange: string;
  readonly routingKey: string;
  /** Flags and properties as they came. */
  readonly properties: Uint8Array;
  readonly body: Uint8Array;
  readonly isPersistent: boolean;
  /** The queues, and unacknowledged deliveries, that hold it. */
  holders: number;
}

/** A message in one queue. */
export interface Entry {
  /** Ascending over all queues, in the order of arrival. */
  readonly position: number;
  readonly message: Message;
  readonly expiresAtMs: number | undefined;
  redelivered: boolean;
  /** It has, or is about to have, a row on disk. */
  readonly isStored: boolean;
}

export interface QueueState {
  readonly name: string;
  readonly durable: boolean;
  /** The connection that it belongs to, where it is exclusive. */
  readonly owner: ConnectionState | undefined;
  readonly autoDelete: boolean;
  readonly args: Table;
  readonly rules: QueueRules;
  readonly ready: ReadyQueue<Entry>;
  readyBytes: number;
  /** In the order in which they are served next. */
  consumers: Consumer[];
  /** For x-expires: the last declare, get or end of a consumer. */
  usedAtMs: number;
  isDeleted: boolean;
  /** As that of an exchange. */
  storedAt: number;
}

export interface Consumer {
  readonly tag: string;
  readonly queue: QueueState;
  readonly connection: ConnectionState;
  readonly channel: ChannelState;
  readonly noAck: boolean;
  readonly exclusive: boolean;
  /** 0: no limit. */
  readonly prefetch: number;
  unacknowledged: number;
}

/** Whoever consumes direct replies (amq.rabbitmq.reply-to): one for a channel. */
export interface ReplyConsumer {
  readonly tag: string;
  /** What stands in reply_to in place of amq.rabbitmq.reply-to: whoever knows it may answer. */
  readonly name: string;
  readonly connection: ConnectionState;
  readonly channel: ChannelState;
}

export interface Unacknowledged {
  readonly entry: Entry;
  readonly queue: QueueState;
  readonly consumer: Consumer | undefined;
}

/** A publication whose header, and perhaps a part of its body, has come. */
export interface HalfReceived {
  readonly publish: Arguments<'basic.publish'>;
  header:
    | { readonly bodyBytes: number; readonly encoded: Uint8Array; readonly properties: Properties }
    | undefined;
  readonly pieces: Uint8Array[];
  heldBytes: number;
}

export interface ChannelState {
  readonly number: number;
  /** After channel.close of ours: all but its answer is passed over. */
  isClosing: boolean;
  half: HalfReceived | undefined;
  lastQueue: string | undefined;
  /** basic.qos: for the consumers to come, and for the channel as a whole. 0: no limit. */
  prefetch: number;
  channelPrefetch: number;
  nextDeliveryTag: number;
  readonly unacknowledged: Map<number, Unacknowledged>;
  /** Unacknowledged deliveries of consumers; a get does not count for a prefetch. */
  consumerUnacknowledged: number;
  readonly consumers: Map<string, Consumer>;
  confirms: boolean;
  nextPublishTag: number;
  /** Publications without a confirm, ascending. */
  readonly unconfirmed: Set<number>;
  /** Those that are confirmed, and those that are refused, ascending, of which the end of the step tells. */
  confirmed: number[];
  refused: number[];
  replyConsumer: ReplyConsumer | undefined;
  /** Answers that wait for a commit; what comes after them on the channel waits too. */
  heldAnswers: number;
}

export type Phase = 'header' | 'start' | 'signing-in' | 'tune' | 'open' | 'running' | 'closing' | 'ended';

export interface ConnectionState {
  readonly id: number;
  readonly address: string;
  readonly parser: FrameParser;
  phase: Phase;
  user: string;
  frameMax: number;
  channelMax: number;
  heartbeatMs: number;
  capabilities: { readonly cancels: boolean; readonly blocked: boolean; readonly refusals: boolean };
  readonly channels: Map<number, ChannelState>;
  /** Of all channels together. */
  halfReceivedBytes: number;
  hasPublished: boolean;
  isToldBlocked: boolean;
  /** Nothing is read from it now. */
  isPaused: boolean;
  /** Bytes that were written to it and not taken yet. */
  outstandingBytes: number;
  stalledSinceMs: number | undefined;
  readAtMs: number;
  wroteAtMs: number;
  /** In `closing` and before `running`: when it is severed. */
  deadlineMs: number;
  /** Its socket is being severed: it takes up no place any more. */
  isSevered: boolean;
}

/** What is to be written down. Replayed in order it gives the durable part of the state. */
export type Entrance =
  | { readonly kind: 'put-exchange'; readonly exchange: Omit<ExchangeState, 'storedAt'> }
  | { readonly kind: 'drop-exchange'; readonly name: string }
  | { readonly kind: 'put-queue'; readonly queue: Pick<QueueState, 'name' | 'autoDelete' | 'args'> }
  /** With its messages. */
  | { readonly kind: 'drop-queue'; readonly name: string }
  | { readonly kind: 'put-binding'; readonly binding: Omit<Binding, 'storedAt'>; readonly key: string }
  | { readonly kind: 'drop-binding'; readonly key: string }
  | { readonly kind: 'put-message'; readonly queue: string; readonly entry: Entry }
  | { readonly kind: 'drop-message'; readonly position: number };

/** What may be said only once all entrances before it are on disk. */
export interface Held {
  /** The number of entrances that must be committed first. */
  readonly after: number;
  readonly sinceMs: number;
  readonly connection: ConnectionState;
  readonly channel: ChannelState;
  readonly word: { readonly confirm: number } | { readonly bytes: Uint8Array };
}

export type Operation = 'configure' | 'write' | 'read';

export interface Services {
  /** Whether a user may do this with an exchange or queue of this name. The default exchange is `amq.default`. */
  permits(user: string, operation: Operation, name: string): boolean;
  /** An unguessable part of a name. */
  mintName(): string;
}

export type Effect =
  | { readonly kind: 'write'; readonly connection: number; readonly bytes: Uint8Array }
  | {
      readonly kind: 'authenticate';
      readonly connection: number;
      readonly username: string;
      readonly password: string;
    }
  /** The socket is ended once everything before is written, or severed. */
  | { readonly kind: 'end'; readonly connection: number; readonly isSevered: boolean }
  | { readonly kind: 'pause' | 'resume'; readonly connection: number }
  | { readonly kind: 'warn'; readonly who: string; readonly reason: string; readonly message: string };

/** The whole broker. `step` in core.ts changes it in place; nothing else does. */
export interface BrokerState {
  readonly services: Services;
  readonly exchanges: Map<string, ExchangeState>;
  readonly queues: Map<string, QueueState>;
  readonly connections: Map<number, ConnectionState>;
  /** By their names. */
  readonly replyConsumers: Map<string, ReplyConsumer>;
  bindingCount: number;
  nowMs: number;
  nextPosition: number;
  /** What all messages together take. */
  messageBytes: number;
  /** Why publishers wait. */
  readonly alarms: Set<'memory' | 'disk'>;
  /** Not yet taken by the edge. */
  journal: Entrance[];
  /** How many entrances were ever written to the journal, and how many of them are on disk. */
  entered: number;
  committed: number;
  /** Somebody waits for a commit of the journal. */
  isAwaited: boolean;
  /** The number of entrances up to the last deletion of an exchange, queue or binding, or purge. */
  removedAt: number;
  /** Ascending by `after`. */
  held: Held[];
  /** Those with publications in `confirmed` or `refused`. */
  readonly confirming: Map<ChannelState, ConnectionState>;
  /** Of the step that is under way. */
  effects: Effect[];
}
