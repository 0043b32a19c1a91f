/**
 * The bounds that the service sets itself: those that the API promises are in contract/limits.ts. Here those of ingest,
 * store and outbox publisher; test/unit/backend tests the relations between them.
 */
export const limits = {
  /** Payloads that wait for their commit; beyond it the acknowledgement to the broker is held back. */
  queuedPayloads: 4_096,
  /** The same bound in bytes: payloads differ by a factor of a thousand. */
  queuedBytes: 16 * 1024 * 1024,
  /** Acknowledgements are sent again once the queue is down to this part of both bounds. */
  queueResumeFraction: 0.5,
  /** How long the first payload of a batch waits for others. */
  batchWindowMs: 2,
  /**
   * The batch window with several backends, for batches with reports only: each backend commits separately, so fewer
   * records share a commit. The delay is negligible for a box on a mobile network.
   */
  sharedReportWindowMs: 50,
  /** The number of payloads that fill a batch and close its window. */
  batchFullPayloads: 64,
  /** The most payloads of one commit, which blocks the event loop. */
  batchPayloads: 512,
  /** How often a batch is reduced again because another writer changed one of its boxes. */
  staleAttempts: 5,
  /** Vehicles kept in memory between batches. */
  cachedVehicles: 10_000,
  /** Ranges beyond the contiguous part that are stored for a box; no record that would add one more is. */
  journalRanges: 256,
  /** Past epochs that are stored for a box, to recognise late frames of an old journal. */
  pastEpochs: 8,
  /**
   * How long a box must send hellos with a past epoch, without any frame of the current one, until that epoch becomes
   * current again. Longer than late frames of a wiped box may be in transit (`formerDrainMs`), and than the 5 min
   * between two hellos of a box that gets no answer.
   */
  epochReturnMs: 10 * 60_000,
  /** Undecodable parts of one payload that go into quarantine; the others are only counted. */
  faultsPerPayload: 16,
  /** Bytes that are stored of a quarantined part. */
  quarantineBytes: 4_096,
  /**
   * A box that was silent for longer than this on an open connection may be gone without a will: a resting box reports
   * every 30 min (`box.standbyReportIntervalS`), and 5 min are the report's transit time. A box that is configured to
   * report less often is unknown in between, and its commands are tried.
   */
  silentMs: 35 * 60_000,
  /** Troubles that are remembered as logged; beyond it the memory is cleared. */
  loggedTroubles: 10_000,
  /** Unacknowledged frames to boxes (receipts, unreadables); beyond it receipts are not sent. */
  downlinkFramesInFlight: 20_000,
  /** Boxes that are processed together when the boxes of a partition are asked to resend. */
  resendPageBoxes: 1_000,
  /** How long stopping waits for acknowledgements of the brokers. */
  stopMs: 2_000,
  mqttConnectTimeoutMs: 10_000,
  /** How long a new session waits for the retained message that names the broker's installation. */
  brokerHolderMs: 1_000,
  /** Former sessions that are ended concurrently: a broker accepts a limited number of connects at once. */
  formerSessionsAtOnce: 8,
  /** A former session counts as drained after this long without a message; a busy fleet's after the maximum. */
  formerQuietMs: 2_000,
  formerDrainMs: 30_000,
  /** How often a backend checks whether it must end them. */
  formerLookMs: 1_000,
  /** A backend that need not end them, and gets no message about sessions for this long, continues. */
  formerSilentMs: 5_000,
  mqttKeepAliveS: 30,
  /** After this long without traffic from the broker, a probe asks it for an acknowledgement; and its time-out. */
  brokerQuietMs: 30_000,
  brokerAnswerMs: 10_000,
  /** Waits between attempts at a broker or the store: doubled from the first to the last, with jitter. */
  firstBackoffMs: 250,
  lastBackoffMs: 30_000,
  /** How often the same reason for an unreachable broker is logged as a warning; reasons remembered. */
  outageLogIntervalMs: 10 * 60_000,
  outageReasons: 16,
  /** Waits after a store failure: shorter, since boxes wait for their receipts. */
  lastStoreBackoffMs: 5_000,

  /** Records kept of a box, for the ledger. Deduplication does not need them. */
  recordsPerBox: 20_000,
  /** Records beyond that are pruned when a box's sequence passes a multiple of this. */
  recordPruneStride: 256,
  quarantineRows: 10_000,
  /** Age at which records, quarantine and settled commands are removed. */
  retentionMs: 7 * 24 * 3_600_000,
  /** How often old commands are pruned while commands are opened. */
  commandPruneMs: 60_000,
  /** Rows that one call removes because of their age. */
  prunedPerCall: 1_000,
  /** Grants kept of one user for one client; the oldest are ended. */
  grantsOfUser: 100,
  /** Spent refresh tokens of a grant that are still recognised. */
  spentSecretsOfGrant: 64,
  /** How often a backend compares its clock with the store's, and the allowed difference. */
  clockLookMs: 60_000,
  clockToleranceMs: 500,
  /** A clock that deviates this far from the monotonic one was set: the store is asked at once. */
  clockStepMs: 500,
  /** A larger deviation is logged as a warning. */
  clockWarningMs: 5_000,
  /** How long opening waits for another process to release the database. */
  storeBusyMs: 2_000,
  /** Calls of the store that share one transaction; more wait for the next. */
  storeGroupCalls: 1_000,

  /** Messages that the outbox publisher holds in memory, read ahead from the outbox. */
  outboxReadAhead: 4_096,
  /** Rows of one read of the outbox. */
  outboxReadRows: 512,
  /** Publications without an answer of the broker. */
  messagesInFlight: 1000,
  /** Confirmed messages are removed from the outbox in groups: at this size, or after that time. */
  sentMarkGroup: 256,
  sentMarkDelayMs: 20,
  /** Confirmed messages whose removal could not be written; beyond it nothing more is published. */
  sentUnmarked: 8_192,
  /** Positions that are remembered as marked, so that reading a partition again does not repeat its last messages. */
  sentRemembered: 16_384,
  /** Safety net besides wake-ups: another backend may have written. */
  outboxPollMs: 5 * 60_000,
  /** The delay after a failed write before checking for data that was committed nevertheless. */
  doubtMs: 2_000,
  /** A connection that leaves a publication unanswered for this long is closed. */
  confirmTimeoutMs: 30_000,
  /** How often that is checked while answers are missing. */
  confirmCheckMs: 5_000,
  /** When a refused message is offered again: doubled each time, up to `lastBackoffMs`. */
  firstRefusedBackoffMs: 1_000,
  /**
   * After this many refusals of a message the connection is replaced if it has been open for this long; the required
   * time doubles each time, up to the last.
   */
  refusalsBeforeRenewal: 2,
  firstRefusedRenewalMs: 3_000,
  lastRefusedRenewalMs: 10 * 60_000,
  /** How often the outbox is checked for dropped messages, and how often that is logged. */
  dropCheckMs: 60_000,
  dropLogMs: 10 * 60_000,
  /** Fleets and reasons in one log line. */
  dropLogRows: 20,
  amqpConnectTimeoutMs: 10_000,
  /** How often queues of a node that is down are declared again. */
  unreachableQueueLookMs: 30_000,
  /** How often queues that share their messages with others are checked at the broker, and how many at a time. */
  sharedQueueLookMs: 5_000,
  sharedQueuesPerLook: 200,
} as const;

