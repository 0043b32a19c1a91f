import type { AuthenticateError } from 'aedes';
import { areSecretsEqual } from '../../world/crypto/equal-secrets.ts';
import {
  makePasswordCheck,
  type PasswordCheck,
  type PasswordVerdict,
} from '../../world/guessing/password-check.ts';
import {
  type ConnectRefusal,
  type ConnectRequest,
  type MqttAccount,
  mqttAccountOf,
  refuseConnect,
} from './rules.ts';

/** Constant, so that the log has it once for a client. */
const TOO_MANY_WRONG = 'too many wrong passwords for this name came from its address';

export interface MqttSignInOptions {
  readonly backend: { readonly username: string; readonly password: string };
  /**
   * Whether `secret` is that of the box, by a fast comparison. May reject: the client then gets 'server unavailable'.
   */
  authenticate(boxId: string, secret: string): Promise<boolean>;
  /** Called for each refusal. `id` is the client id from the CONNECT, unchecked. */
  refused(id: string, reason: string): void;
  /** A clock that is not set, in milliseconds. */
  nowMs(): number;
}

/** Signs clients in, those of sockets and those of this process, and remembers the account of each. */
export class MqttSignIn {
  readonly #options: MqttSignInOptions;
  readonly #connectRequests = new WeakMap<object, ConnectRequest>();
  readonly #accounts = new WeakMap<object, MqttAccount>();
  readonly #checkPassword: PasswordCheck;

  constructor(options: MqttSignInOptions) {
    this.#options = options;
    this.#checkPassword = makePasswordCheck(options, { comparesFast: () => true });
  }

  /** To be called with each CONNECT, before `admit`. */
  noteConnect(client: object, request: ConnectRequest): void {
    this.#connectRequests.set(client, request);
  }

  /** The account of a client that has been admitted. */
  accountOf(client: object): MqttAccount | undefined {
    return this.#accounts.get(client);
  }

  /**
   * Undefined if the client is admitted; otherwise the error for its CONNACK. `address`: from which it connects;
   * absent: it is in this process, and its guesses are not counted. Never rejects.
   */
  async admit(
    client: object,
    username: string | undefined,
    password: Buffer | undefined,
    address?: string,
  ): Promise<AuthenticateError | undefined> {
    const account = mqttAccountOf(username, this.#options.backend.username);
    const refusal = await this.#refusal(account, this.#connectRequests.get(client), password, address);
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
    address: string | undefined,
  ): Promise<ConnectRefusal | undefined> {
    if (account === undefined) return { returnCode: 4, reason: 'the user name is unknown' };
    if (password === undefined) return { returnCode: 4, reason: 'there is no password' };
    try {
      const verdict = await this.#verdictOf(account, password.toString('utf8'), address);
      if (verdict.kind === 'wrong') return { returnCode: 4, reason: 'the password is wrong' };
      if (verdict.kind === 'later') return { returnCode: 3, reason: TOO_MANY_WRONG };
    } catch (error) {
      return { returnCode: 3, reason: `it cannot be checked: ${String(error)}` };
    }
    // Only after the password check: a client without a valid account learns nothing about the rules.
    if (request === undefined) return { returnCode: 5, reason: 'no CONNECT was received' };
    return refuseConnect(account, request);
  }

  async #verdictOf(
    account: MqttAccount,
    password: string,
    address: string | undefined,
  ): Promise<Pick<PasswordVerdict, 'kind'>> {
    const compare = () => this.#isPasswordRight(account, password);
    if (address === undefined) return { kind: (await compare()) ? 'right' : 'wrong' };
    const name = account.kind === 'box' ? account.boxId : this.#options.backend.username;
    return this.#checkPassword({ name, password, address }, compare);
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
