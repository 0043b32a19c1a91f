import type { World } from '../../world/world.ts';
import { makeCallWindow, retryAfterS } from '../http/quota-window.ts';
import type { GrantsStore, User } from '../store/grants-store.ts';
import { makeGate } from './gate.ts';
import { accessLimits } from './limits.ts';

/** How a sign-in ended. `wrong` says no more: neither whether the name exists nor what was wrong. */
export type SignedIn =
  | { readonly kind: 'signed-in'; readonly user: User }
  | { readonly kind: 'wrong' }
  /** Too many attempts with this name or from this address, or too many passwords under check at this moment. */
  | { readonly kind: 'later'; readonly retryAfterS: number };

export type SignIn = (name: string, password: string, address: string) => Promise<SignedIn>;

/**
 * Checks names and passwords. An unknown name costs the same slow hash as a known one. Every attempt is counted before
 * the password is looked at, for its name and for its address, so that guesses sent at once gain nothing; one that
 * was right is taken back.
 */
export function makeSignIn(
  store: Pick<GrantsStore, 'findUserByName'>,
  world: Pick<World, 'seal' | 'mint' | 'time'>,
): SignIn {
  const { seal, mint, time } = world;
  const gate = makeGate(accessLimits.secretChecks, accessLimits.waitingSecretChecks);
  const bounds = { windowMs: accessLimits.signInWindowMs, keys: accessLimits.countedKeys };
  const names = makeCallWindow({ ...bounds, limit: accessLimits.signInsOfName }, time);
  const addresses = makeCallWindow({ ...bounds, limit: accessLimits.signInsOfAddress }, time);
  const decoyPassword = mint.secret(accessLimits.mintedSecretBytes);
  let decoy: Promise<string> | undefined;

  return async (name, password, address) => {
    if (name.length > accessLimits.userNameCharacters) return { kind: 'wrong' };
    if (password.length > accessLimits.passwordCharacters) return { kind: 'wrong' };
    const over = [addresses.count(address), names.count(name)].filter((counted) => counted.isOver);
    if (over.length > 0) {
      const waitsS = over.map((counted) => retryAfterS(counted, time.nowMs()));
      return { kind: 'later', retryAfterS: Math.max(...waitsS) };
    }
    const user = await store.findUserByName(name);
    const verdict = await gate.pass(async () => {
      decoy ??= seal.hashSecret(decoyPassword);
      return seal.verifySecret(password, user?.passwordHash ?? (await decoy));
    });
    if (verdict === 'full') return { kind: 'later', retryAfterS: 1 };
    if (user === undefined || !verdict) return { kind: 'wrong' };
    names.giveBack(name);
    addresses.giveBack(address);
    return { kind: 'signed-in', user };
  };
}
