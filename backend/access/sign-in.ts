import { LIMITS } from '../../contract/limits.ts';
import { makeGuessLimiter, waitS } from '../../world/guessing/guess-limiter.ts';
import type { World } from '../../world/world.ts';
import { makeCallWindow, retryAfterS } from '../base/call-window.ts';
import { accessLimits } from '../base/limits.ts';
import type { GrantsStore, User } from '../store/port/grants-store.ts';
import { makeConcurrencyLimit } from './bounded-concurrency.ts';

/** The result of a sign-in. `wrong` does not reveal whether the name or the password was wrong. */
export type SignInResult =
  | { readonly kind: 'signed-in'; readonly user: User }
  | { readonly kind: 'wrong' }
  /** Too many attempts of this name, this address or both, or too many passwords are being checked. */
  | { readonly kind: 'later'; readonly retryAfterS: number };

export type SignIn = (name: string, password: string, address: string) => Promise<SignInResult>;

/**
 * Checks names and passwords. An unknown name costs the same slow hash as a known one. Every attempt is
 * counted per address and per name and address before the password is checked, so that guesses sent in
 * parallel gain nothing; a right one is not counted.
 */
export function makeSignIn(
  store: Pick<GrantsStore, 'findUserByName'>,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
): SignIn {
  const { crypto, ids, time } = world;
  const concurrency = makeConcurrencyLimit(accessLimits.secretChecks, accessLimits.waitingSecretChecks);
  const bounds = { windowMs: accessLimits.signInWindowMs, keys: accessLimits.countedKeys };
  const guessLimiter = makeGuessLimiter(accessLimits.passwordGuesses, time);
  const addresses = makeCallWindow({ ...bounds, limit: accessLimits.signInsOfAddress }, time);
  const decoyPassword = ids.secret(accessLimits.mintedSecretBytes);
  let decoy: Promise<string> | undefined;

  return async (name, password, address) => {
    if (name.length > LIMITS.access.userNameCharacters) return { kind: 'wrong' };
    if (password.length > LIMITS.access.passwordCharacters) return { kind: 'wrong' };
    const attempt = guessLimiter.begin(name, address);
    if (attempt.kind === 'wait') return { kind: 'later', retryAfterS: waitS(attempt.waitMs) };
    const counted = addresses.count(address);
    if (counted.isOver) {
      attempt.takeBack();
      return { kind: 'later', retryAfterS: retryAfterS(counted, time.nowMs()) };
    }
    const user = await store.findUserByName(name);
    const verdict = await concurrency.run(async () => {
      decoy ??= crypto.hashSecret(decoyPassword);
      return crypto.verifySecret(password, user?.passwordHash ?? (await decoy));
    });
    if (verdict === 'full') {
      attempt.takeBack();
      addresses.giveBack(address);
      return { kind: 'later', retryAfterS: 1 };
    }
    if (user === undefined || !verdict) return { kind: 'wrong' };
    attempt.succeeded();
    addresses.giveBack(address);
    return { kind: 'signed-in', user };
  };
}
