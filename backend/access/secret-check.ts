import type { World } from '../../world/world.ts';
import type { AccessStore, Client } from '../store/access-store.ts';
import { makeGate } from './gate.ts';
import { accessLimits } from './limits.ts';

/** Whether id and secret are a client's. `busy`: too many are being checked; nothing is known. */
export type CheckSecret = (clientId: string, secret: string) => Promise<Client | 'wrong' | 'busy'>;

/**
 * Checks secrets against their slow hash.
 *
 * - An unknown client costs the same slow hash as a known one, against a decoy: the time tells nobody which ids exist.
 * - Few run at once, the others wait, and beyond that the answer is `busy`: a flood of guesses cannot take the
 *   processor.
 * - A secret that was found right is remembered for a minute as a fast digest with a pepper that only this process
 *   knows, for this id and this hash: a client that fetches a token for every call does not pay scrypt each time. A
 *   guess gains nothing from it: it meets the fast digest and then, being wrong, the slow hash. A client that is
 *   deleted or has a new secret is read from the store each time, so that what is remembered of it is void at once.
 */
export function makeSecretCheck(
  store: Pick<AccessStore, 'findClient'>,
  world: Pick<World, 'seal' | 'mint' | 'time'>,
): CheckSecret {
  const { seal, mint, time } = world;
  const gate = makeGate(accessLimits.secretChecks, accessLimits.waitingSecretChecks);
  const pepper = mint.secret(accessLimits.mintedSecretBytes);
  const proven = new Map<string, number>();
  let decoy: Promise<string> | undefined;

  return async (clientId, secret) => {
    if (secret.length > accessLimits.secretCharacters) return 'wrong';
    const client = await store.findClient(clientId);
    const mark =
      client === undefined ? '' : seal.digest([pepper, client.id, client.secretHash, secret].join('\n'));
    const untilMs = client === undefined ? undefined : proven.get(mark);
    if (client !== undefined && untilMs !== undefined && time.nowMs() < untilMs) return client;
    const verdict = await gate.pass(async () => {
      decoy ??= seal.hashSecret(pepper);
      return seal.verifySecret(secret, client?.secretHash ?? (await decoy));
    });
    if (verdict === 'full') return 'busy';
    if (client === undefined || !verdict) return 'wrong';
    proven.delete(mark);
    const oldest = proven.size >= accessLimits.provenSecrets ? proven.keys().next() : undefined;
    if (oldest?.done === false) proven.delete(oldest.value);
    proven.set(mark, time.nowMs() + accessLimits.provenSecretMs);
    return client;
  };
}
