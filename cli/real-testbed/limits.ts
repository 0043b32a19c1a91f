/** The bounds of a testbed over sockets. */
export const limits = {
  connectTimeoutMs: 5_000,
  /** Of who takes a box's session over for a moment. */
  impostorKeepAliveS: 60,
  /** How often it is looked for queues that are new, and how soon a reader that lost its connection is back. */
  tapAgainMs: 200,
  tapPrefetch: 200,
  /** How often the levels of queues are looked at. */
  levelsMs: 1_000,
  /** How long the service may take to reach its brokers before a run begins, and how often it is asked. */
  comeUpMs: 60_000,
  comeUpLookMs: 50,
  /** So much longer than its steps a run may take before it counts as stuck: to come up, and to be configured. */
  slackMs: 180_000,
  /** How long it may take to say what a stuck run waits for. */
  lastWordMs: 5_000,
  /** How long the service may take to stop when a run is over: longer than it waits for its brokers. */
  stopMs: 5_000,
  /** How often whoever started the run is asked whether it goes on. */
  gateMs: 20,
} as const;
