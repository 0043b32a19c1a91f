/** The bounds of the real world's fulfilments. */
export const limits = {
  /** How long a goodbye may take before the connection is severed: a half-open peer never answers it. */
  linkEndMs: 1_000,
  /** How long `close` waits for confirms that are still out, and then for the answer to its goodbye. */
  exchangeConfirmMs: 1_500,
  exchangeEndMs: 500,
  /** AMQP heartbeat: a peer that is silent for twice as long counts as gone. */
  exchangeHeartbeatS: 10,
  /**
   * A timer is asked for no longer than this, then asked again: Node's timers end at 2^31 ms and do not see a
   * suspended machine, whose wall clock jumps.
   */
  longestTimerMs: 60_000,
  /** scrypt parameters of new hashes: N = 2^14, r = 8, p = 1 take 16 MiB and some 40 ms. */
  scryptLogN: 14,
  scryptBlockSize: 8,
  scryptParallel: 1,
  /** Parameters beyond these in a stored hash are not computed: they would take the memory of the process. */
  scryptHighestLogN: 17,
  scryptHighestBlockSize: 16,
  scryptHighestParallel: 4,
  /** So far ahead a token may say that it was issued: several backends, several clocks. */
  tokenAheadMs: 60_000,
  saltBytes: 16,
  hashBytes: 32,
  /** What a proxy holds of one direction before it lets the sender wait. */
  proxyHeldBytes: 256 * 1024,
  /** A segment of TCP in an Ethernet frame, and the headers of TCP and IP before it. */
  segmentBytes: 1_460,
  headerBytes: 40,
  /** So much of a connection is looked at for the name of who made it. */
  proxyGreetingBytes: 1_024,
} as const;
