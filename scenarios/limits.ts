/** The bounds of a scenario file. */
export const languageLimits = {
  /** Characters of a file: a scenario is read by people. */
  characters: 262_144,
  /** Values of one document, against aliases that expand without end, and their nesting. */
  aliases: 100,
  /** How often aliases are used in a file, whatever their size. */
  aliasesWritten: 1_000,
  depth: 24,
  nodes: 20_000,
  /** Problems in one report; further ones are reported when these are corrected. */
  problems: 20,
  nameCharacters: 64,
  aboutCharacters: 1_000,
  steps: 500,
  fleetGroups: 50,
  boxes: 20_000,
  clients: 50,
  backends: 8,
  callsPerMinute: 10_000_000,
  expectations: 20,
  /** Corners of a place. */
  corners: 100,
  /** Rounds of a repeated step. */
  rounds: 10_000,
  variations: 20,
  choices: 100,
  /** The longest span: a year. */
  longestMs: 31_536_000_000,
  mostBytes: 1_099_511_627_776,
  mostBitsPerS: 10_000_000_000,
  /** The default time to heal. */
  usualHealMs: 600_000,
  /** The default time for expectations: longer than the service waits for a box. */
  usualWithinMs: 30_000,
  /** The default time for which a step waits for its trigger. */
  usualTriggerMs: 600_000,
  /** The most messages of one `lose` or `late`. */
  mostMessages: 100_000,
  /** Characters of a regular expression in an expectation. */
  patternCharacters: 200,
  pathCharacters: 300,
} as const;

/** The bounds of a run. */
export const runLimits = {
  /**
   * Facts that are kept for reports. Beyond it the older half is dropped, except those of the service and of
   * the first vehicles, within the same bound.
   */
  facts: 200_000,
  /** Steps without the effect that they state; later ones are counted, and not kept. */
  warnings: 1_000,
  threadVehicles: 12,
  threadFacts: 50_000,
  /** The interval at which an awaited expectation is evaluated: at first, and at most. */
  firstLookMs: 100,
  lastLookMs: 60_000,
  /** The interval is at most this part of the expectation's time. */
  lookFraction: 1 / 200,
  /**
   * How long after weather or a break begins its effect may not be visible yet: states until then do not
   * count.
   */
  noticeMs: 250,
  /** Vehicles that are named when an expectation was not met. */
  namedVehicles: 20,
  /** How long an answer may take before the world counts as stuck: longer than any deadline of the service. */
  patienceMs: 600_000,
  /** How often pending work is checked during the time to heal. */
  healLookMs: 500,
  /** How often the vehicles in the place of a weather are determined. */
  placeLookMs: 1_000,
  /** Concurrent calls of one step. */
  callsAtOnce: 64,
  /** How far back the last change of a value is searched; the first span, which doubles; and the precision. */
  changeSearchMs: 86_400_000,
  changeSpanMs: 60_000,
  changeStepMs: 100,
  /** The maximum delay of the record of an act after its effect. */
  actSlackMs: 100,
  /** Failures of one expectation with a search for the last change; reports show fewer. */
  changesPerExpectation: 20,
} as const;

/** The bounds of a testbed. */
export const testbedLimits = {
  /** Frames of all boxes together that are kept as evidence, in bytes. */
  framesBytes: 512 * 1024 * 1024,
  /** Changes of all vehicles together that are kept as evidence, and of each at least and at most. */
  pastChanges: 400_000,
  pastChangesLeast: 32,
  pastChangesMost: 4_096,
  /** A clock error is recorded when it changed by so much; and the number of values kept for each box. */
  clockStepMs: 100,
  clockFacts: 2_048,
  /** The entries that each list keeps of one box's actions and memory. */
  boxEntries: 4_096,
  /** Moves of partitions, and times in which one was not served, that are kept; and the minimum of such a time. */
  partitionEntries: 100_000,
  partitionGapMs: 10_000,
  /** Effects before their causes that are kept, and ids of published messages whose commit is awaited. */
  earlyEffects: 100,
  publishedIds: 10_000,
  /** Changes of settled rows that are kept. */
  changedOutcomes: 100,
  /** Flows of requests to boxes whose outcome is awaited; a job's are answered before it begins. */
  openFlows: 10_000,
  /** How long a lease of a partition lasts (docs/decisions/0033-partitions-are-held-by-leases.md). */
  partitionLeaseMs: 6_000,
  /** Answered calls that are kept as evidence, and the bytes of their bodies. */
  calls: 200_000,
  callsBytes: 128 * 1024 * 1024,
  /** Notifications of makers that are kept as evidence. */
  notifications: 100_000,
  /**
   * How long boxes may take to come up before their features are configured, in addition to the staggered
   * start of a large fleet.
   */
  comeUpMs: 60_000,
  /** How long the configuration of features may take. */
  configureMs: 600_000,
  /** How often it is checked whether boxes are up, or configured. */
  lookMs: 500,
  /** Vehicles in one bulk job. */
  bulkVehicles: 10_000,
  /** Calls of one client per minute: higher than usual, since expectations make calls too. */
  requestsPerMinute: 10_000_000,
  /** How often the testbed retries where its client has used its quota. */
  looksAgain: 10,
  /** A token is renewed this long before its expiry. */
  tokenSpareMs: 60_000,
  /** How often the levels of queues are sampled. */
  levelsMs: 60_000,
  /** The bound of scheduled events of the virtual loop: a base, and an addition for each vehicle. */
  scheduled: 10_000,
  scheduledPerVehicle: 64,
  /**
   * A change of a journal's depth becomes a fact from so many records on, or from this share of the last
   * noted depth.
   */
  journalStep: 2,
  journalShare: 1 / 8,
  /** The tombstones that a journal has room for, in addition to its records (docs/wire.md, A connection). */
  tombstoneRoom: 1_000,
  /** Rows of one page read from the store. */
  pageRows: 1_000,
  /** How much longer than its steps a run may take before it counts as stuck. */
  slackMs: 24 * 3_600_000,
  /** How long a hang is requested for; the box's watchdog ends it sooner. */
  hangMs: 3_600_000,
  /** The name of the phone for which a Bluetooth token is issued. */
  phoneTokenMs: 3_600_000,
  /** A balancer that polls every half a second, and accepts the second no, sends requests for this time. */
  balancerNoticeMs: 1_000,
} as const;

