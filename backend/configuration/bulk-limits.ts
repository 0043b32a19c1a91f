/** The bounds of bulk configuration. test/unit/backend/configuration tests the relations between them. */
export const bulkLimits = {
  /** Vehicles of one request. */
  vehicles: 10_000,
  /** Body of one request: 10,000 ids and all seven features need a fifth of it. */
  bodyBytes: 2 * 1024 * 1024,
  /** Jobs that one fleet may keep; beyond it the oldest completed ones are removed early. */
  fleetJobs: 1_000,
  fleetVehicles: 1_000_000,
  /** Retry-After for a fleet with too many jobs that are not completed. */
  fullRetryS: 60,
  /** Results of one page. */
  pageStandard: 50,
  pageMaximum: 1_000,
  /** Waits between two attempts: doubled from the first to the last. */
  firstWaitMs: 30_000,
  lastWaitMs: 3_600_000,
  /** The largest part of a wait that is left out at random, so that not all come back at the same moment. */
  jitterFraction: 0.1,
  /** What is not confirmed by then fails. */
  jobMs: 12 * 3_600_000,
  /** How long a job can be read after its creation. */
  keptMs: 7 * 24 * 3_600_000,
  /** Attempts of one backend at the same time. */
  inFlight: 128,
  /** With fewer attempts than this under way, more are leased: in groups, since each lease is a commit. */
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
  /** How often old jobs are looked for. */
  pruneEveryMs: 3_600_000,
  /** Jobs that one call removes. */
  prunedPerCall: 20,
} as const;
