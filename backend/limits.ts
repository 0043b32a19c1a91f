/** The bounds of ingest, store and outbox publisher. test/unit/backend tests the relations between them. */
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
   * Of several backends each makes commits of its own, and few records share one: a batch in which nobody waits for an
   * answer waits so long for others. A box on a mobile network notices none of it.
   */
  sharedReportWindowMs: 50,
  /** So many payloads fill a batch: it waits for no others. */
  batchFullPayloads: 64,
  /** The most payloads of one commit, which blocks the event loop. */
  batchPayloads: 512,
  /** How often a batch is reduced again because another writer changed one of its boxes. */
  staleAttempts: 5,
  /** Vehicles kept in memory between batches. */
  cachedVehicles: 10_000,
  /**
   * Ranges beyond the contiguous part that are stored for a box; a record that would add one more is not
   * stored.
   */
  journalRanges: 256,
  /** Past epochs that are remembered for a box, to recognise late frames of an old journal. */
  pastEpochs: 8,
  /** Undecodable parts of one payload that go into quarantine; the others are only counted. */
  faultsPerPayload: 16,
  /** Bytes that are stored of a quarantined part. */
  quarantineBytes: 4_096,
  /** The longest time that a box counts as not ready after a going-down or a hello. */
  notReadyMs: 3 * 60_000,
  /**
   * A box that was silent for longer than this on an open connection may be gone without its will: a box at
   * rest reports every 30 min (`box.standbyReportIntervalS`), and 5 min are for the report's way. A box that
   * is configured to report less often is unknown in between, and its commands are tried.
   */
  silentMs: 35 * 60_000,
  /** Troubles that have been logged once; beyond it the memory is cleared. */
  loggedTroubles: 10_000,
  /** Unacknowledged frames to boxes (receipts, unreadables); beyond it receipts are not sent. */
  downlinkFramesInFlight: 20_000,
  /** Boxes that are looked at together when the boxes of a partition are asked to send again. */
  resendPageBoxes: 1_000,
  /** How long stopping waits for acknowledgements of the brokers. */
  stopMs: 2_000,
  mqttConnectTimeoutMs: 10_000,
  /** How long a new session waits for what the broker retains of the installation that uses it. */
  brokerHolderMs: 1_000,
  /** Sessions of the other kind that are ended at the same time: a broker takes only so many connects at once. */
  formerSessionsAtOnce: 8,
  /** A former session is drained once nothing has come over it for so long; a busy fleet's after so long at the latest. */
  formerQuietMs: 2_000,
  formerDrainMs: 30_000,
  /** How often a backend looks whether it is the one to end them. */
  formerLookMs: 1_000,
  /** A backend that hears nothing of sessions for so long, and is not to end them, goes on. */
  formerSilentMs: 5_000,
  mqttKeepAliveS: 30,
  /** A broker over whose connection nothing came for so long is asked for an acknowledgement, and has so long for it. */
  brokerQuietMs: 30_000,
  brokerAnswerMs: 10_000,
  /** Calls of one client in a minute, unless the settings say otherwise. */
  requestsPerMinute: 600,
  /**
   * Waits between attempts (MQTT broker, store, AMQP broker): doubled from the first to the last, with
   * jitter.
   */
  firstBackoffMs: 250,
  lastBackoffMs: 30_000,
  /**
   * How often the same reason for an unreachable broker is logged as a warning, and how many are remembered.
   */
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
  /** How often a backend compares its clock with the store's, and what may lie between them. */
  clockLookMs: 60_000,
  clockToleranceMs: 500,
  /** A clock that goes so far apart from the steady one was set: the store is asked at once. */
  clockStepMs: 500,
  /** A clock that is further off is told to the operator as a warning. */
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
  /** Positions that are remembered as marked, so that a partition that is read anew does not repeat its last messages. */
  sentRemembered: 16_384,
  /** Safety net besides wake-ups: another backend may have written. */
  outboxPollMs: 5 * 60_000,
  /** After a failed write it is looked for what may have been committed all the same. */
  doubtMs: 2_000,
  /** A connection that leaves a publication unanswered for this long is given up. */
  confirmTimeoutMs: 30_000,
  /** How often that is checked while answers are missing. */
  confirmCheckMs: 5_000,
  /**
   * A message that the broker refused is offered again after this time, doubled each time up to
   * `lastBackoffMs`.
   */
  firstRefusedBackoffMs: 1_000,
  /**
   * A message that was refused so often has the connection given up for another one, if that has been open for so long;
   * each time it must have been open for twice as long, up to the last.
   */
  refusalsBeforeRenewal: 2,
  firstRefusedRenewalMs: 3_000,
  lastRefusedRenewalMs: 10 * 60_000,
  /** How often the outbox is checked for dropped messages, and how often that is logged. */
  dropCheckMs: 60_000,
  dropLogMs: 10 * 60_000,
  /** Fleets and reasons in one such line. */
  dropLogRows: 20,
  amqpConnectTimeoutMs: 10_000,
  /** How often queues of a node that is down are declared again. */
  unreachableQueueLookMs: 30_000,
  /** How often the broker is asked for queues that others take the same messages as, and for how many at a time. */
  sharedQueueLookMs: 5_000,
  sharedQueuesPerLook: 200,
  messageTtlMs: 7 * 24 * 3_600_000,
} as const;