/** The bounds of `explore` and `swarm`. */
export const exploreLimits = {
  /**
   * How many runs are started ahead for each job: with fewer, jobs would idle during one long run; runs that were
   * started after a failing one are wasted.
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
  /** The maximum number of steps with equal times whose order is drawn. */
  orderedSteps: 60,
  /** The size of a drawn scenario. */
  swarmSteps: 10,
  /** Vehicles in each of up to three groups. */
  swarmVehicles: 3,
  swarmLongestMs: 20 * 60_000,
  /** The number of operations of the work in it, and of their steps. */
  leastOperations: 8,
  mostOperations: 40,
  swarmMostSteps: 120,
  /** One run in so many has nothing in it but work of the service; one in so many of these lasts half a day. */
  quietEvery: 3,
  longEvery: 8,
  /** The operations of a quiet run, and the time from the end of one to the next. */
  quietOperations: 4,
  quietGapMs: 90_000,
  /** By then every box has had its first session, and knows the time. */
  settledMs: 30_000,
  /** Rows of aimed work in a run, and their distance in the table (no divisor of its length). */
  mostAimed: 7,
  aimedStride: 5,
  /** The longest fault that is aimed at an operation. */
  swarmLongestFaultMs: 30 * 60_000,
  /** The longest delay of each call of a slow store in it. */
  swarmStoreSlowMs: 10_000,
  /** The longest gap of a network change in it, and the longest delay of a write to a flash. */
  swarmGapMs: 240_000,
  /**
   * One run in so many has several backends, up to a maximum, and up to so many breaks of one that are aimed at
   * calls.
   */
  severalBackendsIn: 4,
  /**
   * A run is long whose steps begin over more than this time. It costs as much as a hundred short ones where several
   * backends renew their leases, or a vehicle on the move reports every few seconds: one in so many of those that would
   * have several backends has them, and the interval of reports on the move is at least that long.
   */
  longRunMs: 3_600_000,
  severalInLongRunsIn: 8,
  longRunIntervalS: 30,
  swarmBackends: 4,
  mostBackendBreaks: 4,
  /** One in so many of these runs has work that is aimed at a promise of several backends. */
  aimedAtBackendsIn: 2,
  /** How long after a call such a break begins, and how long it lasts. */
  backendBreakDelayMs: 500,
  backendBreakLeastMs: 200,
  backendBreakMostMs: 60_000,
  /** One in so many breaks of several backends is an orderly restart. */
  restartIn: 4,
  /**
   * Orderly moves: how long after all else they begin (longer than `calmMs` of judge/rules/limits.ts) and last, how
   * slow the store is, how often each box gets a request, and how many backends are replaced, and within which time
   * of their turn.
   */
  calmAgainMs: 75_000,
  movesForMs: 120_000,
  movesSlowLeastMs: 200,
  movesSlowMostMs: 1_000,
  movesAskLeastMs: 400,
  movesAskMostMs: 3_000,
  movesRestarts: 3,
  movesRestartDelayMs: 8_000,
  /** One in so many runs with several backends has work during which a backend starts or ends. */
  workOfSeveralIn: 2,
  /**
   * One run in so many limits the calls of each client, more often with several backends; and the limit, in calls a
   * minute.
   */
  quotaIn: 20,
  quotaOfSeveralIn: 3,
  quotaLeast: 60,
  quotaMost: 200,
  /** The delay of a backend's notification of others' commits. */
  mostWakeUpDelayMs: 10_000,
  /** How long the backend's connection to its broker is disturbed where no end is drawn. */
  swarmLinkMs: 240_000,
  /**
   * Runs in a round: the round after the next knows what one round met. At least as many as are ever started ahead.
   * And the aims of a run: so many states, answers or faults, each with so many of its cells.
   */
  coverageRound: 32,
  mostCellAims: 2,
  mostCellsAnAim: 6,
  /** The time from one cell of an aim to the next. */
  cellGapLeastMs: 1_000,
  cellGapMostMs: 25_000,
  /** How long a fault lasts that is aimed at an answer or a state of the run. */
  cellFaultLeastMs: 200,
  cellFaultMostMs: 12_000,
  /** One step in so many has another form, where it can have one (scenarios/explore/workload/step-forms.ts). */
  formIn: 8,
  /** The rounds of a step that is repeated, and the time from one to the next. */
  formRounds: 5,
  formEveryLeastMs: 50,
  formEveryMostMs: 30_000,
  /** How long a step waits for its trigger. */
  formWithinMs: 120_000,
  /** The largest place to which weather applies. */
  formRadiusM: 2_000,
  /** In a running fleet: the time from one disturbance to the next, and the duration of one. */
  disturbanceGapLeastMs: 200,
  disturbanceGapMostMs: 5_000,
  disturbanceLeastMs: 500,
  disturbanceMostMs: 15_000,
  /** Characters of the reason in the header of the found file. */
  headerCharacters: 300,
} as const;

