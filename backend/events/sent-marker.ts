import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { limits } from '../base/limits.ts';
import { backoffMs } from '../base/retry.ts';
import type { OutboxStore } from '../store/port/outbox-store.ts';

export interface SentMarkerParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly outbox: Pick<OutboxStore, 'sent'>;
  readonly counters: Counters;
  /** There is room for more marks again. */
  hasRoom(): void;
}

/** Removes confirmed messages from the outbox, many with one call of the store. */
export interface SentMarker {
  /** Marks that are not written yet. */
  readonly size: number;
  mark(position: number): void;
  /** It was marked just now: an earlier read may still contain it. */
  wasMarked(position: number): boolean;
  /** Writes all pending marks; resolves after one attempt. */
  flush(): Promise<void>;
  sever(): void;
}

/**
 * A mark that was not written when this backend ended only repeats its message with the old id. One that was answered
 * must not be lost while this backend runs, since it does not reread (docs/store.md).
 */
export function makeSentMarker(parts: SentMarkerParts): SentMarker {
  const { world, outbox, counters } = parts;
  const chance = world.random.stream('backend/marker');
  let positions: number[] = [];
  /** Those and the last ones before them, the oldest first. */
  const recent = new Set<number>();
  let writing: Promise<void> | undefined;
  let failures = 0;
  let cancelAlarm: (() => void) | undefined;
  let isSevered = false;

  function schedule(delayMs: number): void {
    cancelAlarm ??= world.time.alarm(world.time.nowMs() + delayMs, () => {
      cancelAlarm = undefined;
      void write();
    });
  }

  /** One write at a time: marks that are added meanwhile are written next. Never rejects. */
  function write(): Promise<void> {
    if (writing !== undefined) return writing;
    if (positions.length === 0 || isSevered) return Promise.resolve();
    cancelAlarm?.();
    cancelAlarm = undefined;
    const group = positions.slice();
    writing = outbox.sent(group).then(
      () => {
        writing = undefined;
        if (isSevered) return;
        failures = 0;
        positions = positions.slice(group.length);
        counters.add('messages.marked', group.length);
        if (positions.length >= limits.sentMarkGroup) schedule(0);
        else if (positions.length > 0) schedule(limits.sentMarkDelayMs);
        parts.hasRoom();
      },
      (error: unknown) => {
        writing = undefined;
        if (isSevered) return;
        const delayMs = backoffMs(
          failures,
          limits.firstBackoffMs,
          limits.lastStoreBackoffMs,
          chance.fraction(),
        );
        failures += 1;
        counters.add('marks.failed');
        world.log.error(
          { error: String(error), messages: group.length, delayMs },
          'confirmed messages could not be removed from the outbox',
        );
        schedule(delayMs);
      },
    );
    return writing;
  }

  return {
    get size() {
      return positions.length;
    },
    wasMarked: (position) => recent.has(position),
    mark(position) {
      positions.push(position);
      recent.add(position);
      const [oldest] = recent;
      if (recent.size > limits.sentRemembered && oldest !== undefined) recent.delete(oldest);
      if (failures > 0) return;
      if (positions.length === limits.sentMarkGroup) {
        cancelAlarm?.();
        cancelAlarm = undefined;
        schedule(0);
      } else {
        schedule(limits.sentMarkDelayMs);
      }
    },
    async flush() {
      await writing;
      await write();
    },
    sever() {
      isSevered = true;
      cancelAlarm?.();
    },
  };
}
