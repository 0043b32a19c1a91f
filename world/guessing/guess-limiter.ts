import type { Time } from '../time/time.ts';

/** How guessing at one kind of secret is slowed down. Times are in milliseconds. */
export interface GuessLimiterRule {
  /** Wrong guesses of one address at one name that cost nothing. */
  readonly free: number;
  /** The wait after the next one; each further one doubles it, up to `lastDelayMs`. */
  readonly firstDelayMs: number;
  readonly lastDelayMs: number;
  /**
   * Time after the last wrong guess until they are forgotten. Longer than `lastDelayMs`, so that waiting
   * is no advantage.
   */
  readonly forgetMs: number;
  /** Wrong guesses at one name from all addresses: this many at once, and one more in each `ofNameMs`. */
  readonly ofName: number;
  readonly ofNameMs: number;
  /** Pairs, names and known addresses that are kept, each counted separately; the oldest is dropped first. */
  readonly keys: number;
}

/** An attempt that may be checked and reports its result here, or one that must wait and is not counted. */
export type GuessAttempt =
  | {
      readonly kind: 'go';
      /** The guess was right: all counts of this address for this name are cleared. */
      succeeded(): void;
      /** It was not checked: it is not counted. */
      takeBack(): void;
    }
  | { readonly kind: 'wait'; readonly waitMs: number };

export interface GuessLimiter {
  /** How long the next attempt of this address at this name has to wait; 0: no wait. Counts nothing. */
  waitMs(name: string, address: string): number;
  /** Counts an attempt as wrong before it is checked, so that guesses sent in parallel gain nothing. */
  begin(name: string, address: string): GuessAttempt;
}

interface Pair {
  wrong: number;
  notBeforeMs: number;
  forgottenMs: number;
}

/**
 * Slows guessing down without locking the owner out: growing delays are per name and address, and the bound
 * per name does not apply to addresses that have signed in with that name before.
 */
export function makeGuessLimiter(rule: GuessLimiterRule, time: Pick<Time, 'nowMs'>): GuessLimiter {
  const pairs = new Map<string, Pair>();
  /** By name: the time at which its count is back to zero. Each wrong guess moves it by `ofNameMs`. */
  const names = new Map<string, number>();
  const known = new Map<string, true>();

  // An address contains no line break; a name may.
  const keyOf = (name: string, address: string) => `${address}\n${name}`;
  const pairOf = (key: string): Pair => {
    const pair = pairs.get(key);
    return pair === undefined || pair.forgottenMs <= time.nowMs()
      ? { wrong: 0, notBeforeMs: 0, forgottenMs: 0 }
      : pair;
  };
  const ofNameMs = (name: string) =>
    (names.get(name) ?? 0) - time.nowMs() - (rule.ofName - 1) * rule.ofNameMs;
  const waitMs = (name: string, address: string): number => {
    const key = keyOf(name, address);
    const ofPairMs = pairOf(key).notBeforeMs - time.nowMs();
    return Math.max(0, ofPairMs, known.has(key) ? 0 : ofNameMs(name));
  };
  const delayMs = (wrong: number): number => {
    if (wrong < rule.free) return 0;
    // Beyond 30 doublings every delay is the last one.
    return Math.min(rule.lastDelayMs, rule.firstDelayMs * 2 ** Math.min(30, wrong - rule.free));
  };

  return {
    waitMs,
    begin(name, address) {
      const waits = waitMs(name, address);
      if (waits > 0) return { kind: 'wait', waitMs: waits };
      const nowMs = time.nowMs();
      const key = keyOf(name, address);
      const before = pairOf(key);
      const wrong = before.wrong + 1;
      put(
        pairs,
        key,
        { wrong, notBeforeMs: nowMs + delayMs(wrong), forgottenMs: nowMs + rule.forgetMs },
        rule,
      );
      const isKnown = known.has(key);
      if (!isKnown) put(names, name, Math.max(nowMs, names.get(name) ?? 0) + rule.ofNameMs, rule);
      const giveNameBack = () => {
        const emptyMs = names.get(name);
        if (!isKnown && emptyMs !== undefined) names.set(name, emptyMs - rule.ofNameMs);
      };
      return {
        kind: 'go',
        succeeded() {
          pairs.delete(key);
          giveNameBack();
          put(known, key, true, rule);
        },
        takeBack() {
          const pair = pairs.get(key);
          if (pair !== undefined) {
            pair.wrong -= 1;
            pair.notBeforeMs = Math.min(pair.notBeforeMs, nowMs + delayMs(pair.wrong));
          }
          giveNameBack();
        },
      };
    },
  };
}

/** Adds a value as the newest and drops the oldest beyond the bound. */
function put<T>(map: Map<string, T>, key: string, value: T, { keys }: Pick<GuessLimiterRule, 'keys'>): void {
  map.delete(key);
  const oldest = map.size >= keys ? map.keys().next() : undefined;
  if (oldest?.done === false) map.delete(oldest.value);
  map.set(key, value);
}

/** Whole seconds, at least 1: the value of Retry-After. */
export function waitS(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}
