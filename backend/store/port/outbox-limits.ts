/**
 * Bounds of an outbox while nothing takes messages from it. Beyond any of them the oldest messages are
 * dropped.
 */
export interface OutboxBounds {
  readonly messages: number;
  /** Of the bodies, in bytes of UTF-8. */
  readonly bytes: number;
  /** The difference between a message's creation time and that of the newest. */
  readonly ageMs: number;
  /**
   * Messages that one call drops at most, or twice what it writes: no call takes long, and a backlog shrinks.
   */
  readonly droppedPerCall: number;
  /** Dropped messages whose ids are kept; the oldest go first. Their totals are kept for ever. */
  readonly droppedNames: number;
}

/**
 * The bounds of the product. A queue keeps its messages for as long as the age here: `limits.messageTtlMs`.
 */
export const outboxLimits: OutboxBounds = {
  messages: 1_000_000,
  bytes: 1024 * 1024 * 1024,
  ageMs: 7 * 24 * 3_600_000,
  droppedPerCall: 1_000,
  droppedNames: 250_000,
};

/**
 * After this many messages the number of waiting ones is written, and as many positions are reserved. Most
 * have been removed from the outbox by then, and never were counted.
 */
export const outboxCountedAt = 1_000;

/**
 * Where several processes write (PostgreSQL), one measures the outbox again after it has written this part of the room
 * that was left: sixteen of them together do not go past the bound.
 */
export const outboxShare = 1 / 16;
