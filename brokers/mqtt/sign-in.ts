import { createHash, timingSafeEqual } from 'node:crypto';
import type { AuthenticateError } from 'aedes';
import {
  type ConnectRefusal,
  type ConnectRequest,
  type MqttAccount,
  mqttAccountOf,
  refuseConnect,
} from './rules.ts';

export interface MqttSignInOptions {
  readonly backend: { readonly username: string; readonly password: string };
  /** Whether `secret` is that of the box. May reject: the client then gets 'server unavailable'. */
  authenticate(boxId: string, secret: string): Promise<boolean>;
  /** Called for each refusal. `id` is the client id from the CONNECT, unchecked. */
  refused(id: string, reason: string): void;
}

/** Signs clients in, those of sockets and those of this process, and remembers the account of each. */
export class MqttSignIn {
  readonly #options: MqttSignInOptions;
  readonly #connectRequests = new WeakMap<object, ConnectRequest>();
  readonly #accounts = new WeakMap<object, MqttAccount>();

  constructor(options: MqttSignInOptions) {
    this.#options = options;
  }

  /** To be called with each CONNECT, before `admit`. */
  noteConnect(client: object, request: ConnectRequest): void {
    this.#connectRequests.set(client, request);
  }

  /** The account of a client that has been admitted. */
  accountOf(client: object): MqttAccount | undefined {
    return this.#accounts.get(client);
  }

  /** Undefined if the client is admitted; otherwise the error for its CONNACK. Never rejects. */
  async admit(
    client: object,
    username: string | undefined,
    password: Buffer | undefined,
  ): Promise<AuthenticateError | undefined> {
    const account = mqttAccountOf(username, this.#options.backend.username);
    const refusal = await this.#refusal(account, this.#connectRequests.get(client), password);
    if (refusal !== undefined) {
      this.#options.refused(username ?? '', refusal.reason);
      return Object.assign(new Error(refusal.reason), { returnCode: refusal.returnCode });
    }
    if (account !== undefined) this.#accounts.set(client, account);
    return undefined;
  }

  async #refusal(
    account: MqttAccount | undefined,
    request: ConnectRequest | undefined,
    password: Buffer | undefined,
  ): Promise<ConnectRefusal | undefined> {
    if (account === undefined) return { returnCode: 4, reason: 'the user name is unknown' };
    if (password === undefined) return { returnCode: 4, reason: 'there is no password' };
    try {
      if (!(await this.#isPasswordRight(account, password.toString('utf8')))) {
        return { returnCode: 4, reason: 'the password is wrong' };
      }
    } catch (error) {
      return { returnCode: 3, reason: `it cannot be checked: ${String(error)}` };
    }
    // Only after the password check: a client without a valid account learns nothing about the rules.
    if (request === undefined) return { returnCode: 5, reason: 'no CONNECT was received' };
    return refuseConnect(account, request);
  }

  async #isPasswordRight(account: MqttAccount, password: string): Promise<boolean> {
    switch (account.kind) {
      case 'backend':
        return areSecretsEqual(password, this.#options.backend.password);
      case 'box':
        return await this.#options.authenticate(account.boxId, password);
      default:
        return account satisfies never;
    }
  }
}

/**
 * Whether two secrets are equal, in a time that depends neither on where they differ nor on their lengths.
 */
export function areSecretsEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
}
