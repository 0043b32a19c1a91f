/** The bounds and the fixed times of a simulated maker's cloud. */
export const limits = {
  /** Between two samples of a car whose key is turned, and of one that rests. */
  drivingSampleMs: 30_000,
  restingSampleMs: 30 * 60_000,

  /** Calls with one key in one minute of the clock. */
  callsPerMinute: 300,
  bodyBytes: 8_192,

  /** One notification: how long its answer is waited for, and how large that may be. */
  pushTimeoutMs: 5_000,
  pushAnswerBytes: 65_536,
  /** Waits between tries of one notification, doubled from the first to the last. */
  pushFirstRetryMs: 1_000,
  pushLastRetryMs: 60_000,
  /** Notifications that wait for one car; beyond it the oldest is dropped: who missed it can ask. */
  pushQueue: 100,
  subscriptionAddressCharacters: 500,
  subscriptionSecretCharacters: 200,
  /** The longest that a slow cloud is made to take. */
  slowestMs: 600_000,
} as const;
