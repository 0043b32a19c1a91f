import { type Http, type HttpRequest, type HttpResponse, HttpUnreachable } from '../../world/http/http.ts';
import { subscriptionLimits as limits } from '../base/limits.ts';
import { AccountsUnreachable, type QueueAccounts, type QueueAddress } from './accounts.ts';

export interface RabbitAccountsOptions {
  /** The broker's address for consumers. */
  readonly address: QueueAddress;
  /**
   * `http://user:password@host:15672`, of a user with the administrator tag; may have a path before `/api`. Of the nodes
   * of a cluster, several with commas between them.
   */
  readonly adminUrl: string;
}

const NOTHING = '^$';

interface CallOptions {
  readonly body?: object;
  /** 404 means that there is nothing to do. */
  readonly isMissingRight?: boolean;
}

/**
 * Users of RabbitMQ, by its management interface: a user for each subscription, which may read its queues in one
 * virtual host and may not configure or write anything. Of the nodes of a cluster, which all have the same users, the
 * one that answered last is asked first, then the others in turn; all share the time for a call. Throws a TypeError if
 * a URL is invalid.
 */
export function rabbitAccounts(
  world: { readonly http: Http },
  options: RabbitAccountsOptions,
): QueueAccounts {
  const { address } = options;
  const nodes = options.adminUrl.split(',').map(adminNode);
  let place = 0;

  async function call(
    method: HttpRequest['method'],
    path: readonly string[],
    callOptions: CallOptions,
  ): Promise<void> {
    const failures: AccountsUnreachable[] = [];
    for (const _ of nodes) {
      const at = place;
      const node = nodes[at % nodes.length];
      if (node === undefined) break;
      const failure = await callNode(node, method, path, callOptions);
      if (failure === undefined) return;
      failures.push(failure);
      // The others would refuse it too.
      if (failure.isRefused) break;
      if (place === at) place += 1;
    }
    throw new AccountsUnreachable(
      `RabbitMQ's management interface: ${failures.map(({ message }) => message).join('; ')}`,
      { cause: failures[0]?.cause, isRefused: failures.some(({ isRefused }) => isRefused) },
    );
  }

  /** Resolves with why it was not done; undefined: it is done. */
  async function callNode(
    { baseUrl, authorization }: AdminNode,
    method: HttpRequest['method'],
    path: readonly string[],
    { body, isMissingRight = false }: CallOptions,
  ): Promise<AccountsUnreachable | undefined> {
    const url = `${baseUrl}/api/${path.map(encodeURIComponent).join('/')}`;
    let answer: HttpResponse;
    try {
      answer = await world.http.call({
        method,
        url,
        headers: {
          authorization,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs: Math.floor(limits.accountsTimeoutMs / nodes.length),
        maxBodyBytes: limits.accountsAnswerBytes,
      });
    } catch (error) {
      if (!(error instanceof HttpUnreachable)) throw error;
      return new AccountsUnreachable(error.message, { cause: error });
    }
    if (answer.status < 300 || (isMissingRight && answer.status === 404)) return undefined;
    // Without body and headers of the request, which hold passwords.
    return new AccountsUnreachable(
      `${method} ${url} answered ${answer.status} ${answer.body.slice(0, limits.quotedCharacters)}`,
      { isRefused: answer.status === 401 || answer.status === 403 },
    );
  }

  return {
    address,
    kind: 'own',
    shared: () => undefined,
    async check() {
      // Only an administrator may list users. A user from another backend than RabbitMQ's own is not listed.
      await call('GET', ['users', nodes[0]?.username ?? ''], { isMissingRight: true });
    },
    async grant({ username, password, queues }) {
      await call('PUT', ['users', username], { body: { password, tags: '' } });
      await call('PUT', ['permissions', address.virtualHost, username], {
        body: { configure: NOTHING, write: NOTHING, read: exactly(queues) },
      });
    },
    async revoke(username) {
      // RabbitMQ ends the connections of a deleted user.
      await call('DELETE', ['users', username], { isMissingRight: true });
    },
  };
}

/** A regular expression that matches exactly these names. */
export function exactly(names: readonly string[]): string {
  const escaped = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return `^(${escaped.join('|')})$`;
}

interface AdminNode {
  readonly baseUrl: string;
  readonly authorization: string;
  readonly username: string;
}

function adminNode(text: string): AdminNode {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username === '') {
    // Without the text itself: it may hold a password.
    throw new TypeError(
      "Not an address of RabbitMQ's management interface (http://user:password@host:15672).",
    );
  }
  const username = decodeURIComponent(url.username);
  const account = `${username}:${decodeURIComponent(url.password)}`;
  return {
    baseUrl: `${url.origin}${url.pathname.replace(/\/$/, '')}`,
    authorization: `Basic ${Buffer.from(account, 'utf8').toString('base64')}`,
    username,
  };
}
