import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makePasswordCheck } from '../../../../world/guessing/password-check.ts';
import { limits } from '../../../../world/limits.ts';

const SECRET = 'f'.repeat(limits.unguessableCharacters);
const SHORT = 'short';

function stage(comparesFast: boolean) {
  const clock = { nowMs: 0 };
  const compared: string[] = [];
  const check = makePasswordCheck({ nowMs: () => clock.nowMs }, { comparesFast: () => comparesFast });
  return {
    clock,
    compared,
    given: async (
      password: string,
      address = 'stranger',
      name = 'box',
      right: readonly string[] = [SECRET, SHORT],
    ) =>
      (
        await check({ name, password, address }, async () => {
          compared.push(password);
          return right.includes(password);
        })
      ).kind,
  };
}

/** Wrong ones, until the next has to wait. */
async function exhaust({ given }: ReturnType<typeof stage>): Promise<void> {
  for (let guess = 0; guess <= limits.secretGuesses.free; guess += 1) await given(`guess-${guess}`);
}

describe('the check of passwords', () => {
  test('compares no more than the limiter allows, whatever is guessed and when', async () => {
    const guess = fc.record({ password: fc.string({ maxLength: 19 }), afterMs: fc.nat(2_000) });
    await fc.assert(
      fc.asyncProperty(fc.array(guess, { minLength: 60, maxLength: 100 }), async (guesses) => {
        const { given, compared, clock } = stage(true);
        for (const { password, afterMs } of guesses) {
          await given(`${password}!`);
          clock.nowMs += afterMs;
        }
        // After n more guesses the next one waits for at least 2^n - 1 s.
        expect(compared.length).toBeLessThanOrEqual(
          limits.secretGuesses.free +
            Math.log2(clock.nowMs / 1_000 + 1) +
            clock.nowMs / limits.secretGuesses.lastDelayMs +
            1,
        );
      }),
    );
  });

  test('accepts the right one of the same address after the wait, and at once from another address', async () => {
    const scene = stage(true);
    await exhaust(scene);
    expect(await scene.given(SHORT)).toBe('later');
    expect(await scene.given(SHORT, 'owner')).toBe('right');
    scene.clock.nowMs += limits.secretGuesses.firstDelayMs;
    expect(await scene.given(SHORT)).toBe('right');
  });

  test('accepts the right one of those that cannot be guessed at once, unless comparing is slow', async () => {
    for (const [comparesFast, kind] of [
      [true, 'right'],
      [false, 'later'],
    ] as const) {
      const scene = stage(comparesFast);
      await exhaust(scene);
      expect(await scene.given(SECRET)).toBe(kind);
      expect(await scene.given(`${SECRET}x`)).toBe('later');
    }
  });

  test('counts the same password of many connections at once as one guess', async () => {
    const { given, compared } = stage(false);
    const answers = await Promise.all(Array.from({ length: 200 }, () => given(SHORT)));
    expect(new Set(answers)).toEqual(new Set(['right']));
    expect(compared).toEqual([SHORT]);
    await Promise.all(Array.from({ length: 200 }, () => given('wrong')));
    expect(await given(SHORT)).toBe('right');
  });

  test('counts nothing that could not be compared', async () => {
    const check = makePasswordCheck({ nowMs: () => 0 }, { comparesFast: () => true });
    const given = { name: 'box', password: SHORT, address: 'owner' };
    for (let call = 0; call < 50; call += 1)
      await expect(check(given, () => Promise.reject(new Error('the store is away')))).rejects.toThrow(
        'away',
      );
    expect(await check(given, () => true)).toEqual({ kind: 'right' });
  });

  test('counts long names by their beginning, so that they take no memory', async () => {
    const { given } = stage(true);
    const name = 'n'.repeat(limits.guessedNameCharacters);
    for (let guess = 0; guess < 20; guess += 1) await given(`guess-${guess}`, 'stranger', name + guess);
    expect(await given(SHORT, 'stranger', name)).toBe('later');
  });
});
