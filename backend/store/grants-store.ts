/** People, their sessions, and what they have granted to clients. Times are epoch milliseconds. */
export interface GrantsStore {
  /** Writes a user down, or replaces the one of that id. Rejects with `NameTaken` where another has the name. */
  saveUser(user: User): Promise<void>;
  findUser(userId: string): Promise<User | undefined>;
  findUserByName(name: string): Promise<User | undefined>;
  /** With all sessions and grants of that user. */
  deleteUser(userId: string): Promise<void>;

  /** Begins a session, and removes some that have expired. */
  openSession(session: Session): Promise<void>;
  /** The session of that digest, where it has not expired at `atMs`. */
  findSession(digest: string, atMs: number): Promise<Session | undefined>;
  endSession(digest: string): Promise<void>;

  /**
   * Writes a grant down with its code, and removes some that have expired, and those of this user and client beyond
   * `limits.grantsOfUser`, the oldest first.
   */
  openGrant(grant: Grant, code: GrantSecret, atMs: number): Promise<void>;
  /** The grant, where it was not ended and has not expired at `atMs`. */
  findGrant(grantId: string, atMs: number): Promise<Grant | undefined>;
  /** A code or refresh token with its grant, spent or not, expired or not. */
  findSecret(digest: string): Promise<FoundSecret | undefined>;
  /** Spends a secret, once: false where it is spent already, or gone. */
  spendSecret(digest: string): Promise<boolean>;
  /**
   * Spends a secret, adds the next refresh token, with which the grant lives on, and keeps the answer that tells it, all
   * in one commit; the answer that the grant had before is dropped, and some of others that are over at `atMs`.
   * `spent`: it was spent already; `gone`: its grant was ended. Nothing is written then.
   */
  exchangeSecret(exchange: SecretExchange, atMs: number): Promise<'done' | 'spent' | 'gone'>;
  /** Ends a grant with all its secrets. One that is gone stays so. */
  endGrant(grantId: string): Promise<void>;
}

/** The name of a user that is to be saved belongs to another user. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken';
}

export interface User {
  readonly id: string;
  readonly fleetId: string;
  /** What is typed at sign-in; of one user in the whole service. */
  readonly name: string;
  /** What `seal.hashSecret` made. */
  readonly passwordHash: string;
  /** Permissions in kebab-case, as a client has them. */
  readonly permissions: readonly string[];
  readonly createdMs: number;
}

export interface Session {
  /** `seal.digest` of what the cookie holds. */
  readonly digest: string;
  readonly userId: string;
  readonly signedInMs: number;
  readonly expiresMs: number;
}

/** What a person allowed a client, once. */
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
  /** `seal.digest` of what the client holds. */
  readonly digest: string;
  readonly expiresMs: number;
}

/** What was answered to whoever spent a secret, encrypted, and until when it is good for a second answer. */
export interface KeptAnswer {
  readonly text: string;
  readonly untilMs: number;
}

export interface SecretExchange {
  /** Digest of the code or refresh token that is given up. */
  readonly spent: string;
  readonly next: GrantSecret;
  readonly answer: KeptAnswer;
}

export interface FoundSecret {
  readonly grant: Grant;
  readonly kind: 'code' | 'refresh';
  readonly expiresMs: number;
  readonly isSpent: boolean;
  /** Absent with one that is not spent, or whose successor is. It may be over. */
  readonly answer?: KeptAnswer;
}
