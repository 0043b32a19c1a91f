/** The bounds of message subscriptions. */
export const subscriptionLimits = {
  /** Subscriptions of a fleet, including those that are being created or deleted. */
  perFleet: 100,
  discriminatorCharacters: 64,
  /** Random bytes of a consumer's password, before encoding. */
  passwordBytes: 24,
  /** How long the message broker may take for all of a subscription's queues. */
  brokerMs: 10_000,
  /** A subscription that is not finished by then is deleted; longer than creating one can take. */
  makingMs: 60_000,
  /** How long a backend has for deleting a subscription before another may try; longer than that can take. */
  endingMs: 30_000,
  /** The wait after the store could not be read, or the broker could not create a standing subscription. */
  retryMs: 15_000,
  /** Safety net besides the due times: another backend may have left something. */
  pollMs: 5 * 60_000,
  /** Subscriptions deleted in one look. */
  sweepCount: 20,

  /** One call to the management interface of the broker; the nodes of a cluster share it. */
  accountsTimeoutMs: 5_000,
  /** How often it is checked while it answers. */
  accountsLookMs: 60_000,
  accountsAnswerBytes: 64 * 1024,
  /** Characters of its answer that an error shows. */
  quotedCharacters: 200,
} as const;
