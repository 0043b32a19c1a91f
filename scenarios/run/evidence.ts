import type { KindName } from '../../protocol/kinds.ts';
import type { Message } from '../../protocol/message.ts';
import type { JournalFacts, MessageFates } from '../ledger/facts.ts';
import type { Player } from './theatre.ts';

/** The key of one journal record: `box id/epoch/sequence`. */
export type RecordKey = `${string}/${number}/${number}`;

/**
 * Read a page at a time: a promise for each of a million records would cost more than reading them. A page holds at
 * least one.
 */
export type Pages<T> = AsyncIterable<readonly T[]>;

/** What each side knows of what happened, from its own books. Checkers compare them; none is believed alone. */
export interface Evidence {
  /**
   * Every frame of these kinds that crossed the wire, oldest first, as the wire saw it; others may be among them.
   * Rejects where they were not written down (books.ts).
   */
  frames(player: Player, kinds: ReadonlySet<KindName>): Pages<SeenFrame>;
  /** What the service has stored of the box's records, in the order of epoch and sequence. */
  records(player: Player): Pages<StoredFact>;
  /** How many records the service ever stored of the box, and how many tombstones gave up; pruned rows included. */
  everStored(player: Player): Promise<{ readonly records: number; readonly lost: number }>;
  /** The box's journal as its flash has it; undefined where it was never written, or there is no box. */
  journal(player: Player): Promise<JournalFacts | undefined>;
  /** Where messages are that lie in no queue: in the outbox, or dropped because it had no room. Others are missing. */
  whereabouts(messageIds: readonly string[]): Promise<MessageFates>;
  /** How many payloads and calls found no room in the books: where there are any, absence proves nothing. */
  unbooked(): { readonly frames: number; readonly calls: number };
  /** What was put into a queue, oldest first, repeats included; a body that was not written down throws when read. */
  messages(queue: string): Pages<QueuedMessage>;
  /** All queues that there are, with the fleet for which they were declared. */
  queues(): Promise<readonly { readonly name: string; readonly fleetId: string; readonly topic: string }[]>;
  /** What the box's outputs and the vehicle really did at whose command. */
  acted(player: Player): Promise<readonly Acted[]>;
  /** Every call with its answer, in the order of the answers. */
  calls(): Promise<readonly AnsweredCall[]>;
  /** The bulk jobs that the run has ordered, with every item. */
  jobs(): Promise<readonly JobFact[]>;
  /** The body of GET /vehicles/{id}, as the service answers its owner now. */
  twin(player: Player): Promise<Readonly<Record<string, unknown>>>;
  /**
   * What the vehicle physically was at so many moments between these two that nothing is missed; undefined where the
   * earlier one is not kept any more, or nobody reads that book. Plain JSON, as the simulator tells it.
   */
  truths(
    player: Player,
    fromMs: number,
    toMs: number,
  ): readonly Readonly<Record<string, unknown>>[] | undefined;
  /** How far the clock of its box was off, since when, oldest first; undefined: it did not know the time. */
  clocks(player: Player): readonly ClockFact[];
  /** The most that each bounded thing has held, and its bound, by name. */
  levels(): Promise<readonly { readonly name: string; readonly most: number; readonly bound: number }[]>;
  /** What still waits, in words: journals with records, the outbox, open commands, items of jobs. Empty: it healed. */
  pending(): Promise<readonly { readonly what: string; readonly reason: string; readonly player?: Player }[]>;
}

export interface ClockFact {
  readonly fromMs: number;
  readonly errorMs: number | undefined;
}

export interface SeenFrame {
  readonly atMs: number;
  readonly direction: 'up' | 'down';
  readonly epoch: number;
  readonly sequence: number;
  /** The sender's clock; 0: it does not know the time. */
  readonly clockMs: number;
  readonly message: Message;
}

export interface StoredFact {
  readonly key: RecordKey;
  readonly epoch: number;
  readonly sequence: number;
  readonly kind: string;
  readonly measuredMs: number;
  readonly storedMs: number;
  readonly messageIds: readonly string[];
}

export interface QueuedMessage {
  readonly atMs: number;
  readonly queue: string;
  readonly messageId: string;
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly name: string;
  readonly body: unknown;
}

export interface Acted {
  readonly atMs: number;
  readonly requestId: string;
  readonly command: string;
}

export interface AnsweredCall {
  readonly call: number;
  readonly player?: Player;
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly status: number;
  readonly problem?: string;
  readonly detail?: string;
  readonly body: unknown;
  readonly flowId?: string;
  /** The token that came with it, by the book of its client; absent: none, or a forged one. */
  readonly token?: { readonly endsMs: number };
}

export interface JobFact {
  readonly id: string;
  /** As the request named them, by the book of whoever asked; the items are the service's. */
  readonly vehicleIds: readonly string[];
  readonly status: string;
  readonly items: readonly { readonly id: string; readonly status: string; readonly reason?: string }[];
}
