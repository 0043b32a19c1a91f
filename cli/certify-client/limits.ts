/** The bounds of `certify-client`. */
export const limits = {
  vehicles: 200,
  minutes: 600,
  /** Of the tokens of a run: they end while one looks. */
  tokenLifeS: 20,
  /** How long the service waits for a silent box: a 504 comes soon. */
  answerTimeoutS: 4,
  /** Between two episodes, and after the last. */
  pauseMs: 700,
  calmMs: 7_000,
  /** The shortest run: a token ends in it, and is used after that. */
  shortestRunMs: 25_000,
  /** The quota is used up so long before it is there again: that is the Retry-After. */
  quotaLeadMs: 7_000,
  /** Of using it up. */
  callsAtOnce: 25,
  mostCalls: 5_000,
  /** A client that is asked to end has so long for it. */
  clientEndMs: 4_000,
  /** How often it is looked whether something has come. */
  lookMs: 50,
  witnessBytes: 65_536,
  /** Properties of one held state. */
  witnessProperties: 200,
  amqpFrameBytes: 131_072,
} as const;
