import type { World } from '../../world/world.ts';
import type { GrantsStore, User } from '../store/grants-store.ts';
import { accessLimits } from './limits.ts';

/** Somebody who has signed in. */
export interface SignedInUser {
  readonly user: User;
  readonly signedInMs: number;
}

/** What a browser's cookie stands for. The store knows only the digest of what the cookie holds. */
export interface Sessions {
  /** What a new cookie holds, before anybody has signed in. */
  mint(): string;
  /** Begins a session under a new secret, so that nobody can have planted it; resolves with that secret. */
  begin(user: User): Promise<string>;
  find(secret: string): Promise<SignedInUser | undefined>;
  end(secret: string): Promise<void>;
  /** What a form must carry to be one of ours: it follows from the cookie, which no other site can read. */
  formToken(secret: string): string;
  isFormToken(secret: string, given: string): boolean;
}

export function makeSessions(
  store: Pick<GrantsStore, 'openSession' | 'findSession' | 'endSession' | 'findUser'>,
  world: Pick<World, 'seal' | 'mint' | 'time'>,
): Sessions {
  const { seal, mint, time } = world;
  const newSecret = () => mint.secret(accessLimits.mintedSecretBytes);
  const formToken = (secret: string) => seal.digest(`form\n${secret}`);
  const digest = (secret: string) => seal.digest(`session\n${secret}`);
  return {
    mint: newSecret,
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
    // Digests are compared, so that the time tells nothing about the token.
    isFormToken: (secret, given) => seal.digest(given) === seal.digest(formToken(secret)),
  };
}
