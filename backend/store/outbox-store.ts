/** Messages on their way out. They are written by the calls that write what they tell. */
export interface OutboxStore {
  /**
   * Unsent messages in the order of their commits, from behind `afterPosition` on (0: from the start). A message
   * becomes visible only after all of lower positions have.
   */
  next(query: { readonly afterPosition: number; readonly limit: number }): Promise<readonly OutboxRow[]>;
  /**
   * Confirmed by the broker: off the outbox. Positions that are off it already are passed over; one that was dropped
   * while it was on its way is no longer counted as missing.
   */
  sent(positions: readonly number[]): Promise<void>;
  /** Takes the same time however long the outbox is. */
  size(): Promise<OutboxSize>;
  /** What was dropped to keep the outbox within its bounds, ever: one row for each fleet and reason. */
  drops(): Promise<readonly DropTotal[]>;
  /** Those of the given messages that were dropped and did not arrive all the same. For the ledger. */
  dropped(messageIds: readonly string[]): Promise<readonly DroppedMessage[]>;
}

export interface OutboxSize {
  readonly messages: number;
  /** Of the bodies, in bytes of UTF-8. */
  readonly bytes: number;
  /** When the oldest was made; undefined where there is none. */
  readonly oldestMs: number | undefined;
}

/** Which bound of the outbox a message was dropped for: too many, too large together, too old. */
export type DropReason = 'messages' | 'bytes' | 'age';

export interface DropTotal {
  readonly fleetId: string;
  readonly reason: DropReason;
  readonly messages: number;
  /** Of them those that the broker confirmed all the same: they were on their way when they were dropped. */
  readonly arrived: number;
  readonly lastMs: number;
}

export interface DroppedMessage {
  readonly messageId: string;
  readonly vehicleId: string;
  readonly fleetId: string;
  readonly reason: DropReason;
  readonly createdMs: number;
  /** By the time of the message whose writing dropped it. */
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
  /** The JSON that goes out, so that a repeat is the same to the byte. */
  readonly body: string;
}
