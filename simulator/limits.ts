/** The bounds and the fixed times of the simulated boxes. Relations between them: test/unit/simulator/limits.test.ts. */
export const limits = {
  /** Records of a journal, tombstones not counted. */
  journalRecords: 10_000,
  /** Tombstones of a journal. While all are taken nothing more is given up, and nothing new is recorded. */
  journalTombstones: 10_000,
  /** Requests whose reply a box remembers. */
  answeredRequests: 32,

  /** One MQTT payload of a box that drains its journal. */
  framesPerPublish: 32,
  bytesPerPublish: 16_384,
  /** Payloads on their way to the broker. Events and replies may use the room between the two figures. */
  publishesInFlight: 4,
  urgentPublishesInFlight: 8,
  /** Reports and tombstones that were sent and are not receipted; events and replies have room of their own. */
  recordsAwaitingReceipt: 512,
  urgentRecordsAwaitingReceipt: 512,
  /** Up to here a reply may still go where events have filled their room. */
  repliesAwaitingReceipt: 768,
  /**
   * A record that goes before lower ones leaves a gap, and a backend keeps only so many. Nothing of the sort goes that
   * would leave more of them than this. Each sort may go on where the one before it must stop, and all of them leave
   * room for gaps that the box does not know of.
   */
  gapsByEvents: 64,
  gapsByTombstones: 96,
  gapsByReplies: 128,

  /** A payload that the broker has not acknowledged by then means that the link is half open. */
  acknowledgementTimeoutMs: 30_000,
  /** Without any receipt the records are sent again after the first time, then twice as long, up to the second. */
  resendFirstMs: 30_000,
  resendMostMs: 600_000,
  /** The same for a hello that nobody answers. */
  helloRepeatFirstMs: 10_000,
  helloRepeatMostMs: 300_000,
  reconnectFirstMs: 1_000,
  reconnectMostMs: 60_000,
  connectTimeoutMs: 15_000,
  keepAliveS: 60,

  /** From power to the first look at the vehicle. */
  bootMs: 300,
  /** How long a reset keeps the box down before it boots. */
  resetDownMs: 3_000,
  /** How long the box says it will be away for a reset, and how long it waits for that to be acknowledged. */
  resetExpectedS: 15,
  leavingMs: 3_000,
  /** A reply that goes before a reset of modem, link or board waits so long for its acknowledgement. */
  errandMs: 5_000,
  bleResetMs: 2_000,
  modemResetMs: 2_000,

  /** Below the first the processor stops; above the second it starts again. */
  brownOutMillivolts: 6_000,
  restoreMillivolts: 9_000,

  /** How often a box with ignition on looks at its inputs. */
  lookMs: 1_000,
  /** Below it a heading means nothing. */
  headingSpeedKph: 5,
  /** From this speed on the vehicle counts as moving. */
  movingSpeedKph: 1,
  /** CPU time of one short wake-up. */
  wakeUpMs: 20,

  /** How far a real-time clock may be off, at most, per elapsed time. */
  rtcDriftMostPpm: 100,
  /** The clock in flash is renewed when it has moved this far. */
  clockPersistMs: 500,

  heapBytes: 196_608,
  heapAtRestBytes: 61_440,

  /** A host whose flash is full tries again after this time. */
  flashRetryMs: 5_000,
  /** Between the first boots of a fleet. */
  fleetStaggerMs: 5,
} as const;
