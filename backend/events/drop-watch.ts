import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { limits } from '../base/limits.ts';
import type { DropTotal, OutboxStore } from '../store/port/outbox-store.ts';

export interface DropWatch {
  /**
   * Messages were written, so older ones may have been dropped: checks that, at a bounded rate. If the store fails, it
   * checks again.
   */
  check(): void;
  stop(): void;
}

/** Reports dropped messages to the operator: counted as they are found, and logged periodically by fleet. */
export function makeDropWatch(parts: {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly outbox: Pick<OutboxStore, 'drops'>;
  readonly counters: Counters;
}): DropWatch {
  const { world, outbox, counters } = parts;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let complainedMs = Number.NEGATIVE_INFINITY;
  /** The total at the last check; undefined before the first: earlier drops were reported before the start. */
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
      // The outbox reader and the sent marker log a failing store.
      () => lookBy(nowMs + limits.dropCheckMs),
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
    const nextMs = complainedMs + limits.dropLogMs;
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
          .slice(0, limits.dropLogRows)
          .map(({ fleetId, reason, messages }) => `${fleetId} ${messages} (${reason})`)
          .join(', '),
      },
      'the outbox is full: the oldest messages were dropped, and consumers will not receive them',
    );
  }

  return {
    check() {
      if (isStopped) return;
      const dueMs = lookedMs + limits.dropCheckMs;
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
