import { limits } from '../limits.ts';
import type { Time } from '../time/time.ts';
import { makeGuessLimiter, waitS } from './guess-limiter.ts';

/** A name, a password and the address of the sender, none of them verified. */
export interface GivenPassword {
  readonly name: string;
  readonly password: string;
  readonly address: string;
}

/** The result of a check. `later`: there were too many wrong ones, and this one is not accepted now. */
export type PasswordVerdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'later'; readonly retryAfterS: number };

/** Compares a password, unless it has to wait. Rejects where `compare` does; that is not counted. */
export type PasswordCheck = (
  given: GivenPassword,
  compare: () => boolean | Promise<boolean>,
) => Promise<PasswordVerdict>;

/**
 * Slows guessing at passwords down (guess-limiter.ts, `limits.secretGuesses`).
 *
 * - The same password sent several times at once is one guess: a program may begin with twenty connections.
 * - Where `comparesFast` is true for the name, a password of `limits.unguessableCharacters` and more is compared even
 *   while others from its address have to wait, and is accepted if it is right. So a stranger behind the same address
 *   cannot keep out a client that has such a password, and gains nothing: it cannot be guessed at any rate. Not for names
 *   whose password is compared with a slow hash, which would use up the processor.
 */
export function makePasswordCheck(
  time: Pick<Time, 'nowMs'>,
  { comparesFast }: { comparesFast(name: string): boolean },
): PasswordCheck {
  const limiter = makeGuessLimiter(limits.secretGuesses, time);
  const underWay = new Map<string, Promise<PasswordVerdict>>();

  async function check(
    { name, password, address }: GivenPassword,
    compare: () => boolean | Promise<boolean>,
  ): Promise<PasswordVerdict> {
    const attempt = limiter.begin(name, address);
    if (attempt.kind === 'wait') {
      const isCompared = comparesFast(name) && password.length >= limits.unguessableCharacters;
      if (isCompared && (await compare())) return { kind: 'right' };
      return { kind: 'later', retryAfterS: waitS(attempt.waitMs) };
    }
    try {
      if (!(await compare())) return { kind: 'wrong' };
    } catch (error) {
      attempt.takeBack();
      throw error;
    }
    attempt.succeeded();
    return { kind: 'right' };
  }

  return (given, compare) => {
    const counted = { ...given, name: given.name.slice(0, limits.guessedNameCharacters) };
    const key = JSON.stringify([given.name, given.password, given.address]);
    const running = underWay.get(key);
    if (running !== undefined) return running;
    const checking = check(counted, compare).finally(() => underWay.delete(key));
    underWay.set(key, checking);
    return checking;
  };
}
