/** The bounds of the embedded AMQP broker. */
export const limits = {
  /** Those that are open; one more is refused at connection.open. */
  connections: 512,
  /** Those that are not open yet, or not any more, of all addresses and of one: past it the oldest gives way. */
  waiting: 256,
  waitingOfAddress: 192,
  /** Proposed in connection.tune; a client may ask for less. */
  channelMax: 255,
  frameMax: 131_072,
  /** The lowest that the protocol allows (section 2.3.5), and what holds until a connection is tuned. */
  frameMin: 4_096,
  heartbeatS: 60,
  /** From the connection, the handshake of TLS included, to the sign-in, and to connection.open. */
  signInMs: 5_000,
  connectMs: 10_000,
  /** How long the answer to a connection.close may take. */
  closeMs: 2_000,
  /** The body of one message. */
  messageBytes: 4 * 1_024 * 1_024,
  /** Bodies of one connection, on all its channels, that are not complete yet. */
  halfReceivedBytes: 8 * 1_024 * 1_024,
  /** All messages together, ready and unacknowledged. Past it publishers are blocked, until it is below `low`. */
  memoryBytes: 256 * 1_024 * 1_024,
  memoryLowBytes: 230 * 1_024 * 1_024,
  /** What a message costs beside its bytes. */
  messageOverheadBytes: 400,
  /** Written to a connection and not taken yet: past it nothing is delivered to it, past twice it nothing is read. */
  outstandingBytes: 1_024 * 1_024,
  /** How long a connection may take nothing of what was written to it. */
  stalledMs: 60_000,
  queues: 10_000,
  exchanges: 1_000,
  bindings: 20_000,
  consumersPerChannel: 1_000,
  /** Deliveries and gets of a channel that wait for their acknowledgement; past it nothing more is delivered. */
  unacknowledgedPerChannel: 50_000,
  /** Publications of a channel that wait for their confirm; past it nothing is read until a commit. */
  unconfirmedPerChannel: 10_000,
  /** Tables within tables. */
  tableDepth: 16,
  /** Exchanges bound to exchanges, and dead letters that die again, in the course of one publication. */
  deadLetterDepth: 16,
  /** How often TTLs, heartbeats and deadlines are looked at. */
  tickMs: 100,
  /** What nobody waits for, as acknowledgements of messages, is written down after so long or when there is so much. */
  unawaitedMs: 100,
  unawaitedEntrances: 5_000,
  /** How long after a failed commit the next is tried. */
  commitRetryMs: 500,
  /** How long an answer waits for a commit while commits fail. */
  answerMs: 2_000,
  /** Written to a connection and not taken yet: past it a direct reply closes the connection. */
  outstandingReplyBytes: 4 * 1_024 * 1_024,
  /** The longest TTL and expiry, as RabbitMQ has it: 2^32 - 1 ms. */
  longestTtlMs: 4_294_967_295,
} as const;
