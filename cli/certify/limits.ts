/** The bounds of certifying. */
export const limits = {
  /** Vehicles that are onboarded for it. */
  vehicles: 100,
  /** How long the boxes may take to be set up and connected, and how often it is looked. */
  readyMs: 120_000,
  lookMs: 500,
  /** How long one answer of the service may take; above the time that a silent box is waited for. */
  answerSlackMs: 20_000,
  /** Calls of the given client that are left for others when it waits for its next minute. */
  sparedCalls: 30,
  /** The longest wait for that minute. */
  quotaWaitMs: 90_000,
  /** Exchanges, frames and messages that are kept for judging; of each finding so many are told. */
  exchanges: 50_000,
  messages: 100_000,
  bodyCharacters: 2_000_000,
  findings: 3,
  findingCharacters: 600,
  /** How long a message, a receipt or a change of state may take. */
  messageMs: 15_000,
  receiptMs: 10_000,
  settleMs: 20_000,
  /** How far the clock of the service may be off ours. */
  clockMs: 5_000,
  /** The longest time to live of a request to a box. */
  requestLifeMs: 600_000,
  /** A bulk job of boxes that are there. */
  jobMs: 60_000,
  /** How long it is waited for what nothing announces, and for what happens to a vehicle to be reported. */
  quietMs: 1_500,
  reportMs: 1_200,
  /** Changes of a vehicle's truth that are kept. */
  keptChanges: 20_000,
  amqpConnectMs: 10_000,
  prefetch: 200,
  /** `--boxes theirs`: connections, records and faults that are kept of one box, and boxes. */
  boxes: 1_000,
  keptFrames: 20_000,
  mqttConnectMs: 10_000,
  mqttKeepAliveS: 30,
  /** How long a box may take for each step, and how long after that a record has to be repeated. */
  helloMs: 60_000,
  replyMs: 20_000,
  restartMs: 180_000,
  frameLookMs: 50,
  /** How long ago an expired command expired. */
  pastMs: 5_000,
  repeatMs: 40_000,
} as const;
