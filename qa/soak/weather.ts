import type { Random } from '../../world/random/random.ts';
import type { WeatherKind } from './limits.ts';

const MINUTE_MS = 60_000;

/** One request to the simulator's control API. */
export interface WeatherAct {
  /** From the beginning of the weather. */
  readonly atMs: number;
  readonly boxId: string;
  readonly action: WeatherKind['action'];
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * What comes over the boxes in that minute (from 0), in the order of time. The same seed, boxes and minute give the
 * same acts. What lasts also has its end here, at `endMs` at the latest, so that nothing is left behind.
 */
export function weatherOfMinute(
  random: Random,
  kinds: readonly WeatherKind[],
  boxIds: readonly string[],
  minute: number,
  endMs: number,
): readonly WeatherAct[] {
  if (boxIds.length === 0) return [];
  const acts = kinds.flatMap(({ action, sharePerMinute, lastsMs }) => {
    const stream = random.stream(`soak/${minute}/${action}`);
    const wanted = boxIds.length * sharePerMinute;
    // The fraction left over comes as often as it is large: also a small fleet has weather.
    const count = Math.floor(wanted) + (stream.fraction() < wanted % 1 ? 1 : 0);
    return Array.from({ length: count }, (): readonly WeatherAct[] => {
      const boxId = stream.pick(boxIds);
      const atMs = minute * MINUTE_MS + stream.whole(0, MINUTE_MS - 1);
      const lastsForMs = lastsMs === undefined ? undefined : stream.whole(...lastsMs);
      if (atMs >= endMs) return [];
      if (lastsForMs === undefined) return [{ atMs, boxId, action, body: {} }];
      return [
        { atMs, boxId, action, body: { available: false } },
        { atMs: Math.min(atMs + lastsForMs, endMs), boxId, action, body: { available: true } },
      ];
    }).flat();
  });
  return acts.toSorted((a, b) => a.atMs - b.atMs);
}