/** The bounds of commands. */
export const commandLimits = {
  /**
   * When the dispatcher first polls the store for an outcome that another backend may have received; each further wait
   * doubles, up to the longest.
   */
  lookMs: 1_000,
  longestLookMs: 8_000,
  /**
   * How long a stopping backend keeps serving before it hands over its boxes: a balancer that checks readiness every
   * half second, and reacts to the second failure, still sends requests meanwhile.
   */
  noticeMs: 2_000,
  /** How long a stopping backend that hands over its boxes waits for command answers beyond their time-out. */
  lastAnswersMs: 1_000,
  /** The maximum deceleration, 10 m/s²: a speed that the vehicle can have lost since the report proves no motion. */
  brakingKphPerS: 36,
  /** A vehicle counts as stationary up to this speed: the position of a parked one jitters. */
  standingKph: 3,
} as const;

/** How long a stopping backend continues to answer requests, given the answer time-out of a box. */
export function lastAnswersMs(answerTimeoutMs: number): number {
  return commandLimits.noticeMs + answerTimeoutMs + commandLimits.lastAnswersMs;
}

/** How backends share the partitions. test/unit/backend/partitions tests the relations between these. */
export const partitionLimits = {
  /** How long a lease lasts without being renewed: after that time the partitions of a backend that died are taken. */
  leaseMs: 6_000,
  /** How often a backend renews its leases and rebalances its partitions. */
  beatMs: 2_000,
  /** The same after a failure. */
  beatAfterFailureMs: 500,
  /** After this long without a session with the MQTT broker a backend releases its partitions. */
  unreachableMs: 4_000,
  /** How long a handover may take to settle a partition; after that its boxes resend. */
  drainMs: 3_000,
} as const;

