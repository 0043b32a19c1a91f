/*
 * What the ledger reads and judges. The way of a record, and its hops:
 *
 *     box ──────── broker ──────── state ──────── outbox ──────── queue
 *     journal      MQTT            one commit     courier         consumer
 *     (flash)                      (records)                      (messages)
 */

/** Both ends included. */
export type SequenceRange = readonly [first: number, last: number];

/** A record that is still in the box's journal. */
export interface HeldRecord {
  readonly sequence: number;
  /** By the box's clock; undefined when its frame cannot be read. */
  readonly clockMs: number | undefined;
  /** Set for a tombstone. */
  readonly covers?: SequenceRange;
}

/** A box's journal, as read from its flash. */
export interface JournalFacts {
  readonly epoch: number;
  /** The sequence of the next record. */
  readonly next: number;
  /** In ascending order. The box has given up every other sequence below `next`. */
  readonly held: readonly HeldRecord[];
}

/** What is known of a box besides its records. */
export interface BoxFacts {
  readonly boxId: string;
  /** Undefined: the box is in no vehicle record. */
  readonly vehicleId: string | undefined;
  /** Undefined: its flash was never written. */
  readonly journal: JournalFacts | undefined;
  /** The part of the journal that the service has settled: stored, or covered by a tombstone. */
  readonly settled: { readonly epoch: number; readonly ranges: readonly SequenceRange[] };
  /** Whether the box is connected, as far as the service knows. */
  readonly isConnected: boolean;
  /** How many records were ever stored, and given up by stored tombstones, pruned rows included. */
  readonly ever: { readonly records: number; readonly lost: number };
}

/** A message as it was read from a queue. */
export interface ArrivedMessage {
  readonly queue: string;
  readonly messageId: string;
  /** Without the namespace: `VehicleStateReceived`. */
  readonly name: string;
  readonly vehicleId: string;
  /** When the service received the record; undefined when the message does not say. */
  readonly receivedMs: number | undefined;
  /** Undefined when the source does not say. */
  readonly arrivedMs: number | undefined;
  readonly redelivered: boolean;
  /** Equal for equal data. */
  readonly dataHash: number;
}

/** The state of messages that did not arrive. */
export interface MessageFates {
  /** The creation times of messages that wait in the outbox, by message id. */
  readonly waiting: ReadonlyMap<string, number>;
  /** The messages that the outbox dropped because it was full, with its bound. */
  readonly dropped: ReadonlyMap<string, string>;
}

export interface JudgeSettings {
  /** When the sources were read. */
  readonly nowMs: number;
  /**
   * The installation did not run when they were read, and had stopped at this time: nothing could get on its way since.
   * What has left the outbox is not held up by that: it waits in a queue for its reader. Absent: it runs.
   */
  readonly stoppedMs?: number | undefined;
  readonly lateAfterMs: number;
  /** Records received before this time are not searched among the messages. */
  readonly sinceMs: number;
  /** False: no queue was read, and the way ends at the outbox. */
  readonly hasMessages: boolean;
}

/** A stored record; those of a box come in ascending order of epoch and sequence. */
export interface LedgerRecord {
  readonly epoch: number;
  readonly sequence: number;
  readonly clockMs: number;
  readonly receivedMs: number;
  /** The message that it led to, if any. */
  readonly messageId: string | undefined;
  /** For a tombstone: how many records the box gave up. */
  readonly lost: number;
  /** For a tombstone: the sequences that it replaces. Some of them may be stored nevertheless. */
  readonly covers?: SequenceRange;
}
