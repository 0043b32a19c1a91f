import { LIMITS } from '../../contract/limits.ts';

/** The bounds of a deployment. */
export const limits = {
  /**
   * Each box has a socket to the one address of the MQTT broker, and one address has 28,232 local ports for that (Linux
   * by default). The limits of this machine and this process are checked before a start (deployment/checks/).
   */
  vehicles: 28_000,
  /** Defaults of a fleet in memory: vehicles that drive, and boxes that get power in each second. */
  memoryDrivingPercent: 8,
  memoryRampPerSecond: 1_000,
  /** Boxes whose links can be disturbed: each has two more sockets in this process. */
  faultyLinks: 1_000,
  /** Faults that are active at the same time. */
  faultsInForce: 100,
  /** Ended faults whose effects are kept. */
  faultsEnded: 100,
  /** Of the client that takes a box's session over for a moment. */
  impostorKeepAliveS: 60,
  impostorConnectMs: 5_000,
  /**
   * How long a fault waits until the boxes whose links it disturbs are connected through its proxy, and how often it
   * checks.
   */
  linkMountMs: 10_000,
  linkMountLookMs: 50,
  /** Of an MQTT address without a port. */
  mqttPort: 1_883,
  /** Vehicles of the fleet of `up` that are written into the store at the same time. */
  onboardedAtOnce: 1_000,
  /** Of a settings file. */
  settingsCharacters: 100_000,
  settingsAliases: 10,
  /** Of a credentials file, with room for every vehicle that a process can have; of a certificate authority. */
  credentialsBytes: 67_108_864,
  authorityBytes: 1_048_576,
  /** Wrong lines of a credentials file that are named; the rest is counted. */
  shownCredentialsFaults: 10,
  /** `fleet --url`: the longest wait after a 429 of the service, and how often progress is reported. */
  onboardingWaitS: 120,
  onboardingTold: 500,
  /** Of the name of an installation that a request is for. */
  shownInstallationCharacters: 100,
  /** How long `fleet` and `backend` wait for the brokers of their data directory, and how often they check. */
  brokersWaitMs: 30_000,
  brokersLookMs: 250,
  /** Of an answer that is refused. */
  shownAnswerCharacters: 500,
  /** How many ports after a default one that is taken are tried. */
  portAttempts: 50,
  /** After a signal the program ends by then, whatever still hangs. */
  shutdownMs: 4_800,
  /** How much longer a backend takes that hands its boxes over to others than pending commands may take. */
  handoverMs: 6_000,
  /** `up --processes auto`: from so many vehicles on, brokers, service and fleet run in separate processes. */
  processesFrom: 2_000,
  /** Of one part of several processes, which takes `shutdownMs` itself; and of all of them. */
  partShutdownMs: 5_500,
  partsShutdownMs: 17_000,
  /** Restarts of a part: how many in a row, the longest wait, and the run time that ends a row. */
  restarts: 5,
  restartWaitMs: 10_000,
  restartCalmMs: 60_000,
  /** A client that configures the demo fleet and is older than this was left behind by a killed process. */
  demoClientMs: 600_000,
  /** How long a start waits for boxes: since the last one became ready; in all; and how often it checks. */
  readyWaitMs: 5_000,
  readyMostMs: 30_000,
  readyLookMs: 50,
  /** How many boxes a start reads from the store at each check. */
  readyLookBoxes: 100,
  /** How long to wait for a box before its configuration is ordered anyway. */
  demoWaitMs: 30_000,
  /** How long the start is silent about a broker that does not run or cannot be reached. */
  brokerNoticeMs: 5_000,
  /** How long after its start a service waits for the fleet of its data directory, when it asks SIM providers or makers. */
  fleetWaitMs: 9_000,
  /** How long the banner waits for a consumer's account at the AMQP broker. */
  subscriptionWaitMs: 5_000,
  /** Addresses of an X-Forwarded-For that are read, from its end. */
  forwardedHops: 16,
  /** The same at the embedded broker, which is always reachable. */
  ownSubscriptionWaitMs: 30_000,
  requestTimeoutMs: LIMITS.request.wholeMs,
  headersTimeoutMs: LIMITS.request.headersMs,
  /** Concurrent calls of the fleet's drivers to the service. */
  driversAtOnce: 8,
  /** How long they do not touch a vehicle after a client's last change. */
  driversLeaveMs: 24 * 3_600_000,
  /** When they check again: after something that takes seconds, after a failure, and at the latest. */
  driversLookMs: 5_000,
  driversRetryMs: 30_000,
  driversRareMs: 3_600_000,
  /** How many attempts to lock a vehicle they make before its rental ends anyway. */
  driversReturnTries: 4,
  /** The longest that they wait for their quota. */
  driversWaitS: 60,
  /** How often requests that are too slow are detected; Node's own is 30 s. */
  timeoutLookMs: 1_000,
  headerBytes: LIMITS.request.headerBytes,
  keepAliveMs: 65_000,
  httpConnections: 10_000,
  /** How long pending requests may still be answered at the end of the program. */
  httpDrainMs: 250,
  /** How long `wire` and `provoke` wait for an answer from an address. */
  placeTimeoutMs: 10_000,
  /** A trace is written in pieces of about this size. */
  traceBlockCharacters: 65_536,
  /** The interval of the positions of vehicles in a trace. */
  tracePlaceMs: 5_000,
  /** `tail`: how many messages of a queue are on their way to the output at once. */
  tailPrefetch: 100,
  /** How long a call of the API by a command may take, and the connection of `tail` with its broker. */
  serviceCallMs: 10_000,
  /** The first wait before a lost connection is reopened; each further one is twice as long, up to the last. */
  tailRetryMs: 250,
  tailLastRetryMs: 10_000,
  /** Mistakes of vehicle models that a refused start names; the rest is counted. */
  shownModelFaults: 10,
  /** The user's own models: files of a folder, and the characters, rows and properties per row of one file. */
  modelFiles: 100,
  modelCharacters: 500_000,
  modelRows: 200,
  modelFeeds: 20,
  modelNameCharacters: 80,
  /** Concurrent scenario runs of the console, and their timeout; how many are kept, and their texts. */
  consoleRuns: 2,
  consoleRunMs: 600_000,
  consoleKeptRuns: 20,
  consoleReportCharacters: 100_000,
  /** The timeout of a scenario check of the console. */
  consoleCheckMs: 20_000,
  /** The files next to scenarios that their runs need: how many, and their bytes. */
  consoleFilesBeside: 50,
  consoleFileBytes: 10_000_000,
  /** How long an older build of the console's page in a checkout is kept. */
  consoleBuildsKeptMs: 86_400_000,
  /** How often the store is asked for the outbox, and for the connected boxes: ten thousand take some milliseconds. */
  outboxMs: 2_000,
  connectedMs: 5_000,
  /** `model from-dbc`: signals without a match that are listed in the file; the rest is counted. */
  listedSignals: 200,
  /** How often progress is shown on a terminal, and after how many steps of time the clock is read for it. */
  progressMs: 200,
  progressSteps: 64,
  /** How early an event of a paced run may happen: a timer is no finer. */
  paceSlackMs: 2,
  /** `api --body`: more than the service takes, so that its own refusal can be seen. */
  requestBodyBytes: 16_777_216,
} as const;
