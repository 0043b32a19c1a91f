/** The bounds of the coverage. */
export const limits = {
  /**
   * How long a fault that happens at once also counts for calls that come after it. A box whose connection is cut, or
   * that is reset, is in a session again after some two seconds, and after two tries that fail within ten.
   */
  afterAtOnceMs: 10_000,
} as const;
