/** The bounds of ingest, store and courier. A relation between two of them is tested in test/unit/backend. */
export const limits = {
  /** Payloads that wait for their commit; beyond it the broker's acknowledgement is held back. */
  intakePayloads: 4_096,
  /** The same bound in bytes: payloads differ by a factor of a thousand. */
  intakeBytes: 16 * 1024 * 1024,
  /** Intake takes on again once the queue is down to this part of either bound. */
  intakeResumeFraction: 0.5,
  /** How long the first payload of a batch waits for company. */
  batchLingerMs: 2,
  /** One commit takes no more payloads than this: it blocks the loop meanwhile. */
  batchPayloads: 512,
  /** How often a batch is decided anew because somebody else changed one of its boxes. */
  staleAttempts: 5,
  /** Vehicles kept in memory between batches. */
  cachedVehicles: 10_000,
  /** Ranges beyond the contiguous part that are kept for a box; a record that would open one more is not stored. */
  journalRanges: 256,
  /** Epochs before the present one that are remembered of a box, to tell its stragglers from a new journal. */
  pastEpochs: 8,
  /** Faults of one payload that are kept in quarantine one by one; the others are only counted. */
  faultsPerPayload: 16,
  /** Bytes kept of what is put in quarantine. */
  quarantineBytes: 4_096,
  /** A box that announced that it goes down, or said hello, counts as not ready for no longer than this. */
  notReadyMs: 3 * 60_000,
  /**
   * An open connection on which a box was not heard for longer than this may be gone without its will: a box at rest
   * reports every 30 min (`box.standbyReportIntervalS`), and five more are its report's way. A box that is configured
   * to report less often is not known to be there in between, and its commands are tried.
   */
  silentMs: 35 * 60_000,
  /** Kinds of trouble with boxes that have been logged once; beyond it the memory begins anew. */
  loggedTroubles: 10_000,
  /** Frames down (receipts, unreadables) without an acknowledgement; beyond it receipts are not sent. */
  framesDownOpen: 20_000,
  /** How long stopping waits for acknowledgements of the brokers. */
  stopMs: 2_000,
  linkConnectTimeoutMs: 10_000,
  linkKeepAliveS: 30,
  /** Calls of one client in a minute, where the settings say nothing else. */
  requestsPerMinute: 600,
  /** Waits between attempts (broker, store, exchange): doubled from the first to the last, with jitter. */
  firstBackoffMs: 250,
  lastBackoffMs: 30_000,
  /** How often the same reason why a broker cannot be reached is logged as a warning, and how many are remembered. */
  outageToldEveryMs: 10 * 60_000,
  outageReasons: 16,
  /** Waits of a store that failed: shorter, since boxes wait for their receipts. */
  lastStoreBackoffMs: 5_000,

  /** Records kept of a box, for the ledger. Dedupe does not need them. */
  recordsPerBox: 20_000,
  /** Records beyond it are looked for once a box's sequence has passed a multiple of this. */
  recordPruneStride: 256,
  quarantineRows: 10_000,
  /** Records, quarantine, settled commands. */
  retentionMs: 7 * 24 * 3_600_000,
  /** How often old commands are looked for, as long as commands are opened. */
  commandPruneMs: 60_000,
  /** Rows that one call removes because of their age. */
  prunedPerCall: 1_000,
  /** Grants kept of one user for one client; the oldest end. */
  grantsOfUser: 100,
  /** Spent refresh tokens of a grant that are still recognised. */
  spentSecretsOfGrant: 64,
  /** How long opening waits for another process to let the database go. */
  storeBusyMs: 2_000,

  /** Messages that the courier holds in memory, read ahead from the outbox. */
  courierWindow: 4_096,
  /** Rows of one look into the outbox. */
  courierReadRows: 512,
  /** Publications without an answer of the broker. */
  courierInFlight: 1000,
  /** Confirmed messages are taken off the outbox in groups: at this size, or after that time. */
  courierSentGroup: 256,
  courierSentLingerMs: 20,
  /** Confirmed messages whose mark could not be written; beyond it nothing more is published. */
  courierUnmarked: 8_192,
  /** Safety net beside being woken: another backend may have written. */
  courierPollMs: 5 * 60_000,
  /** A connection that leaves a publication without an answer for this long is given up. */
  courierConfirmMs: 30_000,
  /** How often that is looked at where it might be so. */
  courierWatchMs: 5_000,
  /** A message that the broker refused is offered again after this time, doubled each time up to `lastBackoffMs`. */
  courierRefusedMs: 1_000,
  /** How often it is looked whether the outbox had to drop messages, and how often that is logged. */
  dropLookMs: 60_000,
  dropComplaintMs: 10 * 60_000,
  /** Fleets and reasons in one such line. */
  dropComplaintRows: 20,
  exchangeConnectTimeoutMs: 10_000,
  messageTtlMs: 7 * 24 * 3_600_000,
} as const;
