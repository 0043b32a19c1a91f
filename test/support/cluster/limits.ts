/** The bounds of servers that tests start, kill and start again. */
export const limits = {
  /** RabbitMQ takes some 7 s to start, on two busy cores ten times as long. */
  startMs: 180_000,
  /** After SIGTERM; a node of RabbitMQ stops its queues first, a backend answers what it has taken. */
  stopMs: 30_000,
  /** The end of what a node has said. */
  logCharacters: 16_000,
  /** Of that, where several are told at once. */
  toldCharacters: 4_000,
  /** One question to a node, and all of those that tell whether it serves. */
  askMs: 5_000,
  serveMs: 15_000,
  /** Between two attempts to read a queue. */
  readAgainMs: 100,
  /** The last ones that a witness keeps. */
  witnessedFrames: 100_000,
  /** Of the client whose load a deployment serves. */
  callsPerMinute: 10_000,
  /** Until all that is stored has been read from its queue; and how long nothing has come then. */
  drainMs: 120_000,
  quietMs: 3_000,
} as const;
