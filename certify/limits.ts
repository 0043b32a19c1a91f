/** The bounds of certifying; those of judging: judge/certify/limits.ts. */
export const limits = {
  /** Vehicles that are onboarded for it. */
  vehicles: 100,
  /** How long the boxes may take to be set up and connected, and how often that is checked. */
  readyMs: 120_000,
  lookMs: 500,
  /** How long one answer of the service may take; in addition to the wait for a silent box. */
  answerSlackMs: 20_000,
  /** Calls of the given client that are left for others when it waits for its next minute. */
  sparedCalls: 30,
  /** The longest wait for that minute. */
  quotaWaitMs: 90_000,
  /** Exchanges, frames and messages that are kept for judging; the number of findings that are reported. */
  exchanges: 50_000,
  messages: 100_000,
  bodyCharacters: 2_000_000,
  findings: 3,
  findingCharacters: 600,
  /** A bulk job of connected boxes. */
  jobMs: 60_000,
  /** How long to wait for what nothing announces, and for a report of what happens to a vehicle. */
  quietMs: 1_500,
  reportMs: 1_200,
  /** Changes of a vehicle's truth that are kept. */
  keptChanges: 20_000,
  amqpConnectMs: 10_000,
  prefetch: 200,
  /** `--boxes theirs`: boxes that are kept. */
  boxes: 1_000,
  mqttConnectMs: 10_000,
  mqttKeepAliveS: 30,
  frameLookMs: 50,
  /** How long ago an expired command expired. */
  pastMs: 5_000,
} as const;