/** The bounds of setting vehicles up. */
export const setupLimits = {
  /** Safety net besides due times and wake-ups: another backend may have onboarded a vehicle. */
  pollMs: 5 * 60_000,
  /** The wait after a failure of the store. */
  retryMs: 2_000,
  /** Setups that one poll begins. */
  begunPerLook: 64,
  /** Setups of this process whose box has not answered; beyond it the others wait. */
  atOnce: 512,
  /** How long a box may take: it examines its vehicle for some 20 s before it gives up. */
  answerTimeoutMs: 3 * 60_000,
  /** After the expiry, so that the dispatcher's own result comes first if it is still running. */
  graceMs: 5_000,
  /** Attempts with a box that does not answer. */
  attempts: 5,
  /** The wait before the next attempt: doubled from the first to the last, with jitter. */
  firstBackoffMs: 30_000,
  lastBackoffMs: 30 * 60_000,
  /** The wait if nothing reached the box: another command of it is open, or there is no broker. */
  voidBackoffMs: 5_000,
} as const;

/** The bounds of calls to and from makers' clouds. */
export const makerLimits = {
  /** One answer of a maker; a state has some hundred bytes. */
  answerBytes: 65_536,
  /** Time-out of a poll and of the registration for notifications. Commands have the answer time-out. */
  pollTimeoutMs: 10_000,
  /** If the maker's Retry-After is this short, a command waits and retries once instead of failing. */
  briefWaitMs: 3_000,
  /** The longest accepted Retry-After of a maker. */
  longestRetryAfterMs: 60 * 60_000,

  /** Between two polls of one vehicle: most changes are pushed, and a poll finds the rest. */
  pollMs: 60_000,
  /** Waits after polls that failed, doubled from the first to the last, with jitter. */
  firstBackoffMs: 60_000,
  lastBackoffMs: 15 * 60_000,
  /** The wait of a poll that found an open command. */
  busyMs: 2_000,
  /** How long a poll may take before another backend may try the vehicle: longer than its time-out. */
  leaseMs: 30_000,
  pollsInFlight: 8,
  /** How often the poller searches for newly linked vehicles. */
  lookMs: 5_000,
  /** How often the registration is renewed: a cloud that has lost it would never notify again. */
  subscriptionMs: 10 * 60_000,

  /** The largest accepted lead of a maker's clock over the service's; a state beyond it would block all later ones. */
  aheadMs: 5 * 60_000,
  /** The largest age of a notification's signature, or how far it may be ahead. */
  signatureAgeMs: 5 * 60_000,
  /** How often a state is recomputed because the vehicle changed meanwhile. */
  staleAttempts: 5,
} as const;

/** The bounds of calls to SIM providers. */
export const connectivityLimits = {
  answerBytes: 16_384,
  /** Characters of a provider's answer in the operator's log. */
  quotedCharacters: 200,
} as const;

/** The bounds of message subscriptions. */
export const subscriptionLimits = {
  /** Random bytes of a consumer's password, before encoding. */
  passwordBytes: 24,
  /** How long the message broker may take for all of a subscription's queues. */
  brokerMs: 10_000,
  /** A subscription that is not finished by then is deleted; longer than creating one can take. */
  makingMs: 60_000,
  /** How long a backend has for deleting a subscription before another may try; longer than that can take. */
  endingMs: 30_000,
  /** The wait after the store could not be read, or the broker could not create a standing subscription. */
  retryMs: 15_000,
  /** Safety net besides the due times: another backend may have left something. */
  pollMs: 5 * 60_000,
  /** Subscriptions that one poll deletes. */
  sweepCount: 20,

  /** One call to the management interface of the broker; the nodes of a cluster share it. */
  accountsTimeoutMs: 5_000,
  /** How often its availability is checked. */
  accountsLookMs: 60_000,
  accountsAnswerBytes: 64 * 1024,
  /** Characters of its answer that an error shows. */
  quotedCharacters: 200,
} as const;

/** The bounds of notifying the operator. */
export const operatorLimits = {
  /** Alerts that wait for the one that is being sent; beyond it the newest are only logged and counted. */
  waitingAlerts: 100,
  alertTimeoutMs: 5_000,
  /** Of the answer, whose content is ignored. */
  alertAnswerBytes: 65_536,
  /** How often a failing alert address is logged. */
  complaintEveryMs: 10 * 60_000,
  /** Of a path in a log line or an alert. */
  pathCharacters: 200,
} as const;

