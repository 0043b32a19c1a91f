/** What an outbox may hold while nothing takes messages from it. Past any of these the oldest go first. */
export interface OutboxBounds {
  readonly messages: number;
  /** Of the bodies, in bytes of UTF-8. */
  readonly bytes: number;
  /** By the time of a message's making, beside that of the newest. */
  readonly ageMs: number;
  /** Messages that one call drops at most, or twice what it writes: no call takes long, and a backlog shrinks. */
  readonly droppedPerCall: number;
  /** Dropped messages whose names are kept; the oldest names go first. What they add up to is kept for ever. */
  readonly droppedNames: number;
}

/** The bounds of the product. A queue keeps its messages for as long as the age here: `limits.messageTtlMs`. */
export const outboxLimits: OutboxBounds = {
  messages: 1_000_000,
  bytes: 1024 * 1024 * 1024,
  ageMs: 7 * 24 * 3_600_000,
  droppedPerCall: 1_000,
  droppedNames: 250_000,
};

/**
 * After so many messages the number of those that wait is written, and so many positions are reserved. Most are off the
 * outbox by then, and never were counted.
 */
export const outboxCountedAt = 1_000;
