/** The bounds of servers that tests start, kill and start again. */
export const limits = {
  /** RabbitMQ takes some 7 s to start, three of them at once on two busy cores four times as long. */
  startMs: 60_000,
  /** After SIGTERM; a node of RabbitMQ stops its queues first. */
  stopMs: 15_000,
  /** The end of what a node has said. */
  logCharacters: 4_000,
  /** One question whether a node serves. */
  askMs: 5_000,
  /** Between two attempts to read a queue. */
  readAgainMs: 100,
} as const;
