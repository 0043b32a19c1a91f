import { LIMITS } from '../../../contract/limits.ts';

/** Bounds of an outbox that is not drained. Beyond any of them the oldest messages are dropped. */
export interface OutboxBounds {
  readonly messages: number;
  /** Of the bodies, in bytes of UTF-8. */
  readonly bytes: number;
  /** The difference between a message's creation time and that of the newest. */
  readonly ageMs: number;
  /** The most messages that one call drops, or twice what it writes: no call takes long, and a backlog shrinks. */
  readonly droppedPerCall: number;
  /** Dropped messages whose ids are kept; the oldest go first. Their totals are kept for ever. */
  readonly droppedNames: number;
}

/** The bounds of the product. A message waits here for as long as in a queue. */
export const outboxLimits: OutboxBounds = {
  messages: 1_000_000,
  bytes: 1024 * 1024 * 1024,
  ageMs: LIMITS.subscription.messageTtlMs,
  droppedPerCall: 1_000,
  droppedNames: 250_000,
};

/**
 * After this many messages the number of waiting ones is written, and as many positions are reserved. Most have been
 * removed from the outbox by then without being counted.
 */
export const outboxCountedAt = 1_000;

/**
 * With several writers (PostgreSQL), each measures the outbox again after it has written this part of the remaining
 * capacity: sixteen together do not exceed the bound.
 */
export const outboxShare = 1 / 16;
