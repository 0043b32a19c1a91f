/** The bounds of the command line. */
export const limits = {
  /**
   * Each box has a socket to the one address of the MQTT broker, and one address has 28,232 local ports for that
   * (Linux by default). What this machine and this process have is looked at before a start (cli/checks/).
   */
  vehicles: 28_000,
  /** The most that a process can have where boxes need no sockets. */
  memoryVehicles: 100_000,
  /** Of a fleet in memory, where nothing else is said: that drive, and that get power in each second. */
  memoryDrivingPercent: 8,
  memoryRampPerSecond: 1_000,
  /** Boxes whose links can be disturbed: each has two more sockets in this process. */
  faultyLinks: 1_000,
  /** Weather and breaks that are in force at the same time. */
  faultsInForce: 100,
  /** Of those that have ended: what they met is told for so many. */
  faultsEnded: 100,
  /** Behind a swarm on a running fleet: how long it may take until all is as before, and how often it is looked. */
  backWithinMs: 180_000,
  backLookMs: 1_000,
  /** Vehicles that it names as not back. */
  shownNotBack: 10,
  /** Of who takes a box's session over for a moment. */
  impostorKeepAliveS: 60,
  impostorConnectMs: 5_000,
  /** Of an MQTT address that names none. */
  mqttPort: 1_883,
  /** Parts of a fleet that run by themselves. */
  shards: 1_000,
  /** Vehicles of the fleet of `up` that are written into the store at the same time. */
  onboardedAtOnce: 1_000,
  /** Of a settings file. */
  settingsCharacters: 100_000,
  settingsAliases: 10,
  /** Lines of a credentials file that are wrong and named; the rest is counted. */
  shownCredentialsFaults: 10,
  /** Addresses that boxes connect from. */
  localAddresses: 64,
  /** `fleet --api`: the longest wait where the service has too many requests, and how often progress is told. */
  onboardingWaitS: 120,
  onboardingTold: 500,
  /** Of an answer that is refused. */
  shownAnswerCharacters: 500,
  /** How many ports after a default one that is taken are tried. */
  portAttempts: 50,
  /** After a signal the program ends by then, whatever still hangs. */
  shutdownMs: 4_800,
  /** So much longer takes a backend that leaves its boxes to others than commands under way may take: it passes them on. */
  handoverMs: 6_000,
  /** `up --processes auto`: so many vehicles have brokers, service and fleet in processes of their own. */
  processesFrom: 2_000,
  /** Of one part of several processes, which takes `shutdownMs` itself; and of all of them. */
  partShutdownMs: 5_500,
  partsShutdownMs: 17_000,
  /** A part that died is started again: so often in a row, at the latest after, and a row ends with a run of. */
  restarts: 5,
  restartWaitMs: 10_000,
  restartCalmMs: 60_000,
  /** How long the banner waits for the boxes to be ready. */
  /** A client that configures the demonstration and is older than this was left behind by a kill. */
  demoClientMs: 600_000,
  readyWaitMs: 3_000,
  /** For so long it is waited for a box before its configuration is ordered all the same. */
  demoWaitMs: 30_000,
  /** How many of them it looks at. */
  readyBoxes: 50,
  /** Addresses of one broker: the nodes of a cluster. They share the time for connecting. */
  brokerNodes: 16,
  /** How long the start is silent about a broker that does not answer. */
  brokerNoticeMs: 3_000,
  /** For so long the banner waits for a consumer's account at the AMQP broker. */
  subscriptionWaitMs: 5_000,
  /** Origins whose web pages may call the API. */
  corsOrigins: 50,
  /** Networks of proxies before the API. */
  trustedProxies: 32,
  /** Recorded drives that are replayed at the same time. */
  drives: 100,
  /** Addresses of a X-Forwarded-For that are looked at, from its end. */
  forwardedHops: 16,
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
  /** How long requests that are under way at the end of the program may still be answered. */
  httpDrainMs: 250,
  /** How long `wire` and `provoke` wait for an answer from an address. */
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
  /** Models of the user's own: files of a folder, and of one file its characters, rows and what a row feeds. */
  modelFiles: 100,
  modelCharacters: 500_000,
  modelRows: 200,
  modelFeeds: 20,
  modelNameCharacters: 80,
  /** `model from-dbc`: signals without a match that are listed in the file; the rest is counted. */
  listedSignals: 200,
  /** Vehicles in the table of the ledger; the rest is counted. */
  shownLedgerVehicles: 50,
  /** `scenario`: how deep directories are searched, and how many files there may be. */
  scenarioDepth: 20,
  scenarioFiles: 2_000,
  /** `--jobs`: how many runs at once. Each is a thread with a memory of its own, some 200 MB. */
  jobs: 64,
  /** How often progress is shown on a terminal, and after how many steps of time the clock is looked at for it. */
  progressMs: 200,
  progressSteps: 64,
  /** In a pipe: how long a run is silent at first, and then how often it says how far it is. */
  firstProgressLineMs: 3_000,
  progressLineMs: 10_000,
  /** The speed that progress tells is that of so long. */
  progressSpeedMs: 2_000,
  /** Characters of the faults that it names. */
  inForceCharacters: 60,
  /** How wide tables are where there is no terminal to fit them into. */
  textColumns: 100,
  /** So long before its time an event of a paced run may happen: a timer is no finer. */
  paceSlackMs: 2,
  /** A trace is written in pieces of about this size. */
  traceBlockCharacters: 65_536,
  /** Scenarios that the console runs at a time, and for how long one may take; how many are kept, and their texts. */
  consoleRuns: 2,
  consoleRunMs: 600_000,
  consoleKeptRuns: 20,
  consoleReportCharacters: 100_000,
  /** What stands beside scenarios and is there for their runs: so many files, each of so many bytes. */
  consoleFilesBeside: 50,
  consoleFileBytes: 10_000_000,
  /** A page of the console that was built in a checkout is kept so long beside newer ones. */
  consoleBuildsKeptMs: 86_400_000,
  /** How far apart a trace tells where vehicles are. */
  tracePlaceMs: 5_000,
  /** Of the hooks that start and end a service for a test file, and of a test that runs a scenario. */
  libraryStartMs: 60_000,
  libraryScenarioMs: 600_000,
  /** As a shell tells of a program that Ctrl-C has ended. */
  interruptedExitCode: 130,
} as const;
