/** The bounds of the command line. */
export const limits = {
  /** Both ends of a box's socket are in this process, and 20,000 open files are a common bound. */
  vehicles: 9_000,
  /** How many ports after a default one that is taken are tried. */
  portAttempts: 50,
  /** After a signal the program ends by then, whatever still hangs. */
  shutdownMs: 4_800,
  /** How long the banner waits for the boxes to be ready. */
  readyWaitMs: 3_000,
  /** For so long it is waited for a box before its configuration is ordered all the same. */
  demoWaitMs: 30_000,
  /** How many of them it looks at. */
  readyBoxes: 50,
  /** How long the start is silent about a broker that does not answer. */
  brokerNoticeMs: 3_000,
  /** For so long the banner waits for a consumer's account at the AMQP broker. */
  subscriptionWaitMs: 5_000,
  /** Origins whose web pages may call the API. */
  corsOrigins: 50,
  /** The same at the embedded broker, which is there. */
  ownSubscriptionWaitMs: 30_000,
  /** So long after the banner it is looked whether anybody still reads. */
  readerLookMs: 1_000,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  /** What the fleet's drivers have under way with the service at once. */
  driversAtOnce: 8,
  /** What a client has taken they leave alone for so long after its last change. */
  driversLeaveMs: 24 * 3_600_000,
  /** How soon they look again: after something that takes seconds, after what failed, and at the latest. */
  driversLookMs: 5_000,
  driversRetryMs: 30_000,
  driversRareMs: 3_600_000,
  /** How often a vehicle is tried to be locked before its rental ends all the same. */
  driversReturnTries: 4,
  /** The longest that they wait for their quota. */
  driversWaitS: 60,
  /** How often requests that are too slow are looked for; Node's own is 30 s. */
  timeoutLookMs: 1_000,
  headerBytes: 16_384,
  keepAliveMs: 65_000,
  httpConnections: 10_000,
  /** Requests that run when the program is ended may still be answered for so long. */
  httpDrainMs: 250,
  /** For so long `wire` and `provoke` wait for whoever stands at an address. */
  placeTimeoutMs: 10_000,
  /** `tail`: how many messages of a queue are on their way to the output at once. */
  tailPrefetch: 100,
  tailConnectMs: 10_000,
  /** The first wait before a lost connection is opened anew; each further one is twice as long, up to the last. */
  tailRetryMs: 250,
  tailLastRetryMs: 10_000,
  /** The width of a table where the terminal tells none. */
  tailColumns: 120,
  /** Faults of vehicle models that a refused start names; the rest is counted. */
  shownModelFaults: 10,
  /** Vehicles in the table of the ledger; the rest is counted. */
  shownLedgerVehicles: 50,
  /** `scenario`: how deep directories are searched, and how many files there may be. */
  scenarioDepth: 20,
  scenarioFiles: 2_000,
  /** How often progress is shown on a terminal, and after how many steps of time the clock is looked at for it. */
  progressMs: 200,
  progressSteps: 64,
  /** In a pipe: how long a run is silent at first, and then how often it says how far it is. */
  firstProgressLineMs: 3_000,
  progressLineMs: 10_000,
  /** The speed that progress tells is that of so long. */
  progressSpeedMs: 2_000,
  /** So long before its time an event of a paced run may happen: a timer is no finer. */
  paceSlackMs: 2,
  /** A trace is written in pieces of about this size. */
  traceBlockCharacters: 65_536,
  /** As a shell tells of a program that Ctrl-C has ended. */
  interruptedExitCode: 130,
} as const;