/** The bounds of bringing causes about. */
export const causeLimits = {
  /** How long a step is repeated until its answer is as expected: a box takes some 30 s to restart. */
  stepMs: 90_000,
  stepPauseMs: 150,
  /** How long a request is repeated until its problem is returned. */
  showMs: 10_000,
  showPauseMs: 250,
  /** How many calls a client has left when another client takes over. */
  sparedCalls: 20,
  /** Concurrent calls, and calls at most, to use up a quota. */
  callsAtOnce: 25,
  mostCalls: 100_000,
  /** The service's own limit: a larger body is refused. */
  bodyBytes: 65_536,
  bulkBodyBytes: 2 * 1024 * 1024,
  pageVehicles: 1_000,
} as const;

/** The bounds of the coverage. */
export const coverageLimits = {
  /**
   * How long an instantaneous fault also counts for later calls. A box whose connection is cut, or that is reset, is
   * in a session again after some two seconds, and after two failed attempts within ten.
   */
  afterAtOnceMs: 10_000,
} as const;

/** The bounds of the trace that a scenario is made from. */
export const traceLimits = {
  /** Spans without a connection, of all vehicles together. */
  spans: 200_000,
  /** Characters of one row: many times the largest frame in hex. */
  rowCharacters: 16_777_216,
  /** Spans that become steps, the longest ones; a scenario has at most 500 steps. */
  steps: 480,
  groups: 50,
  /** A connection that is back within this time was cut; a longer gap was a lack of coverage. */
  cutMs: 5_000,
  /** A loss within this time after a fault that ends connections is caused by it. */
  explainedMs: 5_000,
} as const;

/** The bounds of reports: a run may have 20,000 vehicles and 200,000 facts, and a screen is small. */
export const reportLimits = {
  /** What is shown around a failure: the time before and after it, and the lines of each. */
  beforeMs: 60_000,
  afterMs: 10_000,
  linesBefore: 24,
  linesAfter: 6,
  /** Earlier acts that were refused. */
  refusals: 3,
  /** Faults and other earlier states that are still active, the latest. */
  inForce: 8,
  /** Failures of one expectation or checker that are listed; the rest is counted. */
  listedFailures: 5,
  /** Expectations and checkers of one scenario whose first failure has its timeline in a report. */
  timelines: 5,
  /**
   * Different warnings of one scenario that are shown, equal ones of many vehicles or rounds as one; JSON has each.
   * And the vehicles that one names.
   */
  warnings: 200,
  namedVehicles: 20,
  /** Annotations of one scenario: GitHub shows ten errors and ten warnings of a step, and drops the rest. */
  annotations: 10,
  /** Characters of one sentence. */
  characters: 600,
  /** Boxes with a failure, and without one, that have a picture in an HTML page. */
  failingPictures: 60,
  otherPictures: 12,
  /** The most marks of a kind in a picture: marks at the same place are one mark with a count. */
  columns: 240,
  /** Rows of overlapping calls; further ones share the last row. */
  callRows: 4,
  /** Spans of faults with their names in one picture. */
  shownFaults: 60,
  /** A longer run is also shown in parts. */
  partsFromMs: 600_000,
  parts: 4,
  /** Close-ups of one box: one for each failure. */
  closeUps: 3,
} as const;
