import type { World } from '../../world/world.ts';
import { quote } from '../http/quote.ts';
import type { AccessStore, Client } from '../store/access-store.ts';
import { makeGate } from './gate.ts';
import { makeGuessBrake, waitS } from './guess-brake.ts';
import { accessLimits } from './limits.ts';

/** What came of the check of a secret. */
export type Checked =
  | { readonly kind: 'right'; readonly client: Client }
  | { readonly kind: 'wrong' }
  /** Nothing is known: too many secrets are being checked, or too many were wrong. */
  | Later;

/** When to ask again, and why not now. */
export interface Later {
  readonly kind: 'later';
  readonly retryAfterS: number;
  readonly reason: string;
}

/** Whether id and secret are a client's. `address`: from which they were sent. */
export type CheckSecret = (clientId: string, secret: string, address: string) => Promise<Checked>;

const FULL: Later = {
  kind: 'later',
  retryAfterS: 1,
  reason: 'Too many clients ask for tokens at this moment.',
};

/**
 * Checks secrets against their slow hash.
 *
 * - An unknown client costs the same slow hash as a known one, against a decoy: the time tells nobody which ids exist.
 * - Few run at once, the others wait, and beyond that the answer is `later`: a flood of guesses cannot take the
 *   processor.
 * - Wrong ones have the next wait ever longer (guess-brake.ts). The same secret sent many times at once is one guess: a
 *   program may well begin with twenty connections.
 * - A secret that was found right is remembered for a minute as a fast digest with a pepper that only this process
 *   knows, for this id and this hash: a client that fetches a token for every call does not pay scrypt each time. A
 *   guess gains nothing from it: it waits like any other, meets the fast digest and then, being wrong, the slow hash. A
 *   client that is deleted or has a new secret is read from the store each time, so that what is remembered of it is
 *   void at once.
 */
export function makeSecretCheck(
  store: Pick<AccessStore, 'findClient'>,
  world: Pick<World, 'seal' | 'mint' | 'time'>,
): CheckSecret {
  const { seal, mint, time } = world;
  const gate = makeGate(accessLimits.secretChecks, accessLimits.waitingSecretChecks);
  const brake = makeGuessBrake(accessLimits.secretGuesses, time);
  const pepper = mint.secret(accessLimits.mintedSecretBytes);
  const proven = new Map<string, number>();
  const underWay = new Map<string, Promise<Checked>>();
  let decoy: Promise<string> | undefined;

  const braked = (clientId: string, waitMs: number): Later => ({
    kind: 'later',
    retryAfterS: waitS(waitMs),
    reason: `There were too many wrong secrets for the client ${quote(clientId)}. Try again in ${waitS(waitMs)} s.`,
  });
  const compare = async (
    { clientId, secret, address }: Readonly<Record<'clientId' | 'secret' | 'address', string>>,
    client: Client | undefined,
    mark: string,
  ): Promise<Checked> => {
    const attempt = brake.begin(clientId, address);
    if (attempt.kind === 'wait') return braked(clientId, attempt.waitMs);
    const verdict = await gate.pass(async () => {
      decoy ??= seal.hashSecret(pepper);
      return seal.verifySecret(secret, client?.secretHash ?? (await decoy));
    });
    if (verdict === 'full') {
      attempt.unjudged();
      return FULL;
    }
    if (client === undefined || !verdict) return { kind: 'wrong' };
    attempt.right();
    proven.delete(mark);
    const oldest = proven.size >= accessLimits.provenSecrets ? proven.keys().next() : undefined;
    if (oldest?.done === false) proven.delete(oldest.value);
    proven.set(mark, time.nowMs() + accessLimits.provenSecretMs);
    return { kind: 'right', client };
  };

  return async (clientId, secret, address) => {
    if (secret.length > accessLimits.secretCharacters || clientId.length > accessLimits.clientIdCharacters)
      return { kind: 'wrong' };
    const waitMs = brake.waitMs(clientId, address);
    if (waitMs > 0) return braked(clientId, waitMs);
    const client = await store.findClient(clientId);
    const mark = seal.digest([pepper, clientId, client?.secretHash ?? '', secret].join('\n'));
    const untilMs = client === undefined ? undefined : proven.get(mark);
    if (client !== undefined && untilMs !== undefined && time.nowMs() < untilMs)
      return { kind: 'right', client };
    const place = `${mark}\n${address}`;
    const running = underWay.get(place);
    if (running !== undefined) return running;
    const checking = compare({ clientId, secret, address }, client, mark).finally(() =>
      underWay.delete(place),
    );
    underWay.set(place, checking);
    return checking;
  };
}
