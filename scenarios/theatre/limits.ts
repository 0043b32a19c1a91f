/** The bounds of a theatre. */
export const limits = {
  /** Frames of all boxes together that are kept as evidence, in bytes. */
  framesBytes: 512 * 1024 * 1024,
  /** Changes of all vehicles together that are kept as evidence, and of each at least and at most. */
  pastChanges: 400_000,
  pastChangesLeast: 32,
  pastChangesMost: 4_096,
  /** The error of a clock is written down anew when it has changed so much; so many are kept of each box. */
  clockStepMs: 100,
  clockFacts: 2_048,
  /** Answered calls that are kept as evidence, and the bytes of their bodies. */
  calls: 200_000,
  callsBytes: 128 * 1024 * 1024,
  /** How long boxes may take to come up before their features are configured, beside the stagger of a large fleet. */
  comeUpMs: 60_000,
  /** How long the configuration of features may take. */
  configureMs: 600_000,
  /** How often it is looked whether boxes are up, or configured. */
  lookMs: 500,
  /** Vehicles of one bulk job. */
  bulkVehicles: 10_000,
  /** Calls of one client in a minute: those that look for what is expected count, too, and no program would make them. */
  requestsPerMinute: 10_000_000,
  answerTimeoutMs: 20_000,
  /** A token is fetched anew when it is this near to its end. */
  tokenSpareMs: 60_000,
  /** How often the levels of queues are looked at. */
  levelsMs: 60_000,
  /** Events of the virtual loop that are scheduled at once: so many, and so many more for each vehicle. */
  scheduled: 10_000,
  scheduledPerVehicle: 64,
  /** A change of a journal's depth is a fact from so many records on, or from this share of what was told last. */
  journalStep: 2,
  journalShare: 1 / 8,
  /** Rows of one page read from the store. */
  pageRows: 1_000,
  /** So much longer than its steps a run may take before it counts as stuck. */
  slackMs: 24 * 3_600_000,
  /** How long a box that hangs is told to do so; its watchdog is quicker. */
  hangMs: 3_600_000,
  /** What somebody's phone is given. */
  phoneTokenMs: 3_600_000,
} as const;
