import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import type { DropTotal, OutboxStore } from '../store/outbox-store.ts';

export interface DropWatch {
  /**
   * Messages were written, so others may have been dropped: looks whether that is so, once in a while only. A store that
   * fails is looked at once more.
   */
  look(): void;
  stop(): void;
}

/** Tells the operator that the outbox had no room: counted as they are found, and logged once in a while by fleet. */
export function makeDropWatch(parts: {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly outbox: Pick<OutboxStore, 'drops'>;
  readonly counters: Counters;
}): DropWatch {
  const { world, outbox, counters } = parts;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let complainedMs = Number.NEGATIVE_INFINITY;
  /** What had been dropped when it was last counted; undefined before the first look: what is older was told then. */
  let counted: number | undefined;
  let told: ReadonlyMap<string, number> = new Map();
  let cancelAlarm: (() => void) | undefined;
  let isStopped = false;

  function lookBy(dueMs: number): void {
    if (!isStopped) cancelAlarm ??= world.time.alarm(dueMs, lookNow);
  }

  function lookNow(): void {
    cancelAlarm?.();
    cancelAlarm = undefined;
    const nowMs = world.time.nowMs();
    lookedMs = nowMs;
    outbox.drops().then(
      (totals) => found(totals, nowMs),
      // The read-ahead and the marker tell of a store that fails.
      () => lookBy(nowMs + limits.dropLookMs),
    );
  }

  function found(totals: readonly DropTotal[], nowMs: number): void {
    const sum = totals.reduce((before, { messages }) => before + messages, 0);
    if (counted === undefined) told = byKey(totals);
    else if (sum > counted) counters.add('messages.dropped', sum - counted);
    counted = sum;
    const news = totals.flatMap((total) => {
      const messages = total.messages - (told.get(keyOf(total)) ?? 0);
      return messages > 0 ? [{ fleetId: total.fleetId, reason: total.reason, messages }] : [];
    });
    if (news.length === 0) return;
    const nextMs = complainedMs + limits.dropComplaintMs;
    if (nowMs < nextMs) {
      lookBy(nextMs);
      return;
    }
    complainedMs = nowMs;
    told = byKey(totals);
    world.log.error(
      {
        messages: news.reduce((before, { messages }) => before + messages, 0),
        dropped: news
          .slice(0, limits.dropComplaintRows)
          .map(({ fleetId, reason, messages }) => `${fleetId} ${messages} (${reason})`)
          .join(', '),
      },
      'the outbox is full: the oldest messages were dropped, and their consumers miss them',
    );
  }

  return {
    look() {
      if (isStopped) return;
      const dueMs = lookedMs + limits.dropLookMs;
      if (world.time.nowMs() < dueMs) lookBy(dueMs);
      else lookNow();
    },
    stop() {
      isStopped = true;
      cancelAlarm?.();
    },
  };
}

const keyOf = ({ fleetId, reason }: Pick<DropTotal, 'fleetId' | 'reason'>): string => `${fleetId}/${reason}`;

function byKey(totals: readonly DropTotal[]): ReadonlyMap<string, number> {
  return new Map(totals.map((total) => [keyOf(total), total.messages]));
}
