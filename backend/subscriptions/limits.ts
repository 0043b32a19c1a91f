/** The bounds of message subscriptions. */
export const subscriptionLimits = {
  /** Subscriptions of a fleet, those included that are being made or taken away. */
  perFleet: 100,
  discriminatorCharacters: 64,
  /** What a consumer signs in with: random bytes, before they are written as text. */
  passwordBytes: 24,
  /** How long the message broker may take for all of a subscription's queues. */
  brokerMs: 10_000,
  /** A subscription that is not made by then is taken away; longer than making one can take. */
  makingMs: 60_000,
  /** How long whoever takes a subscription away is left alone with it; longer than that can take. */
  endingMs: 30_000,
  /** The wait after the store failed to tell what is to be taken away, or the broker to make what is to be there. */
  retryMs: 15_000,
  /** Safety net beside the due times: another backend may have left something. */
  pollMs: 5 * 60_000,
  /** Subscriptions taken away at one look. */
  sweepCount: 20,

  /** The management interface of the broker. */
  accountsTimeoutMs: 5_000,
  /** How often it is looked whether it answers, while it does. */
  accountsLookMs: 60_000,
  accountsAnswerBytes: 64 * 1024,
  /** Characters of its answer that an error shows. */
  quotedCharacters: 200,
} as const;
