/**
 * The limits and fixed times of the simulated boxes. Relations between them:
 * test/unit/simulator/limits.test.ts.
 */
export const limits = {
  /** The capacity of a journal in records; with its tombstones it holds at most `journalTombstones` more. */
  journalRecords: 10_000,
  /** Tombstones beside a full journal. Each one more takes the room of a record. */
  journalTombstones: 1_000,
  /**
   * Pages of receipted records that wait for the next write; one more causes a write of its own that erases
   * them.
   */
  journalReceiptedPages: 64,
  /** Requests whose reply a box remembers. */
  answeredRequests: 32,

  /** Frames in one MQTT payload of a box that drains its journal. */
  framesPerPublish: 32,
  bytesPerPublish: 16_384,
  /** Payloads on their way to the broker. Events and replies may use the room between both values. */
  publishesInFlight: 4,
  urgentPublishesInFlight: 8,
  /**
   * Reports and tombstones that were sent without a receipt so far; events and replies have room of their
   * own.
   */
  recordsAwaitingReceipt: 512,
  /** The first value for firmware without the wide window. */
  narrowRecordsAwaitingReceipt: 256,
  urgentRecordsAwaitingReceipt: 512,
  /** Up to this value a reply may still be sent after events have filled their room. */
  repliesAwaitingReceipt: 768,
  /**
   * A record that is sent before lower ones leaves a gap, and a backend keeps only a limited number of gaps.
   * A record is not sent out of order if it would leave more than this. Each class may continue where the one
   * before it must stop, and all of them leave room for gaps that the box does not know of.
   */
  gapsByEvents: 64,
  gapsByTombstones: 96,
  gapsByReplies: 128,

  /** If the broker has not acknowledged a payload by then, the connection is half open. */
  acknowledgementTimeoutMs: 30_000,
  /**
   * Without any receipt the records are sent again after the first time, doubled each time up to the second.
   */
  resendFirstMs: 30_000,
  resendMostMs: 600_000,
  /**
   * How often they are sent again, in one session, without any word of the backend. One more time of the first value
   * later the connection is given up: what comes down it may be stuck at the broker.
   */
  resendsUnheard: 4,
  /** The same for a hello without an answer. */
  helloRepeatFirstMs: 10_000,
  helloRepeatMostMs: 300_000,
  /** The same for a `ready` that is not confirmed. */
  readyRepeatFirstMs: 10_000,
  readyRepeatMostMs: 300_000,
  /** In a resumed session, from that many hellos on, a receipt of an earlier time is no longer held for one that was kept. */
  hellosUntilTrusted: 3,
  reconnectFirstMs: 1_000,
  reconnectMostMs: 60_000,
  connectTimeoutMs: 15_000,
  keepAliveS: 60,

  /** From power to the first look at the vehicle. */
  bootMs: 300,
  /** How long a reset keeps the box down before it boots. */
  resetDownMs: 3_000,
  /**
   * How long the box says it will be away for a reset, and how long it waits for the acknowledgement of that.
   */
  resetExpectedS: 15,
  goodbyeMs: 3_000,
  /** A reply before a reset of modem, connection or board waits this long for its acknowledgement. */
  pendingTaskMs: 5_000,
  /** How long an installation in a workshop takes, and the duration that the box announces. */
  updateDownMs: 20_000,
  updateExpectedS: 45,
  /** An update over the air: the room for a program, the chunk size, and the data rate by CSQ. */
  bankBytes: 1_572_864,
  chunkBytes: 32_768,
  downloadSpeeds: [
    { csq: 20, bytesPerS: 64_000 },
    { csq: 10, bytesPerS: 24_000 },
  ],
  downloadLeastBytesPerS: 6_000,
  /**
   * After a connection closed early by the server, the time until the next attempt, and the number of
   * attempts.
   */
  downloadRetryMs: 60_000,
  downloadBreaks: 5,
  /** An update that is not installed by then is abandoned. */
  updateDeadlineMs: 7 * 24 * 3_600_000,
  /** How long writing the other bank takes, and how often that is tried. */
  installMs: 20_000,
  updateInstalls: 3,
  /** How long a program on trial tests itself, and how many boots it has for that. */
  selfTestMs: 8_000,
  trialBoots: 3,
  /** An application that hangs for this long is reset. */
  watchdogMs: 120_000,
  /** Inputs that are buffered for a hanging application. */
  bufferedInputs: 32,
  /** How long a setup takes: at least, and at most if something is missing. */
  setupLeastMs: 3_000,
  setupMostMs: 20_000,
  /** What a setup needs: a sufficient supply voltage and signal. */
  setupMillivolts: 10_500,
  setupCsq: 3,
  /** How long damage detection calibrates before it is active. */
  calibrationMs: 30_000,
  /** A starter relay that refused to open is tried again after this time. */
  immobilizerRetryMs: 60_000,
  bleResetMs: 2_000,
  /** Tokens whose uses or withdrawal a box remembers; also the number that are valid at once. */
  bluetoothTokens: 64,
  /**
   * How long a phone waits for an answer, and until when a box rolls back what a reset left unfinished for
   * one.
   */
  phoneTimeoutMs: 10_000,
  bluetoothActionMs: 20_000,
  modemResetMs: 2_000,

  /** Below the first the processor stops; above the second it starts again. */
  brownOutMillivolts: 6_000,
  /** Below this there is no supply: the backup battery takes over. */
  goneMillivolts: 3_000,
  restoreMillivolts: 9_000,

  /**
   * A supply below the first value for this long, with the ignition off, is spared; above the last it is
   * used.
   */
  lowMillivolts: 10_500,
  lowMs: 600_000,
  wakeMillivolts: 11_000,
  /** The backup battery's reserve for the clock: with this charge left the box powers down. */
  backupReservePercent: 5,
  /** How often a box checks its power while it runs on its backup battery, and while it is powered down. */
  backupLookMs: 60_000,
  asleepLookMs: 60_000,
  /** The announced duration of a power-down: it is unknown, and the field holds no more. */
  sleepExpectedS: 65_535,

  /** How often a box with the ignition on looks at its inputs. */
  lookMs: 1_000,
  /** The longest time for which looks without effect are skipped, so that slow changes are still seen. */
  longestSkipMs: 60_000,
  /** Below this speed a heading is meaningless. */
  headingSpeedKph: 5,
  /** From this speed on the vehicle counts as moving. */
  movingSpeedKph: 1,
  /** The range of the accelerometer. */
  accelerometerMg: 32_000,
  /** Accelerations with at most this gap are one episode. */
  accelerationGapMs: 1,
  /** Tyres do not brake or corner for a shorter time or more strongly than this: it is an impact. */
  drivingLeastMs: 300,
  drivingMostMg: 2_000,
  /** More than wind and passing lorries shake a parked vehicle. */
  shockMg: 250,
  /** Structure-borne sound that counts as damage, by sensitivity: low, medium, high. */
  damageMg: { 1: 900, 2: 600, 3: 300 },
  /** A parked vehicle is being towed if it is this far away, or leans by this much for this long. */
  towingM: 50,
  leaningDegrees: 3,
  leaningMs: 5_000,
  /** GNSS positions of a standing vehicle differ by less. */
  scatterM: 1,
  /** After this long without moving, a vehicle's parking position is set anew. */
  settledMs: 60_000,
  /** CPU time of one short wake-up. */
  wakeUpMs: 20,

  /** The largest drift of a real-time clock. */
  rtcDriftMostPpm: 100,
  /** The clock in flash is updated when it has changed by this much. */
  clockPersistMs: 500,
  /** The longest transit time of a frame on a live connection: keep-alives end a silent one sooner. */
  longestTransitMs: 300_000,

  heapBytes: 196_608,
  heapAtRestBytes: 61_440,
  /** The allocator's reserve: with this little left an application waits for memory indefinitely. */
  heapLeastBytes: 2_048,
  /** The memory that a frame which was not for the box leaves allocated. */
  heapPerStrayBytes: 64,

  /** A host whose flash is full tries again after this time. */
  flashRetryMs: 5_000,
  /** The delay between the first boots of a fleet's boxes. */
  fleetStaggerMs: 5,
  /** Boxes that get power in each second where a ramp is wanted: if nobody says how many, and at most. */
  rampPerSecond: 200,
  rampMostPerSecond: 10_000,
  rampTickMs: 20,
  /** Boxes of a fleet that are made before the event loop does something else. */
  boxesMadeAtOnce: 10_000,
  /** Ranges of a box's sequences that a receiver in place of a service keeps. */
  receiverRanges: 256,
} as const;
