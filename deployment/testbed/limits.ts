/** The bounds of a testbed over sockets. */
export const limits = {
  connectTimeoutMs: 5_000,
  /** How often new queues are looked up, and how soon a reader reconnects. */
  tapAgainMs: 200,
  tapPrefetch: 200,
  /** How often the levels of queues are sampled. */
  levelsMs: 1_000,
  /** How long the service may take to reach its brokers before a run begins, and how often that is checked. */
  comeUpMs: 60_000,
  comeUpLookMs: 50,
  /** How much longer than its steps a run may take before it counts as stuck: to start, and to be configured. */
  slackMs: 180_000,
  /** How long the report of what a stuck run waits for may take. */
  lastWordMs: 5_000,
  /** How long the service may take to stop after a run: longer than it waits for its brokers. */
  stopMs: 5_000,
  /** How often the gate of a run is checked. */
  gateMs: 20,
} as const;
