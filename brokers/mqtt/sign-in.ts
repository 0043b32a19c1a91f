import { createHash, timingSafeEqual } from 'node:crypto';
import type { AuthenticateError, Client } from 'aedes';
import { type Account, accountOf, type Greeting, type Refusal, refuseGreeting } from './rules.ts';

export interface SignInOptions {
  readonly backend: { readonly username: string; readonly password: string };
  /** Whether `secret` is that of the box. May reject: the client is then told that the server is unavailable. */
  authenticate(boxId: string, secret: string): Promise<boolean>;
  /** Called for each refusal. `id` is what the client called itself: unchecked. */
  refused(id: string, reason: string): void;
}

/** Signs clients in, and remembers whose account each of them has. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #greetings = new WeakMap<Client, Greeting>();
  readonly #accounts = new WeakMap<Client, Account>();

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /** To be called with each CONNECT, before `admit`. */
  greet(client: Client, greeting: Greeting): void {
    this.#greetings.set(client, greeting);
  }

  /** The account of a client that has been admitted. */
  accountOf(client: Client): Account | undefined {
    return this.#accounts.get(client);
  }

  /** Undefined where the client may come in; else the error for its CONNACK. Never rejects. */
  async admit(
    client: Client,
    username: string | undefined,
    password: Buffer | undefined,
  ): Promise<AuthenticateError | undefined> {
    const account = accountOf(username, this.#options.backend.username);
    const refusal = await this.#refusal(account, this.#greetings.get(client), password);
    if (refusal !== undefined) {
      this.#options.refused(username ?? '', refusal.reason);
      return Object.assign(new Error(refusal.reason), { returnCode: refusal.returnCode });
    }
    if (account !== undefined) this.#accounts.set(client, account);
    return undefined;
  }

  async #refusal(
    account: Account | undefined,
    greeting: Greeting | undefined,
    password: Buffer | undefined,
  ): Promise<Refusal | undefined> {
    if (account === undefined) return { returnCode: 4, reason: 'the user name is nobody' };
    if (password === undefined) return { returnCode: 4, reason: 'there is no password' };
    try {
      if (!(await this.#knows(account, password.toString('utf8')))) {
        return { returnCode: 4, reason: 'the password is wrong' };
      }
    } catch (error) {
      return { returnCode: 3, reason: `it cannot be checked: ${String(error)}` };
    }
    // After the password: a stranger learns nothing about what would be allowed.
    if (greeting === undefined) return { returnCode: 5, reason: 'it has not said who it is' };
    return refuseGreeting(account, greeting);
  }

  async #knows(account: Account, password: string): Promise<boolean> {
    switch (account.kind) {
      case 'backend':
        return areEqual(password, this.#options.backend.password);
      case 'box':
        return await this.#options.authenticate(account.boxId, password);
      default:
        return account satisfies never;
    }
  }
}

/** Whether two secrets are one, in a time that does not depend on where they differ, nor on the length. */
export function areEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
}
