/** The bounds of calls to SIM providers. */
export const connectivityLimits = {
  /** How long a provider may take to answer; a caller of ours waits as long. */
  answerTimeoutMs: 10_000,
  answerBytes: 16_384,
  /** Part of a provider's answer that the operator's log shows. */
  quotedCharacters: 200,
} as const;
