/** People, their sessions, and their grants to clients. Times are epoch milliseconds. */
export interface GrantsStore {
  /** Stores a user, or replaces the one of that id. Rejects with `NameTaken` if another user has the name. */
  saveUser(user: User): Promise<void>;
  findUser(userId: string): Promise<User | undefined>;
  findUserByName(name: string): Promise<User | undefined>;
  /** Deletes that user with all sessions and grants. */
  deleteUser(userId: string): Promise<void>;

  /** Begins a session, and removes some that have expired. */
  openSession(session: SignInSession): Promise<void>;
  /** The session of that digest, if it has not expired at `atMs`. */
  findSession(digest: string, atMs: number): Promise<SignInSession | undefined>;
  endSession(digest: string): Promise<void>;

  /**
   * Stores a grant with its code, and removes some that have expired, and those of this user and client
   * beyond `limits.grantsOfUser`, the oldest first.
   */
  openGrant(grant: Grant, code: GrantSecret, atMs: number): Promise<void>;
  /** The grant, if it was not ended and has not expired at `atMs`. */
  findGrant(grantId: string, atMs: number): Promise<Grant | undefined>;
  /** A code or refresh token with its grant, spent or not, expired or not. */
  findSecret(digest: string): Promise<FoundSecret | undefined>;
  /** Spends a secret, once: false if it is spent already, or does not exist. */
  spendSecret(digest: string): Promise<boolean>;
  /**
   * Spends a secret, adds the next refresh token, which extends the grant, and stores the answer that
   * contains it, in one commit; the grant's previous answer is deleted, and some of others that have expired
   * at `atMs`. `spent`: it was spent already; `gone`: its grant was ended. Nothing is written then.
   */
  exchangeSecret(exchange: SecretExchange, atMs: number): Promise<'done' | 'spent' | 'gone'>;
  /** Ends a grant with all its secrets. No effect if it does not exist. */
  endGrant(grantId: string): Promise<void>;
}

/** The name of a user that is to be saved belongs to another user. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken';
}

export interface User {
  readonly id: string;
  readonly fleetId: string;
  /** The name for sign-in; unique in the service. */
  readonly name: string;
  /** The result of `crypto.hashSecret`. */
  readonly passwordHash: string;
  /** Permissions in kebab-case, as a client has them. */
  readonly permissions: readonly string[];
  readonly createdMs: number;
}

export interface SignInSession {
  /** `crypto.digest` of the cookie's content. */
  readonly digest: string;
  readonly userId: string;
  readonly signedInMs: number;
  readonly expiresMs: number;
}

/** What a person granted a client. */
export interface Grant {
  readonly id: string;
  readonly clientId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  /** PKCE, S256. */
  readonly codeChallenge: string;
  /** For the id token. */
  readonly nonce: string | undefined;
  readonly signedInMs: number;
}

export interface GrantSecret {
  /** `crypto.digest` of the client's secret. */
  readonly digest: string;
  readonly expiresMs: number;
}

/** The encrypted answer to the request that spent a secret, and until when it may be repeated. */
export interface KeptAnswer {
  readonly text: string;
  readonly untilMs: number;
}

export interface SecretExchange {
  /** Digest of the code or refresh token that is spent. */
  readonly spent: string;
  readonly next: GrantSecret;
  readonly answer: KeptAnswer;
}

export interface FoundSecret {
  readonly grant: Grant;
  readonly kind: 'code' | 'refresh';
  readonly expiresMs: number;
  readonly isSpent: boolean;
  /** Absent if it is not spent, or its successor is. It may have expired. */
  readonly answer?: KeptAnswer;
}
