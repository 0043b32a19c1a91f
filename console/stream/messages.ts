/** A message as it arrived at a queue of the console's own subscription. */
export interface SeenMessage {
  /** Counts from 1 since the start of the console. */
  readonly number: number;
  /** The time of its arrival, ISO 8601. */
  readonly at: string;
  readonly queue: string;
  /** `VehicleStateUpdated`, of its headers. */
  readonly type: string;
  readonly messageId: string;
  readonly vehicleId: string;
  readonly redelivered: boolean;
  readonly headers: Readonly<Record<string, unknown>>;
  /** JSON, or text. */
  readonly body: unknown;
}

/** One event of the stream of messages. */
export interface MessageNews {
  readonly messages: readonly SeenMessage[];
  /** The number of messages in between that this reader was too slow for. */
  readonly leftOut: number;
  /** The status of the connection: `reading`, or why not. */
  readonly state: string;
}
