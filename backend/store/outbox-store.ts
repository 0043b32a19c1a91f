export interface OutboxStore {
  /**
   * Unsent messages in the order of their commits, from behind `afterPosition` on (0: from the start). A message
   * becomes visible only after all of lower positions have.
   */
  next(query: { readonly afterPosition: number; readonly limit: number }): Promise<readonly OutboxRow[]>;
  /** Confirmed by the broker: off the outbox. Positions that are off it already are passed over. */
  sent(positions: readonly number[]): Promise<void>;
  size(): Promise<{ readonly messages: number; readonly oldestMs: number | undefined }>;
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
