/** The bounds of the test library. */
export const limits = {
  /** Of the hooks that start and end a service for a test file, and of a test that runs a scenario. */
  startMs: 60_000,
  scenarioMs: 600_000,
} as const;
