/** The bounds of `explore` and `swarm`. */
export const limits = {
  /**
   * How many runs are begun ahead for each job: with fewer, jobs would idle while one run takes long; what was
   * begun behind a failure is wasted.
   */
  aheadPerJob: 4,
  /** The default number of runs. */
  usualRuns: 100,
  usualSwarmRuns: 20,
  mostRuns: 100_000,
  mostMinutes: 1_440,
  /** How many runs shrinking may take, beyond those that found the failure. */
  shrinkRuns: 300,
  /** How many of these may go into simpler draws; the rest is for the document, which shrinks faster. */
  drawShrinkRuns: 10,
  /** How many seeds after the file's own are drawn. */
  seeds: 10_000,
  /**
   * How many seeds after the file's own are tried for comparison: with a single one a run may pass by chance.
   */
  contrastSeeds: 3,
  /** At most so many steps with equal times have their order drawn. */
  orderedSteps: 60,
  /** The size of a drawn scenario. */
  swarmSteps: 10,
  /** Vehicles in each of up to three groups. */
  swarmVehicles: 3,
  swarmLongestMs: 20 * 60_000,
  /** Operations of the work in it, and the steps that these are in all. */
  leastOperations: 8,
  mostOperations: 40,
  swarmMostSteps: 120,
  /** One run in so many has nothing in it but work of the service; of these one in so many lasts half a day. */
  quietEvery: 3,
  longEvery: 8,
  /** The operations of a quiet run, and how long after the end of one the next begins. */
  quietOperations: 4,
  quietGapMs: 90_000,
  /** By then every box has its first session, and knows the time. */
  settledMs: 30_000,
  /** Rows of aimed work in a run, and how far apart they stand in the table (no divisor of its length). */
  mostAimed: 5,
  aimedStride: 5,
  /** The longest fault that is aimed at an operation. */
  swarmLongestFaultMs: 30 * 60_000,
  /** The longest delay of each call of a slow store in it. */
  swarmStoreSlowMs: 10_000,
  /** The longest gap of a network change in it, and the longest delay of a write to a flash. */
  swarmGapMs: 240_000,
  /** One run of so many has several backends, at most so many, and at most so many breaks of one that are aimed at calls. */
  severalBackendsIn: 4,
  swarmBackends: 4,
  mostBackendBreaks: 4,
  /** Of these runs one in so many has work in it that is aimed at a promise of several backends. */
  aimedAtBackendsIn: 2,
  /** How long after a call such a break begins, and how long it lasts. */
  backendBreakDelayMs: 500,
  backendBreakLeastMs: 200,
  backendBreakMostMs: 60_000,
  /** Of the breaks of several backends one in so many is an orderly restart. */
  restartIn: 4,
  /**
   * Orderly moves: how long after all else they begin (longer than `calmMs` of scenarios/checkers/limits.ts) and last, how
   * slow the store is, how often each box is asked, and how many backends are replaced, and within which time of their turn.
   */
  calmAgainMs: 75_000,
  movesForMs: 120_000,
  movesSlowLeastMs: 200,
  movesSlowMostMs: 1_000,
  movesAskLeastMs: 400,
  movesAskMostMs: 3_000,
  movesRestarts: 3,
  movesRestartDelayMs: 8_000,
  /** Of the runs with several backends one in so many has work during which a backend begins or ends. */
  workOfSeveralIn: 2,
  /** One run of so many limits the calls of each client, more often with several backends; and the limit, in calls a minute. */
  quotaIn: 20,
  quotaOfSeveralIn: 3,
  quotaLeast: 60,
  quotaMost: 200,
  /** How late a backend hears what others have committed. */
  mostWakeUpDelayMs: 10_000,
  /** How long the backend's connection to its broker is disturbed where no end is drawn. */
  swarmLinkMs: 240_000,
  /**
   * Runs in a round: what one round met, the round after the next knows. At least as many as are ever begun ahead. And what a
   * run is led to: so many states, answers or faults, each with so many of its cells.
   */
  coverageRound: 32,
  mostCellAims: 2,
  mostCellsAnAim: 6,
  /** The time from one cell of an aim to the next. */
  cellGapLeastMs: 1_000,
  cellGapMostMs: 25_000,
  /** How long a fault lasts that is to meet an answer, or what is under way. */
  cellFaultLeastMs: 200,
  cellFaultMostMs: 12_000,
  /** One step of so many has another form, where it can have one (workload/step-forms.ts). */
  formIn: 8,
  /** The rounds of a step that is repeated, and the time from one to the next. */
  formRounds: 5,
  formEveryLeastMs: 50,
  formEveryMostMs: 30_000,
  /** How long a step waits for what is to begin it. */
  formWithinMs: 120_000,
  /** The largest place that weather lies in. */
  formRadiusM: 2_000,
  /** On a fleet that runs: the time from one disturbance to the next, and how long one lasts. */
  disturbanceGapLeastMs: 200,
  disturbanceGapMostMs: 5_000,
  disturbanceLeastMs: 500,
  disturbanceMostMs: 15_000,
  /** Characters of the reason in the header of the found file. */
  headerCharacters: 300,
} as const;
