import type { Time } from '../../world/time.ts';

/** How guessing at one kind of secret is slowed down. Times are milliseconds. */
export interface BrakeRule {
  /** So many wrong ones of one address at one name cost nothing. */
  readonly free: number;
  /** The wait after the last of these; each further wrong one doubles it, up to `lastDelayMs`. */
  readonly firstDelayMs: number;
  readonly lastDelayMs: number;
  /** So long after the last wrong one they are forgotten. Longer than `lastDelayMs`, or waiting would pay. */
  readonly forgetMs: number;
  /** Wrong ones at one name, whatever the address: so many at once, and one more in each `ofNameMs`. */
  readonly ofName: number;
  readonly ofNameMs: number;
  /** Pairs, names and known addresses that are remembered, each for itself; beyond it the oldest is forgotten. */
  readonly keys: number;
}

/** One attempt: it may be looked at, and how it ended is told here; or it has to wait, and counts for nothing. */
export type Attempt =
  | {
      readonly kind: 'go';
      /** It was right: nothing of this address is held against this name any more. */
      right(): void;
      /** Nobody has looked at it: it is taken back. */
      unjudged(): void;
    }
  | { readonly kind: 'wait'; readonly waitMs: number };

export interface GuessBrake {
  /** How long the next attempt of this address at this name has to wait; 0: not at all. Counts nothing. */
  waitMs(name: string, address: string): number;
  /** Counts an attempt as wrong before anybody looks at it, so that guesses that are sent at once gain nothing. */
  begin(name: string, address: string): Attempt;
}

interface Pair {
  wrong: number;
  notBeforeMs: number;
  forgottenMs: number;
}

/**
 * Slows guessing down without closing a name to its owner: the delays that grow are of a name and an address together,
 * and the bound of the name alone does not touch addresses from which that name was once right.
 */
export function makeGuessBrake(rule: BrakeRule, time: Pick<Time, 'nowMs'>): GuessBrake {
  const pairs = new Map<string, Pair>();
  /** Of a name: when nothing will be held against it any more. Each wrong one moves it by `ofNameMs`. */
  const names = new Map<string, number>();
  const known = new Map<string, true>();

  // An address holds no line break, a name may.
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
        right() {
          pairs.delete(key);
          giveNameBack();
          put(known, key, true, rule);
        },
        unjudged() {
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

/** Puts a value in as the newest, and the oldest out where there is no room. */
function put<T>(map: Map<string, T>, key: string, value: T, { keys }: Pick<BrakeRule, 'keys'>): void {
  map.delete(key);
  const oldest = map.size >= keys ? map.keys().next() : undefined;
  if (oldest?.done === false) map.delete(oldest.value);
  map.set(key, value);
}

/** Whole seconds, at least 1: the value of Retry-After. */
export function waitS(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}
