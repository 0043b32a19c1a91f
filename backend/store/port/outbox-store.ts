/** Messages to be published. They are written by the calls that write the data that they report. */
export interface OutboxStore {
  /**
   * Unsent messages of all partitions by position, after `afterPosition` (0: from the start). With one writer (SQLite),
   * a message becomes visible only after all with lower positions. With several, that holds only within a partition:
   * publishers then use `nextByPartition`, and this pages through waiting messages.
   */
  next(query: { readonly afterPosition: number; readonly limit: number }): Promise<readonly OutboxRow[]>;
  /**
   * Unsent messages of these partitions, of each by position and after its own (0: from the start). A message becomes
   * visible only after all of its partition with lower positions. Of each partition at most its share of the limit
   * (`shareOf`), so that a long one delays no other; fewer: there are no more of it.
   */
  nextByPartition(query: {
    readonly cursors: readonly PartitionCursor[];
    readonly limit: number;
  }): Promise<readonly OutboxRow[]>;
  /**
   * Removes messages that the broker confirmed. Positions that were removed already are ignored; one that was
   * dropped while it was in flight is no longer counted as missing.
   */
  sent(positions: readonly number[]): Promise<void>;
  /** Takes the same time for any length of the outbox. */
  size(): Promise<OutboxSize>;
  /** What was ever dropped to keep the outbox within its bounds: one row for each fleet and reason. */
  drops(): Promise<readonly DropTotal[]>;
  /** Those of the given messages that were dropped and did not arrive. For the ledger. */
  dropped(messageIds: readonly string[]): Promise<readonly DroppedMessage[]>;
}

/** How far a partition was read. */
export interface PartitionCursor {
  readonly partition: number;
  readonly afterPosition: number;
}

/** The most rows of each partition in one read of several, of `limit` in all: at least one. */
export function shareOf(limit: number, partitions: number): number {
  return Math.max(1, Math.floor(limit / Math.max(1, partitions)));
}

export interface OutboxSize {
  readonly messages: number;
  /** Of the bodies, in bytes of UTF-8. */
  readonly bytes: number;
  /** Creation time of the oldest; undefined if there is none. */
  readonly oldestMs: number | undefined;
}

/** The bound for which a message was dropped: number, total size, age. */
export type DropReason = 'messages' | 'bytes' | 'age';

export interface DropTotal {
  readonly fleetId: string;
  readonly reason: DropReason;
  readonly messages: number;
  /** Dropped messages that the broker confirmed nevertheless: they were in flight when they were dropped. */
  readonly arrived: number;
  readonly lastMs: number;
}

export interface DroppedMessage {
  readonly messageId: string;
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly reason: DropReason;
  readonly createdMs: number;
  /** The creation time of the message whose writing dropped it. */
  readonly droppedMs: number;
}

export interface OutboxRow extends OutgoingMessage {
  /** Rises with each message of the partition; no other message of any partition has it, at any time. */
  readonly position: number;
}

export interface OutgoingMessage {
  readonly messageId: string;
  readonly vehicleId: string;
  readonly fleetId: string;
  /**
   * Of the vehicle's box, or of the vehicle if it has none (protocol/partitions.ts). Messages of a partition keep their
   * order.
   */
  readonly partition: number;
  /** `VehicleStateReceived` */
  readonly name: string;
  readonly version: string;
  readonly flowId: string;
  readonly createdMs: number;
  /** The published JSON, so that a repetition has the same bytes. */
  readonly body: string;
}
