/** The limits and fixed times of a simulated maker's cloud. */
export const limits = {
  /** The time between two samples of a car with the ignition on, and of a parked one. */
  drivingSampleMs: 30_000,
  restingSampleMs: 30 * 60_000,

  /** Calls with one key in one clock minute. */
  callsPerMinute: 300,
  bodyBytes: 8_192,

  /** One notification: how long to wait for its response, and how large that may be. */
  pushTimeoutMs: 5_000,
  pushAnswerBytes: 65_536,
  /** Waiting times between attempts of one notification, doubled from the first to the last. */
  pushFirstRetryMs: 1_000,
  pushLastRetryMs: 60_000,
  /** Queued notifications of one car. Beyond it the oldest is dropped; its subscriber can query the state. */
  pushQueue: 100,
  subscriptionAddressCharacters: 500,
  subscriptionSecretCharacters: 200,
  /** The longest delay that can be set for a slow cloud. */
  slowestMs: 600_000,
} as const;
