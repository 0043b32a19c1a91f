import { LIMITS } from '../../contract/limits.ts';
import { makeGuessLimiter, waitS } from '../../world/guessing/guess-limiter.ts';
import { limits as worldLimits } from '../../world/limits.ts';
import type { World } from '../../world/world.ts';
import { accessLimits } from '../base/limits.ts';
import { quote } from '../base/quoted-text.ts';
import type { AccessStore, Client } from '../store/port/access-store.ts';
import { makeConcurrencyLimit } from './bounded-concurrency.ts';

/** The result of checking a secret. */
export type SecretCheckResult =
  | { readonly kind: 'right'; readonly client: Client }
  | { readonly kind: 'wrong' }
  /** Not checked: too many secrets are being checked, or too many were wrong. */
  | TryLater;

/** When to retry, and why. */
export interface TryLater {
  readonly kind: 'later';
  readonly retryAfterS: number;
  readonly reason: string;
}

/** Whether id and secret are a client's. `address`: from which they were sent. */
export type CheckSecret = (clientId: string, secret: string, address: string) => Promise<SecretCheckResult>;

const FULL: TryLater = {
  kind: 'later',
  retryAfterS: 1,
  reason: 'Too many clients are requesting tokens at the moment.',
};

/**
 * Checks secrets against their slow hash.
 *
 * - An unknown client costs the same slow hash as a known one, against a dummy: the time does not reveal which ids
 *   exist.
 * - Few run at once, the others wait, and beyond that the answer is `later`: a flood of guesses cannot use up the
 *   processor.
 * - After wrong ones the next attempt has to wait, longer each time (world/guessing/guess-limiter.ts). The same secret
 *   sent many times at once is one guess: a program may open twenty connections at its start.
 * - A correct secret is cached for a minute as a fast digest with a pepper of this process, for this id and this hash:
 *   a client that fetches a token for every call does not pay for scrypt each time. A guess gains nothing from the
 *   cache: it waits like any other, is compared with the fast digest and then, being wrong, with the slow hash. The
 *   client is read from the store each time, so that a deletion or a new secret takes effect at once.
 */
export function makeSecretCheck(
  store: Pick<AccessStore, 'findClient'>,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
): CheckSecret {
  const { crypto, ids, time } = world;
  const concurrency = makeConcurrencyLimit(accessLimits.secretChecks, accessLimits.waitingSecretChecks);
  const guessLimiter = makeGuessLimiter(worldLimits.secretGuesses, time);
  const pepper = ids.secret(accessLimits.mintedSecretBytes);
  const proven = new Map<string, number>();
  const underWay = new Map<string, Promise<SecretCheckResult>>();
  let decoy: Promise<string> | undefined;

  const tooManyGuesses = (clientId: string, waitMs: number): TryLater => ({
    kind: 'later',
    retryAfterS: waitS(waitMs),
    reason: `There were too many wrong secrets for the client ${quote(clientId)}. Try again in ${waitS(waitMs)} s.`,
  });
  const compare = async (
    { clientId, secret, address }: Readonly<Record<'clientId' | 'secret' | 'address', string>>,
    client: Client | undefined,
    mark: string,
  ): Promise<SecretCheckResult> => {
    const attempt = guessLimiter.begin(clientId, address);
    if (attempt.kind === 'wait') return tooManyGuesses(clientId, attempt.waitMs);
    const verdict = await concurrency.run(async () => {
      decoy ??= crypto.hashSecret(pepper);
      return crypto.verifySecret(secret, client?.secretHash ?? (await decoy));
    });
    if (verdict === 'full') {
      attempt.takeBack();
      return FULL;
    }
    if (client === undefined || !verdict) return { kind: 'wrong' };
    attempt.succeeded();
    proven.delete(mark);
    const oldest = proven.size >= accessLimits.provenSecrets ? proven.keys().next() : undefined;
    if (oldest?.done === false) proven.delete(oldest.value);
    proven.set(mark, time.nowMs() + accessLimits.provenSecretMs);
    return { kind: 'right', client };
  };

  return async (clientId, secret, address) => {
    if (secret.length > LIMITS.access.secretCharacters || clientId.length > LIMITS.access.clientIdCharacters)
      return { kind: 'wrong' };
    const waitMs = guessLimiter.waitMs(clientId, address);
    if (waitMs > 0) return tooManyGuesses(clientId, waitMs);
    const client = await store.findClient(clientId);
    const mark = crypto.digest([pepper, clientId, client?.secretHash ?? '', secret].join('\n'));
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
