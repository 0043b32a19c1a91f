/** The times of the simulated providers. */
export const limits = {
  /** How much later a slow provider answers. */
  slowMs: 3_000,
  /** How long a silent provider keeps a connection open before it ends it with an error. */
  silentMs: 60_000,
  /** The waiting time that a rate-limiting provider states. */
  retryAfterS: 30,
} as const;
