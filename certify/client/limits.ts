/** The bounds of `certify-client`. */
export const limits = {
  vehicles: 200,
  minutes: 600,
  /** Of the tokens of a run: they expire during the run. */
  tokenLifeS: 20,
  /** How long the service waits for a silent box: a 504 comes soon. */
  answerTimeoutS: 4,
  /** Between two episodes, and after the last. */
  pauseMs: 700,
  calmMs: 7_000,
  /** The shortest run: a token expires in it, and is used after that. */
  shortestRunMs: 25_000,
  /** The quota is used up so long before it is renewed: that is the Retry-After. */
  quotaLeadMs: 7_000,
  /** Of using it up. */
  callsAtOnce: 25,
  mostCalls: 5_000,
  /** How long a client that is asked to end may take. */
  clientEndMs: 4_000,
  /** How often new observations are polled. */
  lookMs: 50,
  witnessBytes: 65_536,
  /** Properties of one stored state. */
  witnessProperties: 200,
  amqpFrameBytes: 131_072,
} as const;
