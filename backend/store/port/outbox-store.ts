/** Messages to be published. They are written by the calls that write the data that they report. */
export interface OutboxStore {
  /**
   * Unsent messages in the order of their commits, after `afterPosition` (0: from the start). A message
   * becomes visible only after all with lower positions have.
   */
  next(query: { readonly afterPosition: number; readonly limit: number }): Promise<readonly OutboxRow[]>;
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
  /** Rises with each commit; never used twice. */
  readonly position: number;
}

export interface OutgoingMessage {
  readonly messageId: string;
  readonly vehicleId: string;
  readonly fleetId: string;
  /** `VehicleStateReceived` */
  readonly name: string;
  readonly version: string;
  readonly flowId: string;
  readonly createdMs: number;
  /** The published JSON, so that a repetition has the same bytes. */
  readonly body: string;
}
