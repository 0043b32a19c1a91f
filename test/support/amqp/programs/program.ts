/** Values of a table; `~` in a text stands for the prefix of the run. */
export type Arguments = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** How a queue is declared. */
export interface QueueDefinition {
  readonly durable: boolean;
  readonly exclusive: boolean;
  readonly autoDelete: boolean;
  readonly args: Arguments;
}

export interface ExchangeDefinition {
  readonly type: 'direct' | 'fanout' | 'topic' | 'headers';
  readonly durable: boolean;
  readonly autoDelete: boolean;
  readonly internal: boolean;
  readonly args: Arguments;
}

/** A channel of a connection: `0.1` is channel 1 of the first connection. */
export type Actor = '0.1' | '0.2' | '1.1' | '1.2';

export const ACTORS: readonly Actor[] = ['0.1', '0.2', '1.1', '1.2'];

/** Queues and exchanges by their numbers; as an exchange, -1 is the default exchange. */
export type ProgramStep =
  | {
      readonly does: 'declare-queue';
      readonly by: Actor;
      readonly queue: number;
      readonly how: 'same' | 'passive' | 'other-durable' | 'other-auto-delete' | 'other-arguments';
    }
  | {
      readonly does: 'delete-queue';
      readonly by: Actor;
      readonly queue: number;
      readonly ifUnused: boolean;
      readonly ifEmpty: boolean;
    }
  | { readonly does: 'purge'; readonly by: Actor; readonly queue: number }
  | {
      readonly does: 'declare-exchange';
      readonly by: Actor;
      readonly exchange: number;
      readonly how: 'same' | 'passive' | 'other-type' | 'other-durable';
    }
  | {
      readonly does: 'delete-exchange';
      readonly by: Actor;
      readonly exchange: number;
      readonly ifUnused: boolean;
    }
  | {
      readonly does: 'bind' | 'unbind';
      readonly by: Actor;
      readonly exchange: number;
      readonly to: { readonly kind: 'queue' | 'exchange'; readonly number: number };
      readonly key: string;
      readonly args: Arguments;
    }
  | {
      readonly does: 'publish';
      readonly by: Actor;
      readonly exchange: number;
      readonly key: string;
      readonly count: number;
      readonly mandatory: boolean;
      readonly persistent: boolean;
      readonly expiration?: string | undefined;
      readonly bodyBytes: number;
      readonly headers: Arguments;
      readonly properties: Readonly<Record<string, string | number>>;
    }
  | {
      readonly does: 'consume';
      readonly by: Actor;
      readonly queue: number;
      readonly tag: string;
      /** A prefetch that is asked for just before. */
      readonly prefetch?: number | undefined;
      readonly noAck: boolean;
      readonly exclusive: boolean;
      readonly args: Arguments;
    }
  | { readonly does: 'cancel'; readonly by: Actor; readonly tag: string }
  | { readonly does: 'qos'; readonly by: Actor; readonly count: number; readonly global: boolean }
  | { readonly does: 'get'; readonly by: Actor; readonly queue: number; readonly noAck: boolean }
  /**
   * `which` counts what the channel holds, the oldest first; `unknown` is a tag that it does not hold. Where
   * the channel holds nothing, another one that holds something does the step; so it is for consumers and `cancel`.
   */
  | {
      readonly does: 'ack' | 'nack' | 'reject';
      readonly by: Actor;
      readonly which: number | 'unknown' | 'all';
      readonly multiple: boolean;
      readonly requeue: boolean;
    }
  | { readonly does: 'recover' | 'recover-async'; readonly by: Actor; readonly requeue: boolean }
  | { readonly does: 'confirm' | 'close-channel'; readonly by: Actor }
  | { readonly does: 'close-connection' | 'cut'; readonly by: Actor }
  /** Nothing, for so long that an unused queue expires. */
  | { readonly does: 'idle'; readonly by: Actor };

export interface ClientProgram {
  /** Declared by the first channel before the first step. */
  readonly queues: readonly QueueDefinition[];
  readonly exchanges: readonly ExchangeDefinition[];
  readonly steps: readonly ProgramStep[];
}

/** A message expires after this time at the earliest; a run waits as long before it goes on. */
export const SHORT_TTL_MS = 15;
/** An unused queue expires after this time; no run is so slow that one expires between two steps. */
export const QUEUE_EXPIRES_MS = 400;

export const QUEUES = 3;
export const EXCHANGES = 2;
