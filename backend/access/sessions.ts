import type { World } from '../../world/world.ts';
import { accessLimits } from '../base/limits.ts';
import type { GrantsStore, User } from '../store/port/grants-store.ts';

/** A person who is signed in. */
export interface SignedInUser {
  readonly user: User;
  readonly signedInMs: number;
}

/** Sessions of browsers. The store has only the digest of what the cookie contains. */
export interface Sessions {
  /** The secret of a new cookie, before sign-in. */
  newSecret(): string;
  /** Starts a session under a new secret, so that a planted cookie is useless; resolves with that secret. */
  begin(user: User): Promise<string>;
  find(secret: string): Promise<SignedInUser | undefined>;
  end(secret: string): Promise<void>;
  /** The token that our forms must contain: it follows from the cookie, which other sites cannot read. */
  formToken(secret: string): string;
  isFormToken(secret: string, given: string): boolean;
}

export function makeSessions(
  store: Pick<GrantsStore, 'openSession' | 'findSession' | 'endSession' | 'findUser'>,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
): Sessions {
  const { crypto, ids, time } = world;
  const newSecret = () => ids.secret(accessLimits.mintedSecretBytes);
  const formToken = (secret: string) => crypto.digest(`form\n${secret}`);
  const digest = (secret: string) => crypto.digest(`session\n${secret}`);
  return {
    newSecret: newSecret,
    async begin(user) {
      const secret = newSecret();
      const nowMs = time.nowMs();
      await store.openSession({
        digest: digest(secret),
        userId: user.id,
        signedInMs: nowMs,
        expiresMs: nowMs + accessLimits.sessionLifeMs,
      });
      return secret;
    },
    async find(secret) {
      const session = await store.findSession(digest(secret), time.nowMs());
      const user = session === undefined ? undefined : await store.findUser(session.userId);
      return session === undefined || user === undefined
        ? undefined
        : { user, signedInMs: session.signedInMs };
    },
    end: (secret) => store.endSession(digest(secret)),
    formToken,
    // Digests are compared, so that timing reveals nothing about the token.
    isFormToken: (secret, given) => crypto.digest(given) === crypto.digest(formToken(secret)),
  };
}
