/** Limits of the real world's ports, and of guesses at secrets. */
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
  /** AMQP heartbeat: a peer that sends nothing for twice as long counts as lost. */
  amqpHeartbeatS: 10,
  /**
   * The longest single timer; longer waits are split. Node's timers end at 2^31 ms and do not notice that the machine
   * has slept.
   */
  longestTimerMs: 60_000,
  /** From this difference between wall and monotonic clock on, the wall clock was set or the machine slept. */
  clockStepMs: 500,
  /** A shorter time does not count as sleep: some systems report their uptime in whole seconds. */
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
  /**
   * How guessing is slowed down at secrets that programs have: of clients, of accounts at the embedded brokers, of the
   * simulator. A program with an old secret retries again and again.
   */
  secretGuesses: {
    free: 10,
    firstDelayMs: 1_000,
    lastDelayMs: 60_000,
    forgetMs: 60 * 60_000,
    ofName: 600,
    ofNameMs: 6_000,
    keys: 10_000,
  },
  /**
   * A password of this many characters cannot be guessed: 80 bits in random hexadecimal digits, as boxtwin makes
   * them.
   */
  unguessableCharacters: 20,
  /** Characters of a name by which guesses are counted: names may be as long as a packet. */
  guessedNameCharacters: 128,
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
