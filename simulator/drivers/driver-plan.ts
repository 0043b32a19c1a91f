import type { Random, Stream } from '../../world/random/random.ts';
import { driverLimits } from '../limits.ts';

/** The use of a vehicle from one time to another: epoch milliseconds, the end not included. */
export interface DriverActivity {
  /** `rest`: not used for days. */
  readonly kind: 'trip' | 'pause' | 'rest';
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The plan of one vehicle: a pure function of seed, vehicle and time. */
export interface DriverPlan {
  at(atMs: number): DriverActivity;
}

const DAY_S = 86_400;
const DAY_MS = DAY_S * 1_000;

/**
 * The plan of the vehicle at this index of its fleet, from 0. Each day is drawn separately: trips and pauses
 * alternate without a gap. Of each `driverLimits.restIn` vehicles one rests for `driverLimits.restDays` days, then
 * another drawn one: so every fleet of that size has a resting vehicle. Random numbers come from the streams
 * `drivers/...`.
 */
export function driverPlan(random: Random, vehicle: string, place: number): DriverPlan {
  const group = Math.floor(place / driverLimits.restIn);
  const inGroup = place % driverLimits.restIn;
  // Each group has its own start of the day and of its days of rest.
  const beginnings = random.stream(`drivers/group/${group}`);
  const beginS = beginnings.whole(0, DAY_S - 1);
  const firstRest = beginnings.whole(0, driverLimits.restDays - 1);
  const beginsWithPause = random.stream(`drivers/${vehicle}`).whole(0, 1) === 1;
  let known: { readonly day: number; readonly ends: readonly number[] } | undefined;
  const endsOf = (day: number) => {
    if (known?.day !== day)
      known = { day, ends: drawnDay(random.stream(`drivers/${vehicle}/day/${day}`), beginsWithPause) };
    return known.ends;
  };
  const rests = (block: number) =>
    random.stream(`drivers/rest/${group}/${block}`).whole(0, driverLimits.restIn - 1) === inGroup;
  return {
    at: (atMs) => {
      const day = Math.floor((atMs - beginS * 1_000) / DAY_MS);
      const dayMs = day * DAY_MS + beginS * 1_000;
      const block = Math.floor((day - firstRest) / driverLimits.restDays);
      if (rests(block)) {
        const fromMs = (block * driverLimits.restDays + firstRest) * DAY_MS + beginS * 1_000;
        return { kind: 'rest', fromMs, untilMs: fromMs + driverLimits.restDays * DAY_MS };
      }
      const ends = endsOf(day);
      const afterS = Math.floor((atMs - dayMs) / 1_000);
      const index = ends.findIndex((endS) => endS > afterS);
      const isPause = index % 2 === (beginsWithPause ? 0 : 1);
      return {
        kind: isPause ? 'pause' : 'trip',
        fromMs: dayMs + (ends[index - 1] ?? 0) * 1_000,
        untilMs: dayMs + (ends[index] ?? DAY_S) * 1_000,
      };
    },
  };
}

/** The ends of a day's alternating trips and pauses, in seconds since it began; the last one is its end. */
function drawnDay(stream: Stream, beginsWithPause: boolean): readonly number[] {
  const { shortestTripS, longestTripS, shortestPauseS, longestPauseS } = driverLimits;
  const shortestS = shortestTripS + shortestPauseS;
  const longestS = longestTripS + longestPauseS;
  const pairs: (readonly [tripS: number, pauseS: number])[] = [];
  let leftS = DAY_S;
  // The rest must be at least one pair, and is at most two.
  while (leftS >= longestS + shortestS) {
    const tripS = stream.whole(shortestTripS, longestTripS);
    // Short ones are more likely.
    const pauseS = Math.min(
      stream.whole(shortestPauseS, longestPauseS),
      stream.whole(shortestPauseS, longestPauseS),
    );
    pairs.push([tripS, pauseS]);
    leftS -= tripS + pauseS;
  }
  const halves = leftS > longestS ? [Math.floor(leftS / 2), Math.ceil(leftS / 2)] : [leftS];
  for (const lengthS of halves) {
    const least = Math.max(shortestTripS, lengthS - longestPauseS);
    const tripS = stream.whole(least, Math.min(longestTripS, lengthS - shortestPauseS));
    pairs.push([tripS, lengthS - tripS]);
  }
  let endS = 0;
  return pairs.flatMap(([tripS, pauseS]) =>
    (beginsWithPause ? [pauseS, tripS] : [tripS, pauseS]).map((lengthS) => {
      endS += lengthS;
      return endS;
    }),
  );
}
