/** The bounds of the command line. */
export const limits = {
  /** The most that a process can have where boxes need no sockets. */
  memoryVehicles: 100_000,
  /** After a swarm on a running fleet: how long the recovery may take, and how often it is checked. */
  backWithinMs: 180_000,
  backLookMs: 1_000,
  /** Vehicles that it names as not recovered. */
  shownNotBack: 10,
  /** Parts of a fleet that run separately. */
  shards: 1_000,
  /** Addresses that boxes connect from. */
  localAddresses: 64,
  /** Addresses of one broker: the nodes of a cluster. They share the time for connecting. */
  brokerNodes: 16,
  /** Origins whose web pages may call the API. */
  corsOrigins: 50,
  /** Networks of proxies before the API. */
  trustedProxies: 32,
  /** Recorded drives that are replayed at the same time. */
  drives: 100,
  /** The delay after the banner before the reader of the output is checked. */
  readerLookMs: 1_000,
  /** The width of a table where the terminal does not report one. */
  tailColumns: 120,
  /** Of one line of the messages that the ledger reads: far more than any message has. */
  messageLineCharacters: 4_194_304,
  /** Vehicles in the table of the ledger; the rest is counted. */
  shownLedgerVehicles: 50,
  /** `scenario`: how deep directories are searched, and how many files there may be. */
  scenarioDepth: 20,
  scenarioFiles: 2_000,
  /** `--jobs`: the number of concurrent runs. Each is a thread with its own memory, some 200 MB. */
  jobs: 64,
  /** In a pipe: how long a run is silent at first, and the interval of its progress afterwards. */
  firstProgressLineMs: 3_000,
  progressLineMs: 10_000,
  /** The time over which the speed of the progress is measured. */
  progressSpeedMs: 2_000,
  /** Characters of the faults that it names. */
  inForceCharacters: 60,
  /** The width of tables where there is no terminal to fit them into. */
  textColumns: 100,
  /** The width of help without a terminal, and on a wide one. */
  helpColumns: 80,
  widestHelpColumns: 100,
  /** Completion: how long the running installation may take, and how many names are offered. */
  completionMs: 1_000,
  completedNames: 200,
  /** `api`: the longest wait for an answer; an answer timeout of the service may be several minutes. */
  apiAnswerMs: 600_000,
  /** An answer of the simulator; of the health of the service; boxes in a page of the fleet. */
  simulatorAnswerMs: 30_000,
  statusAnswerMs: 10_000,
  fleetPage: 500,
  /** The exit code in shells of a program that Ctrl-C has ended. */
  interruptedExitCode: 130,
} as const;
