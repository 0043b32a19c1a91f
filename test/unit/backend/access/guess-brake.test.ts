import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BrakeRule, type GuessBrake, makeGuessBrake } from '../../../../backend/access/guess-brake.ts';
import { accessLimits } from '../../../../backend/access/limits.ts';

const RULE = accessLimits.passwordGuesses;
const OWNER = '192.0.2.1';
const GUESSER = '198.51.100.7';

function stage(rule: BrakeRule = RULE) {
  const clock = { nowMs: 1_000_000 };
  return { clock, brake: makeGuessBrake(rule, { nowMs: () => clock.nowMs }) };
}

/** How one attempt was received, and what it comes to. */
function attempt(brake: GuessBrake, name: string, address: string, isRight: boolean): number {
  const begun = brake.begin(name, address);
  if (begun.kind === 'wait') return begun.waitMs;
  if (isRight) begun.right();
  return 0;
}

describe('guessing at a name', () => {
  test('from one address is ever slower: 1 s after the fifth wrong one, then twice as long each, 5 min at most', () => {
    const { clock, brake } = stage();
    const waits: number[] = [];
    for (let n = 0; n < 16; n += 1) {
      expect(attempt(brake, 'ada', GUESSER, false)).toBe(0);
      const waitMs = brake.waitMs('ada', GUESSER);
      waits.push(waitMs / 1_000);
      clock.nowMs += waitMs;
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  });

  test('costs the owner nothing at another address, and the guesser nothing at another name', () => {
    const { brake } = stage();
    for (let n = 0; n < 10; n += 1) attempt(brake, 'ada', GUESSER, false);
    expect(brake.waitMs('ada', GUESSER)).toBeGreaterThan(0);
    expect(attempt(brake, 'ada', OWNER, true)).toBe(0);
    expect(attempt(brake, 'eve', GUESSER, false)).toBe(0);
  });

  test('from ever new addresses comes to a hundred at once and a hundred an hour', () => {
    const { clock, brake } = stage();
    let looked = 0;
    for (let second = 0; second <= 3_600; second += 1, clock.nowMs += 1_000)
      for (let n = 0; n < 3; n += 1)
        if (attempt(brake, 'ada', `address-${second}-${n}`, false) === 0) looked += 1;
    expect(looked).toBe(RULE.ofName + 3_600_000 / RULE.ofNameMs);
  });

  test('from everywhere does not keep out an address from which the name was right before', () => {
    const { brake } = stage();
    expect(attempt(brake, 'ada', OWNER, true)).toBe(0);
    for (let n = 0; n < 2 * RULE.ofName; n += 1) attempt(brake, 'ada', `address-${n}`, false);
    expect(brake.waitMs('ada', 'another')).toBeGreaterThan(0);
    expect(attempt(brake, 'ada', OWNER, true)).toBe(0);
  });

  test('that ended in the right one is forgotten, and so is what was wrong an hour ago', () => {
    const { clock, brake } = stage();
    for (let n = 0; n < 4; n += 1) attempt(brake, 'ada', OWNER, false);
    attempt(brake, 'ada', OWNER, true);
    for (let n = 0; n < 4; n += 1) attempt(brake, 'ada', OWNER, false);
    expect(brake.waitMs('ada', OWNER)).toBe(0);
    attempt(brake, 'ada', OWNER, false);
    expect(brake.waitMs('ada', OWNER)).toBe(1_000);
    clock.nowMs += RULE.forgetMs;
    attempt(brake, 'ada', OWNER, false);
    expect(brake.waitMs('ada', OWNER)).toBe(0);
  });

  test('counts attempts that are sent at once, and not those that nobody looked at', () => {
    const { brake } = stage();
    const begun = Array.from({ length: 50 }, () => brake.begin('ada', GUESSER));
    expect(begun.filter(({ kind }) => kind === 'go')).toHaveLength(RULE.free);
    for (const one of begun) if (one.kind === 'go') one.unjudged();
    expect(brake.waitMs('ada', GUESSER)).toBe(0);
    expect(brake.begin('ada', GUESSER).kind).toBe('go');
  });
});

describe('whatever is tried', () => {
  const move = fc.record({
    name: fc.constantFrom('ada', 'eve'),
    address: fc.constantFrom(OWNER, GUESSER, '203.0.113.9'),
    isRight: fc.boolean(),
    afterMs: fc.nat(400_000),
  });

  test('a wait ends, no wait is longer than the bounds allow, and a name is not closed by what others do', () => {
    const rule = { ...RULE, ofName: 8 };
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
        const { clock, brake } = stage(rule);
        const known = new Set<string>();
        const own = new Map<string, number>();
        for (const { name, address, isRight, afterMs } of moves) {
          clock.nowMs += afterMs;
          const key = `${name} ${address}`;
          const waitMs = attempt(brake, name, address, isRight);
          expect(waitMs).toBeLessThanOrEqual(Math.max(rule.lastDelayMs, rule.ofNameMs));
          // An address that was right before waits for its own wrong ones alone.
          if (known.has(key) && (own.get(key) ?? 0) < rule.free) expect(waitMs).toBe(0);
          if (waitMs === 0) {
            own.set(key, isRight ? 0 : (own.get(key) ?? 0) + 1);
            if (isRight) known.add(key);
          } else {
            clock.nowMs += waitMs;
            expect(brake.waitMs(name, address)).toBe(0);
          }
        }
      }),
    );
  });

  test('no more is remembered than there is room for', () => {
    const { brake } = stage({ ...RULE, keys: 3 });
    for (const address of ['a', 'b', 'c', 'd'])
      for (let n = 0; n < 5; n += 1) attempt(brake, `name-${address}`, address, false);
    expect(['a', 'b', 'c', 'd'].map((address) => brake.waitMs(`name-${address}`, address))).toEqual([
      0, 1_000, 1_000, 1_000,
    ]);
  });
});
