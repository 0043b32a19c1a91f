import { type Http, type HttpRequest, type HttpResponse, HttpUnreachable } from '../../world/http/http.ts';
import { subscriptionLimits as limits } from '../subscriptions/limits.ts';
import { AccountsUnreachable, type QueueAccounts, type QueueAddress } from './accounts.ts';

export interface RabbitAccountsOptions {
  /** The broker's address for consumers. */
  readonly address: QueueAddress;
  /**
   * `http://user:password@host:15672`, of a user with the administrator tag; may have a path before `/api`.
   */
  readonly adminUrl: string;
}

const NOTHING = '^$';

/**
 * Users of RabbitMQ, by its management interface: a user for each subscription, which may read its queues in
 * one virtual host and may not configure or write anything. Throws a TypeError if the URL is invalid.
 */
export function rabbitAccounts(
  world: { readonly http: Http },
  options: RabbitAccountsOptions,
): QueueAccounts {
  const { address } = options;
  const admin = adminOf(options.adminUrl);

  async function call(
    method: HttpRequest['method'],
    path: readonly string[],
    { body, isMissingRight = false }: { readonly body?: object; readonly isMissingRight?: boolean },
  ): Promise<HttpResponse> {
    const url = `${admin.baseUrl}/api/${path.map(encodeURIComponent).join('/')}`;
    let answer: HttpResponse;
    try {
      answer = await world.http.call({
        method,
        url,
        headers: {
          authorization: admin.authorization,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs: limits.accountsTimeoutMs,
        maxBodyBytes: limits.accountsAnswerBytes,
      });
    } catch (error) {
      if (!(error instanceof HttpUnreachable)) throw error;
      throw new AccountsUnreachable(`RabbitMQ's management interface: ${error.message}`, { cause: error });
    }
    if (answer.status < 300 || (isMissingRight && answer.status === 404)) return answer;
    // Without body and headers of the request, which hold passwords.
    throw new AccountsUnreachable(
      `RabbitMQ's management interface: ${method} ${url} answered ${answer.status} ${answer.body.slice(0, limits.quotedCharacters)}`,
      { isRefused: answer.status === 401 || answer.status === 403 },
    );
  }

  return {
    address,
    kind: 'own',
    shared: () => undefined,
    async check() {
      // Only an administrator may list users. A user from another backend than RabbitMQ's own is not listed.
      await call('GET', ['users', admin.username], { isMissingRight: true });
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

function adminOf(text: string): {
  readonly baseUrl: string;
  readonly authorization: string;
  readonly username: string;
} {
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
