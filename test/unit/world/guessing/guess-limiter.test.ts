import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accessLimits } from '../../../../backend/base/limits.ts';
import {
  type GuessLimiter,
  type GuessLimiterRule,
  makeGuessLimiter,
} from '../../../../world/guessing/guess-limiter.ts';

const RULE = accessLimits.passwordGuesses;
const OWNER = '192.0.2.1';
const GUESSER = '198.51.100.7';

function stage(rule: GuessLimiterRule = RULE) {
  const clock = { nowMs: 1_000_000 };
  return { clock, brake: makeGuessLimiter(rule, { nowMs: () => clock.nowMs }) };
}

/** How one attempt was received, and what it comes to. */
function attempt(guessLimiter: GuessLimiter, name: string, address: string, isRight: boolean): number {
  const begun = guessLimiter.begin(name, address);
  if (begun.kind === 'wait') return begun.waitMs;
  if (isRight) begun.succeeded();
  return 0;
}

describe('guessing a password', () => {
  test('from one address gets slower: 1 s after the fifth wrong one, then doubled each time, at most 5 min', () => {
    const { clock, brake: guessLimiter } = stage();
    const waits: number[] = [];
    for (let n = 0; n < 16; n += 1) {
      expect(attempt(guessLimiter, 'ada', GUESSER, false)).toBe(0);
      const waitMs = guessLimiter.waitMs('ada', GUESSER);
      waits.push(waitMs / 1_000);
      clock.nowMs += waitMs;
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  });

  test('does not delay the owner at another address, or the guesser at another name', () => {
    const { brake: guessLimiter } = stage();
    for (let n = 0; n < 10; n += 1) attempt(guessLimiter, 'ada', GUESSER, false);
    expect(guessLimiter.waitMs('ada', GUESSER)).toBeGreaterThan(0);
    expect(attempt(guessLimiter, 'ada', OWNER, true)).toBe(0);
    expect(attempt(guessLimiter, 'eve', GUESSER, false)).toBe(0);
  });

  test('from many addresses is limited to a hundred at once and a hundred an hour', () => {
    const { clock, brake: guessLimiter } = stage();
    let looked = 0;
    for (let second = 0; second <= 3_600; second += 1, clock.nowMs += 1_000)
      for (let n = 0; n < 3; n += 1)
        if (attempt(guessLimiter, 'ada', `address-${second}-${n}`, false) === 0) looked += 1;
    expect(looked).toBe(RULE.ofName + 3_600_000 / RULE.ofNameMs);
  });

  test('from everywhere does not block an address from which a sign-in has succeeded', () => {
    const { brake: guessLimiter } = stage();
    expect(attempt(guessLimiter, 'ada', OWNER, true)).toBe(0);
    for (let n = 0; n < 2 * RULE.ofName; n += 1) attempt(guessLimiter, 'ada', `address-${n}`, false);
    expect(guessLimiter.waitMs('ada', 'another')).toBeGreaterThan(0);
    expect(attempt(guessLimiter, 'ada', OWNER, true)).toBe(0);
  });

  test('is forgotten after the right password, and after an hour', () => {
    const { clock, brake: guessLimiter } = stage();
    for (let n = 0; n < 4; n += 1) attempt(guessLimiter, 'ada', OWNER, false);
    attempt(guessLimiter, 'ada', OWNER, true);
    for (let n = 0; n < 4; n += 1) attempt(guessLimiter, 'ada', OWNER, false);
    expect(guessLimiter.waitMs('ada', OWNER)).toBe(0);
    attempt(guessLimiter, 'ada', OWNER, false);
    expect(guessLimiter.waitMs('ada', OWNER)).toBe(1_000);
    clock.nowMs += RULE.forgetMs;
    attempt(guessLimiter, 'ada', OWNER, false);
    expect(guessLimiter.waitMs('ada', OWNER)).toBe(0);
  });

  test('counts concurrent attempts, and not those that were not checked', () => {
    const { brake: guessLimiter } = stage();
    const begun = Array.from({ length: 50 }, () => guessLimiter.begin('ada', GUESSER));
    expect(begun.filter(({ kind }) => kind === 'go')).toHaveLength(RULE.free);
    for (const one of begun) if (one.kind === 'go') one.takeBack();
    expect(guessLimiter.waitMs('ada', GUESSER)).toBe(0);
    expect(guessLimiter.begin('ada', GUESSER).kind).toBe('go');
  });
});

describe('for any attempts', () => {
  const move = fc.record({
    name: fc.constantFrom('ada', 'eve'),
    address: fc.constantFrom(OWNER, GUESSER, '203.0.113.9'),
    isRight: fc.boolean(),
    afterMs: fc.nat(400_000),
  });

  test('a wait ends, is never longer than its limit, and a name is not blocked by other clients', () => {
    const rule = { ...RULE, ofName: 8 };
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
        const { clock, brake: guessLimiter } = stage(rule);
        const known = new Set<string>();
        const own = new Map<string, number>();
        for (const { name, address, isRight, afterMs } of moves) {
          clock.nowMs += afterMs;
          const key = `${name} ${address}`;
          const waitMs = attempt(guessLimiter, name, address, isRight);
          expect(waitMs).toBeLessThanOrEqual(Math.max(rule.lastDelayMs, rule.ofNameMs));
          // An address that was right before waits for its own wrong ones alone.
          if (known.has(key) && (own.get(key) ?? 0) < rule.free) expect(waitMs).toBe(0);
          if (waitMs === 0) {
            own.set(key, isRight ? 0 : (own.get(key) ?? 0) + 1);
            if (isRight) known.add(key);
          } else {
            clock.nowMs += waitMs;
            expect(guessLimiter.waitMs(name, address)).toBe(0);
          }
        }
      }),
    );
  });

  test('no more entries are kept than the capacity allows', () => {
    const { brake: guessLimiter } = stage({ ...RULE, keys: 3 });
    for (const address of ['a', 'b', 'c', 'd'])
      for (let n = 0; n < 5; n += 1) attempt(guessLimiter, `name-${address}`, address, false);
    expect(['a', 'b', 'c', 'd'].map((address) => guessLimiter.waitMs(`name-${address}`, address))).toEqual([
      0, 1_000, 1_000, 1_000,
    ]);
  });
});
