/** Limits of the embedded AMQP broker. */
export const limits = {
  /** Open connections; one more is refused at connection.open. */
  connections: 512,
  /**
   * Connections that are not open yet or are closing, in total and for each address; beyond it the oldest is
   * severed.
   */
  waiting: 256,
  waitingOfAddress: 192,
  /** Proposed in connection.tune; a client may choose less. */
  channelMax: 255,
  frameMax: 131_072,
  /** The minimum that the protocol requires (section 2.3.5), and the limit until a connection is tuned. */
  frameMin: 4_096,
  heartbeatS: 60,
  /** From the connection, including the TLS handshake, to the sign-in, and to connection.open. */
  signInMs: 5_000,
  connectMs: 10_000,
  /** How long the answer to a connection.close may take. */
  closeMs: 2_000,
  /** The body of one message. */
  messageBytes: 4 * 1_024 * 1_024,
  /** Incomplete bodies of one connection, on all its channels. */
  partialBodyBytes: 8 * 1_024 * 1_024,
  /**
   * All messages together, ready and unacknowledged. Beyond it publishers are blocked, until it is below
   * `memoryLowBytes`.
   */
  memoryBytes: 256 * 1_024 * 1_024,
  memoryLowBytes: 230 * 1_024 * 1_024,
  /** The memory of a message in addition to its bytes. */
  messageOverheadBytes: 400,
  /**
   * Unread bytes of a connection: beyond it nothing is delivered to it, beyond twice as much nothing is read
   * from it.
   */
  outstandingBytes: 1_024 * 1_024,
  /** How long a connection may read nothing of what was written to it. */
  stalledMs: 60_000,
  queues: 10_000,
  exchanges: 1_000,
  bindings: 20_000,
  consumersPerChannel: 1_000,
  /** Deliveries and gets of a channel without acknowledgement; beyond it nothing more is delivered. */
  unacknowledgedPerChannel: 50_000,
  /** Publications of a channel without confirm; beyond it nothing is read until a commit. */
  unconfirmedPerChannel: 10_000,
  /** Tables within tables. */
  tableDepth: 16,
  /** Bindings between exchanges, and repeated dead-lettering, that one publication may pass through. */
  deadLetterDepth: 16,
  /** How often TTLs, heartbeats and deadlines are checked. */
  tickMs: 100,
  /**
   * Records that no answer waits for, such as acknowledgements, are committed after this time or at this
   * number.
   */
  unawaitedMs: 100,
  unawaitedRecords: 5_000,
  /** The delay before a failed commit is tried again. */
  commitRetryMs: 500,
  /** How long an answer waits for a commit while commits fail. */
  answerMs: 2_000,
  /** Unread bytes of a connection: beyond it, a direct reply closes the connection. */
  outstandingReplyBytes: 4 * 1_024 * 1_024,
  /** The longest TTL and expiry, as in RabbitMQ: 2^32 - 1 ms. */
  longestTtlMs: 4_294_967_295,
} as const;
