import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import type { DropTotal, OutboxStore } from '../store/outbox-store.ts';

export interface DropWatch {
  /** Looks whether messages were dropped, once in a while only. A store that fails is looked at the next time. */
  look(): void;
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

  function found(totals: readonly DropTotal[], nowMs: number): void {
    const sum = totals.reduce((before, { messages }) => before + messages, 0);
    if (counted === undefined) told = byKey(totals);
    else if (sum > counted) counters.add('messages.dropped', sum - counted);
    counted = sum;
    const news = totals.flatMap((total) => {
      const messages = total.messages - (told.get(keyOf(total)) ?? 0);
      return messages > 0 ? [{ fleetId: total.fleetId, reason: total.reason, messages }] : [];
    });
    if (news.length === 0 || nowMs < complainedMs + limits.dropComplaintMs) return;
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
      const nowMs = world.time.nowMs();
      if (nowMs < lookedMs + limits.dropLookMs) return;
      lookedMs = nowMs;
      outbox.drops().then(
        (totals) => found(totals, nowMs),
        // The read-ahead and the marker tell of a store that fails.
        () => undefined,
      );
    },
  };
}

const keyOf = ({ fleetId, reason }: Pick<DropTotal, 'fleetId' | 'reason'>): string => `${fleetId}/${reason}`;

function byKey(totals: readonly DropTotal[]): ReadonlyMap<string, number> {
  return new Map(totals.map((total) => [keyOf(total), total.messages]));
}
