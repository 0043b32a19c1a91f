/** The bounds and the fixed times of the simulated boxes. Relations between them: test/unit/simulator/limits.test.ts. */
export const limits = {
  /** Records of a journal, tombstones not counted. */
  journalRecords: 10_000,
  /** Tombstones of a journal. While all are taken nothing more is given up, and nothing new is recorded. */
  journalTombstones: 10_000,
  /** Pages of receipted records that wait for the next write; with one more they are erased by a write of their own. */
  journalReceiptedPages: 64,
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
  /** The first for firmware without the wide window. */
  narrowRecordsAwaitingReceipt: 256,
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
  /** The same for a `ready` that nobody has shown to have heard. */
  readyRepeatFirstMs: 10_000,
  readyRepeatMostMs: 300_000,
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
  /** How long putting in a program takes, and what the box says of it. */
  updateDownMs: 20_000,
  updateExpectedS: 45,
  /** An update over the air: the room for a program, what comes at once, and what the link carries by its CSQ. */
  bankBytes: 1_572_864,
  chunkBytes: 32_768,
  downloadSpeeds: [
    { csq: 20, bytesPerS: 64_000 },
    { csq: 10, bytesPerS: 24_000 },
  ],
  downloadLeastBytesPerS: 6_000,
  /** A server that ends the connection early is asked again after this time, and at most so often. */
  downloadRetryMs: 60_000,
  downloadBreaks: 5,
  /** An update that is not installed by then is given up. */
  updatePatienceMs: 7 * 24 * 3_600_000,
  /** How long the other bank takes to be written, and how often that is tried. */
  installMs: 20_000,
  updateInstalls: 3,
  /** How long a program on trial tests itself, and how many boots it has for that. */
  selfTestMs: 8_000,
  trialBoots: 3,
  /** An application that hangs for so long is reset. */
  watchdogMs: 120_000,
  /** What arrives for one that hangs, until the buffer is full. */
  heldInputs: 32,
  /** How long a box gets acquainted with its vehicle: at least, and at most where something is missing. */
  setupLeastMs: 3_000,
  setupMostMs: 20_000,
  /** What it needs for that: a supply that will last, a signal that will carry. */
  setupMillivolts: 10_500,
  setupCsq: 3,
  /** How long damage detection listens before it is active. */
  calibrationMs: 30_000,
  /** A starter relay that refused to be cut is tried again after this time. */
  immobilizerRetryMs: 60_000,
  bleResetMs: 2_000,
  /** Tokens of which a box knows how often they were used, or that they were withdrawn; also those that it has at all. */
  bluetoothTokens: 64,
  /** How long a phone waits for an answer, and until when a box puts back what a reset left half done for one. */
  phonePatienceMs: 10_000,
  bluetoothDeedMs: 20_000,
  modemResetMs: 2_000,

  /** Below the first the processor stops; above the second it starts again. */
  brownOutMillivolts: 6_000,
  /** Below it there is no supply: the backup battery takes over. */
  goneMillivolts: 3_000,
  restoreMillivolts: 9_000,

  /** A supply that stays below the first for so long, with the ignition off, is spared; above the last it is used. */
  lowMillivolts: 10_500,
  lowMs: 600_000,
  wakeMillivolts: 11_000,
  /** What the backup battery keeps for the clock: with so much left of it the box powers down. */
  backupReservePercent: 5,
  /** How often a box looks at its power while it runs on its backup battery, and while it is powered down. */
  backupLookMs: 60_000,
  asleepLookMs: 60_000,
  /** What a box says of how long it will be powered down: nobody knows. The field holds no more. */
  sleepExpectedS: 65_535,

  /** How often a box with ignition on looks at its inputs. */
  lookMs: 1_000,
  /** For so long at most looks are left out from which nothing can come: slow changes are seen all the same. */
  quietMs: 60_000,
  /** Below it a heading means nothing. */
  headingSpeedKph: 5,
  /** From this speed on the vehicle counts as moving. */
  movingSpeedKph: 1,
  /** The range of the accelerometer. */
  accelerometerMg: 32_000,
  /** Pieces of an acceleration that follow so closely are one. */
  shakeGapMs: 1,
  /** Shorter or stronger than this no tyre brakes or corners: it is a blow. */
  drivingLeastMs: 300,
  drivingMostMg: 2_000,
  /** What shakes a parked vehicle more than wind and passing lorries. */
  shockMg: 250,
  /** Structure-borne sound that counts as damage, by sensitivity: low, medium, high. */
  damageMg: { 1: 900, 2: 600, 3: 300 },
  /** A parked vehicle that is as far away as this is towed; so is one that leans as much for so long. */
  towingM: 50,
  leaningDegrees: 3,
  leaningMs: 5_000,
  /** GNSS positions of a standing vehicle differ by less. */
  scatterM: 1,
  /** After so long without moving a vehicle is left where it is then. */
  settledMs: 60_000,
  /** CPU time of one short wake-up. */
  wakeUpMs: 20,

  /** How far a real-time clock may be off, at most, per elapsed time. */
  rtcDriftMostPpm: 100,
  /** The clock in flash is renewed when it has moved this far. */
  clockPersistMs: 500,
  /** A frame is not longer than this under way on a connection that lives: keep-alives end a silent one sooner. */
  longestTransitMs: 300_000,

  heapBytes: 196_608,
  heapAtRestBytes: 61_440,
  /** What the allocator keeps for itself: with so little left an application waits for memory for ever. */
  heapLeastBytes: 2_048,
  /** What a frame that was not for the box leaves behind. */
  heapPerStrayBytes: 64,

  /** A host whose flash is full tries again after this time. */
  flashRetryMs: 5_000,
  /** Between the first boots of a fleet. */
  fleetStaggerMs: 5,
} as const;
