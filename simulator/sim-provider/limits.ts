/** The times of the simulated providers. */
export const limits = {
  /** How much later a slow provider answers. */
  slowMs: 3_000,
  /** How long a silent provider leaves a connection open before it ends it with an error. */
  silentMs: 60_000,
  /** What a provider that limits its callers tells them to wait. */
  retryAfterS: 30,
} as const;
