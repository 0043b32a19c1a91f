/**
 * The limits and fixed times of the simulated boxes. Relations between them:
 * test/unit/simulator/limits.test.ts.
 */
export const limits = {
  /** The capacity of a journal in records; with its tombstones it holds at most `journalTombstones` more. */
  journalRecords: 10_000,
  /** Tombstones in addition to a full journal. Each further one takes the room of a record. */
  journalTombstones: 1_000,
  /** Pages of receipted records that wait for the next write; one more causes a separate write that erases them. */
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
   * How often they are sent again, in one session, without any frame of the backend. One more interval of the first
   * value later the connection is dropped: downlink frames may be stuck at the broker.
   */
  resendsUnheard: 4,
  /** The same for a hello without an answer. */
  helloRepeatFirstMs: 10_000,
  helloRepeatMostMs: 300_000,
  /** The same for a `ready` that is not confirmed. */
  readyRepeatFirstMs: 10_000,
  readyRepeatMostMs: 300_000,
  /**
   * In a resumed session, from this many hellos on, a receipt of an earlier time no longer counts as kept by the
   * broker.
   */
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
  /** The requirements of a setup: a sufficient supply voltage and signal. */
  setupMillivolts: 10_500,
  setupCsq: 3,
  /** How long damage detection calibrates before it is active. */
  calibrationMs: 30_000,
  /** A starter relay that refused to open is tried again after this time. */
  immobilizerRetryMs: 60_000,
  bleResetMs: 2_000,
  /** Tokens whose uses or withdrawal a box remembers; also the number that are valid at the same time. */
  bluetoothTokens: 64,
  /** How long a phone waits for an answer, and until when a box rolls back an action for one after a reset. */
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
  /** The announced duration of a power-down: it is unknown; this is the maximum of the field. */
  sleepExpectedS: 65_535,

  /** How often a box with the ignition on samples its inputs. */
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
  /** GNSS positions of a stationary vehicle differ by less. */
  scatterM: 1,
  /** After this long without moving, a vehicle's parking position is set again. */
  settledMs: 60_000,
  /** CPU time of one short wake-up. */
  wakeUpMs: 20,

  /** The largest drift of a real-time clock. */
  rtcDriftMostPpm: 100,
  /** The clock in flash is updated when it has changed by this much. */
  clockPersistMs: 500,
  /** The longest transit time of a frame on a live connection: keep-alives end an idle one sooner. */
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
  /** Boxes that are not ready: at most so many are looked at for the reason, which takes some microseconds each. */
  unreadyLookedAt: 300,
  /** Boxes that get power in each second where a ramp is wanted: by default, and at most. */
  rampPerSecond: 200,
  rampMostPerSecond: 10_000,
  rampTickMs: 20,
  /** Boxes of a fleet that are made before the event loop does something else. */
  boxesMadeAtOnce: 10_000,
  /** Ranges of a box's sequences that a receiver in place of a service keeps. */
  receiverRanges: 256,
} as const;

/** The times of the simulated providers. */
export const providerLimits = {
  /** How much later a slow provider answers. */
  slowMs: 3_000,
  /** How long a provider that does not answer keeps a connection open before it ends it with an error. */
  silentMs: 60_000,
  /** The waiting time that a rate-limiting provider states. */
  retryAfterS: 30,
} as const;

/** The figures of a fleet's driving day, and the levels at which vehicles are charged or refuelled. */
export const driverLimits = {
  shortestTripS: 3 * 60,
  longestTripS: 25 * 60,
  shortestPauseS: 2 * 60,
  longestPauseS: 20 * 60,
  /** One vehicle of this many rests for this many days, then another one. */
  restIn: 8,
  restDays: 3,

  /**
   * A vehicle below the first value, in percent, is charged or refuelled; it is driven again from the second
   * on.
   */
  lowPercent: 25,
  enoughPercent: 50,
  /** The level after charging or refuelling, in percent. */
  filledPercent: 96,
  /** A trip with less time left is not started. */
  worthwhileMs: 3 * 60_000,
} as const;

/** The limits and fixed times of a simulated maker's cloud. */
export const makerLimits = {
  /** The time between two samples of a car with the ignition on, and of a parked one. */
  drivingSampleMs: 30_000,
  restingSampleMs: 30 * 60_000,

  /** Calls with one key in one clock minute. */
  callsPerMinute: 300,
  bodyBytes: 8_192,

  /** One notification: how long to wait for its response, and how large that may be. */
  pushTimeoutMs: 5_000,
  pushAnswerBytes: 65_536,
  /** Waiting times between attempts of one notification, doubled from the first to the last. */
  pushFirstRetryMs: 1_000,
  pushLastRetryMs: 60_000,
  /** Queued notifications of one car. Beyond it the oldest is dropped; its subscriber can query the state. */
  pushQueue: 100,
  subscriptionAddressCharacters: 500,
  subscriptionSecretCharacters: 200,
  /** The longest delay that can be set for a slow cloud. */
  slowestMs: 600_000,
} as const;

/** The limits of the control API. */
export const controlLimits = {
  bodyBytes: 4_096,
  /** Of weather that names its target boxes: some 3,000. */
  faultBodyBytes: 65_536,
  /** Redirect URIs of a client that is made here: the maximum of the service. */
  clientRedirectUris: 20,
  /** Boxes per page of the list: the default and the maximum. */
  boxesPerPage: 100,
  mostBoxesPerPage: 1_000,
  /** Records per page of a journal: the default and the maximum. */
  recordsPerPage: 100,
  mostRecordsPerPage: 1_000,
  /** Boxes on the HTML page. */
  pageBoxes: 50,
  /** Cells of the coverage in one answer: some 3 µs each. */
  coverageCells: 2_400,
  /** Lines buffered for a slow reader of a frame stream; beyond it lines are dropped and counted. */
  waitingLines: 1_000,
  /** The longest duration of an installation fault; without a duration it lasts until it is repaired. */
  longestObstacleS: 86_400,
  longestSilenceS: 600,
  /** The largest jump of a box's clock: ten years. */
  farthestJumpS: 315_360_000,
  /** The longest time without a network at a border. */
  longestGapS: 3_600,
  /** The default lifetime of a Bluetooth token, the longest one, and the default number of uses. */
  usualTokenS: 86_400,
  longestTokenS: 2_592_000,
  usualTokenUses: 1_000,
  /** The length of a presented token, and of a phone's name. */
  tokenCharacters: 512,
  deviceCharacters: 64,
  /** The length of a route's name, which may be a file name. */
  routeCharacters: 255,
  /** The strength of a maneuver: harder than comfortable driving, but without sliding. */
  leastManeuverMg: 250,
  mostManeuverMg: 750,
  /** How far in the future, or overdue, a service can be. */
  mostDueKm: 9_999,
  mostDueDays: 3_650,
  /** The strength and duration of an impact. */
  mostImpactMg: 32_000,
  longestImpactMs: 1_000,
  farthestTowM: 20_000,
  mostSmokeUgPerM3: 60_000,
  longestSmokeS: 3_600,
} as const;
