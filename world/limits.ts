/** Limits of the real world's ports. */
export const limits = {
  /** Calls of the flash that share one transaction; more wait for the next. */
  flashGroupCalls: 2_000,
  /** Packets that a broker in memory hands over before the event loop does something else. */
  memoryTurnPackets: 1_000,
  /** Messages that a broker in memory keeps for one client; beyond it the newest is dropped. */
  memoryQueueMessages: 1_000_000,
  /** How long a disconnect may take before the connection is destroyed: a half-open peer never answers it. */
  mqttEndMs: 1_000,
  /** How long `close` waits for outstanding confirms, and then for the answer to its close. */
  amqpConfirmMs: 1_500,
  amqpEndMs: 500,
  /** AMQP heartbeat: a peer that is silent for twice as long counts as lost. */
  amqpHeartbeatS: 10,
  /**
   * The longest single timer; longer waits are split. Node's timers end at 2^31 ms and do not notice that the machine
   * has slept.
   */
  longestTimerMs: 60_000,
  /** From which difference on a wall clock and a monotonic clock that go apart tell that one was set, or the machine slept. */
  clockStepMs: 500,
  /** Less than that is no sleep of a machine: some systems tell their uptime in whole seconds. */
  shortestSleepMs: 2_000,
  /** Alarms that ring in a row before the event loop does something else. */
  alarmsAtOnce: 256,
  /** scrypt parameters of new hashes: N = 2^14, r = 8, p = 1 take 16 MiB and some 40 ms. */
  scryptLogN: 14,
  scryptBlockSize: 8,
  scryptParallel: 1,
  /** A stored hash with higher parameters is not computed: it would use up the memory of the process. */
  scryptHighestLogN: 17,
  scryptHighestBlockSize: 16,
  scryptHighestParallel: 4,
  /** How far in the future a token's `iat` may be: several backends, several clocks. */
  tokenAheadMs: 60_000,
  saltBytes: 16,
  hashBytes: 32,
  /** How many bytes a proxy buffers for each direction before it stops reading from the sender. */
  proxyHeldBytes: 256 * 1024,
  /** The payload of a TCP segment in an Ethernet frame, and the size of its TCP and IP headers. */
  segmentBytes: 1_460,
  headerBytes: 40,
  /** How many bytes of a connection are searched for the name of the client. */
  proxyGreetingBytes: 1_024,
} as const;