/** Thresholds of health, and how often it checks. */
export const healthLimits = {
  /** For this long after a failed write the store counts as refusing writes, even if others succeed. */
  writeFailedMs: 10_000,
  /** The shortest time between two probe writes. */
  probeEveryMs: 5_000,
  /** The same after a failed one, so that recovery is noticed soon. */
  probeFailingMs: 1_000,
  /** How often the data files are checked. */
  filesLookMs: 5_000,
  /** A write that takes longer counts as failed. */
  probeTimeoutMs: 2_000,
  /** The age of the oldest message in the outbox from which consumers are late. */
  outboxAgeMs: 5 * 60_000,
  /** The part of a bound of the outbox from which messages are about to be dropped. */
  outboxFill: 0.9,
} as const;

/** The bounds of the HTTP interface. */
export const httpLimits = {
  /** Characters of a path or parameter that a detail quotes. */
  quotedCharacters: 64,
  pageTokenCharacters: 200,
  /** Store calls for one filtered page before it is returned short, with a token to continue. */
  pageRounds: 10,
  /** Clients whose quota is counted at once. */
  quotaClients: 10_000,
  /** How long a browser may cache a preflight answer. */
  preflightMemoryS: 600,
} as const;

/** The bounds of access. */
export const accessLimits = {
  rememberedClients: 1_000,
  /** Valid access tokens that are cached, about 1 kB each. */
  rememberedTokens: 5_000,
  /** Slow hashes that run at once: more would starve everything else of CPU time. */
  secretChecks: 2,
  /** Slow hashes that wait; beyond it a token request is asked to retry later. */
  waitingSecretChecks: 64,
  /** How long a secret that was right needs no slow hash again. */
  provenSecretMs: 60_000,
  provenSecrets: 1_000,
  mintedSecretBytes: 32,
  /** How long a repeated code or refresh token gets the same answer again, in case the first was lost. */
  answerAgainMs: 10_000,
  /** How long a sign-in lasts. */
  sessionLifeMs: 8 * 3_600_000,
  rememberedGrants: 1_000,
  /** Characters of a caller's name that an error shows. */
  shownCharacters: 64,
  /** Failed sign-ins from one address in a window, over all names. */
  signInWindowMs: 5 * 60_000,
  signInsOfAddress: 50,
  /** Slows down guessing at passwords: ten wrong ones of an address at a name cost it about a minute. */
  passwordGuesses: {
    free: 5,
    firstDelayMs: 1_000,
    lastDelayMs: 5 * 60_000,
    forgetMs: 60 * 60_000,
    ofName: 100,
    ofNameMs: 36_000,
    keys: 10_000,
  },
  /** Token requests of one address in a minute. */
  tokensOfAddress: 1_200,
  /** The most names, addresses and clients that are counted, each separately; the oldest is dropped first. */
  countedKeys: 10_000,
} as const;

/** The bounds of vehicles. */
export const vehicleLimits = {
  /** Of the 5 to 12 that a vehicle id may have. */
  idCharacters: 8,
  /** How often a new id is generated because the last one is taken. */
  idAttempts: 5,
  /** How often a change is recomputed because another one came first. */
  changeAttempts: 5,
  /** How long the report of a box at rest may take from its due time until it is stored. */
  reportWayMs: 5 * 60_000,
  /** A box whose report at rest is overdue by more than this is offline. */
  overdueMs: 10 * 60_000,
} as const;

/** The bounds of bulk configuration. test/unit/backend/configuration tests the relations between them. */
export const bulkLimits = {
  /** Retry-After for a fleet with too many uncompleted jobs. */
  fullRetryS: 60,
  /** Attempts of one backend at the same time. */
  inFlight: 128,
  /** With fewer attempts than this in progress, more are leased: in groups, since each lease is a commit. */
  inFlightLow: 64,
  /** A backend that has not finished an attempt this long after its time-out counts as gone. */
  leaseSlackMs: 10_000,
  /** Results are written in groups, after this time. */
  resultWindowMs: 10,
  /** Items that fall due within this time are leased together, at its end: each lease is a commit. */
  gatherMs: 1_000,
  /** The wait after a failure of the store. */
  retryMs: 5_000,
  /** Safety net besides due times and wake-ups: another backend may have written. */
  pollMs: 5 * 60_000,
  /** How often old jobs are searched for. */
  pruneEveryMs: 3_600_000,
  /** Jobs that one call removes. */
  prunedPerCall: 20,
} as const;
