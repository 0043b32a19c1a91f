/** The bounds of calls to SIM providers. */
export const connectivityLimits = {
  /** How long a provider may take to answer; our caller waits as long. */
  answerTimeoutMs: 10_000,
  answerBytes: 16_384,
  /** Characters of a provider's answer in the operator's log. */
  quotedCharacters: 200,
} as const;
