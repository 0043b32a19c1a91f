/** The bounds of bulk configuration. A relation between two of them is tested in test/unit/backend/configuration. */
export const bulkLimits = {
  /** Vehicles of one request. */
  vehicles: 10_000,
  /** Body of one request: 10,000 ids and all seven features take a fifth of it. */
  bodyBytes: 2 * 1024 * 1024,
  /** What one fleet may keep at once; beyond it the oldest completed jobs go before their time. */
  fleetJobs: 1_000,
  fleetVehicles: 1_000_000,
  /** When a client is to try again whose fleet's jobs are too many and not completed. */
  fullRetryS: 60,
  /** Results of one page. */
  pageStandard: 50,
  pageMaximum: 1_000,
  /** Waits between two attempts: doubled from the first to the last. */
  firstWaitMs: 30_000,
  lastWaitMs: 3_600_000,
  /** Up to this part of a wait is left out, by chance, so that many do not come back in one moment. */
  jitterFraction: 0.1,
  /** What is not confirmed by then has failed. */
  jobMs: 12 * 3_600_000,
  /** How long a job can be read after its creation. */
  keptMs: 7 * 24 * 3_600_000,
  /** Attempts of one backend at a time. */
  inFlight: 128,
  /** Once fewer than this are under way, more are taken: in groups, since each taking is a commit. */
  inFlightLow: 64,
  /** A backend that has not finished an attempt so long after its time-out is taken for gone. */
  leaseSlackMs: 10_000,
  /** Results are written in groups: after this time. */
  resultLingerMs: 10,
  /** What falls due within this time is taken together, at its end: each taking is a commit. */
  gatherMs: 1_000,
  /** The wait after a failure of the store. */
  retryMs: 5_000,
  /** Safety net beside the due times and being woken: another backend may have written. */
  pollMs: 5 * 60_000,
  /** How often old jobs are looked for. */
  pruneEveryMs: 3_600_000,
  /** Jobs that one call removes. */
  prunedPerCall: 20,
} as const;
