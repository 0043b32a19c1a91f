import type { World } from '../../world/world.ts';
import { makeCallWindow, retryAfterS } from '../http/quota-window.ts';
import type { GrantsStore, User } from '../store/grants-store.ts';
import { makeGate } from './gate.ts';
import { makeGuessBrake, waitS } from './guess-brake.ts';
import { accessLimits } from './limits.ts';

/** How a sign-in ended. `wrong` says no more: neither whether the name exists nor what was wrong. */
export type SignedIn =
  | { readonly kind: 'signed-in'; readonly user: User }
  | { readonly kind: 'wrong' }
  /** Too many attempts with this name from this address, or with either, or too many passwords under check at this moment. */
  | { readonly kind: 'later'; readonly retryAfterS: number };

export type SignIn = (name: string, password: string, address: string) => Promise<SignedIn>;

/**
 * Checks names and passwords. An unknown name costs the same slow hash as a known one. Every attempt is counted before
 * the password is looked at, for its address, and for its name and address together, so that guesses sent at once gain
 * nothing; one that was right is taken back.
 */
export function makeSignIn(
  store: Pick<GrantsStore, 'findUserByName'>,
  world: Pick<World, 'seal' | 'mint' | 'time'>,
): SignIn {
  const { seal, mint, time } = world;
  const gate = makeGate(accessLimits.secretChecks, accessLimits.waitingSecretChecks);
  const bounds = { windowMs: accessLimits.signInWindowMs, keys: accessLimits.countedKeys };
  const brake = makeGuessBrake(accessLimits.passwordGuesses, time);
  const addresses = makeCallWindow({ ...bounds, limit: accessLimits.signInsOfAddress }, time);
  const decoyPassword = mint.secret(accessLimits.mintedSecretBytes);
  let decoy: Promise<string> | undefined;

  return async (name, password, address) => {
    if (name.length > accessLimits.userNameCharacters) return { kind: 'wrong' };
    if (password.length > accessLimits.passwordCharacters) return { kind: 'wrong' };
    const attempt = brake.begin(name, address);
    if (attempt.kind === 'wait') return { kind: 'later', retryAfterS: waitS(attempt.waitMs) };
    const counted = addresses.count(address);
    if (counted.isOver) {
      attempt.unjudged();
      return { kind: 'later', retryAfterS: retryAfterS(counted, time.nowMs()) };
    }
    const user = await store.findUserByName(name);
    const verdict = await gate.pass(async () => {
      decoy ??= seal.hashSecret(decoyPassword);
      return seal.verifySecret(password, user?.passwordHash ?? (await decoy));
    });
    if (verdict === 'full') {
      attempt.unjudged();
      addresses.giveBack(address);
      return { kind: 'later', retryAfterS: 1 };
    }
    if (user === undefined || !verdict) return { kind: 'wrong' };
    attempt.right();
    addresses.giveBack(address);
    return { kind: 'signed-in', user };
  };
}
