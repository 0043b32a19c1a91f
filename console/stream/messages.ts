/** A message as it came to a queue of the console's own subscription. */
export interface SeenMessage {
  /** Counts from 1 for as long as the console runs. */
  readonly number: number;
  /** When it came, ISO 8601. */
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
  /** How many came in between that this reader was too slow for. */
  readonly leftOut: number;
  /** What is to be said of the connection: `reading`, or why not. */
  readonly state: string;
}
