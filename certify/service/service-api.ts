import { z } from 'zod';
import { CommandError } from '../../deployment/shared/command-error.ts';
import type { AnsweredRequest } from '../../judge/certify/answer-validator.ts';
import type { Credentials } from '../../scenarios/causes/caller-tokens.ts';
import type { CauseAnswer, CauseRequest } from '../../scenarios/causes/cause-ports.ts';
import { errorText } from '../../world/error-text.ts';
import { jsonOf } from '../../world/json.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';

/** Sends one request over the network. Rejects where nothing answers. */
export type Fetch = (request: Request) => Promise<Response>;

export interface ServiceApiParts {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly client: Credentials;
  readonly fetch: Fetch;
  readonly time: Time;
}

const tokenBody = z.looseObject({ access_token: z.string(), expires_in: z.number() });

const TOKEN_PATH = '/auth/oauth/token?grant_type=client_credentials';

/** The service that is certified, as its client sees it. Every exchange is kept for judging. */
export class ServiceApi {
  readonly baseUrl: string;
  readonly #parts: ServiceApiParts;
  readonly #exchanges: AnsweredRequest[] = [];
  #hasAnswered = false;
  #token: { readonly authorization: string; readonly untilMs: number } | undefined;
  /** When the client may call again, according to the service; epoch milliseconds. */
  #restUntilMs = 0;

  constructor(parts: ServiceApiParts) {
    this.baseUrl = parts.baseUrl;
    this.#parts = parts;
  }

  /** The exchanges since the last call of this, oldest first; at most `limits.exchanges`. */
  takeExchanges(): readonly AnsweredRequest[] {
    return this.#exchanges.splice(0);
  }

  /**
   * One unmodified request. Without an answer the status is 0, and the text says why; where there has never been one it
   * rejects with a `CommandError`.
   */
  async call({ method, path, headers, body }: Omit<CauseRequest, 'target'>): Promise<CauseAnswer> {
    const request = new Request(`${this.baseUrl}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const answer = await this.#answer(request);
    if (typeof answer === 'string')
      return { status: 0, headers: {}, text: `There was no answer: ${answer}.` };
    const { response, text } = answer;
    this.#hasAnswered = true;
    const [plain = ''] = path.split('?');
    if (this.#exchanges.length < limits.exchanges && text.length <= limits.bodyCharacters)
      this.#exchanges.push({
        method,
        path: plain,
        status: response.status,
        headers: response.headers,
        body: text,
      });
    return { status: response.status, headers: Object.fromEntries(response.headers), text };
  }

  /** One request of the given client, with a body in JSON where one is given. */
  async ask(method: string, path: string, body?: unknown): Promise<CauseAnswer> {
    const authorization = await this.authorization();
    const answer = await this.call({
      method,
      path,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.noteQuota(answer);
    return answer;
  }

  /**
   * The Authorization header of the given client, with a token that stays valid for a while. Waits where its quota is
   * nearly used up. Rejects with a `CommandError` where the service issues no token.
   */
  async authorization(): Promise<string> {
    const { time } = this.#parts;
    const restMs = Math.min(this.#restUntilMs - time.nowMs(), limits.quotaWaitMs);
    if (restMs > 0) await sleep(time, restMs);
    if (this.#token !== undefined && this.#token.untilMs > time.nowMs()) return this.#token.authorization;
    const answer = await this.token();
    const parsed = tokenBody.safeParse(jsonOf(answer.text));
    if (answer.status !== 200 || !parsed.success)
      throw new CommandError(
        `POST ${this.baseUrl}/auth/oauth/token answered ${answer.status} to the client ${JSON.stringify(this.#parts.client.clientId)}: ` +
          `${answer.text.slice(0, limits.findingCharacters)} See that --url, --client-id and --client-secret are right.`,
      );
    const { access_token: token, expires_in: lifeS } = parsed.data;
    this.#token = { authorization: `Bearer ${token}`, untilMs: time.nowMs() + (lifeS * 1_000) / 2 };
    return this.#token.authorization;
  }

  /** Requests a token of the given client, or with other credentials. */
  token(credentials: Credentials = this.#parts.client): Promise<CauseAnswer> {
    const { clientId, clientSecret } = credentials;
    return this.call({
      method: 'POST',
      path: TOKEN_PATH,
      headers: {
        authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
        'content-type': 'application/json',
      },
    });
  }

  /** Records the quota in an answer to the given client. */
  noteQuota({ headers }: Pick<CauseAnswer, 'headers'>): void {
    const left = headers['x-rate-limit-remaining'];
    if (left === undefined || Number(left) >= limits.sparedCalls) return;
    this.#restUntilMs = Number(headers['x-rate-limit-reset'] ?? 0) * 1_000;
  }

  /** The answer, or why there is none. */
  async #answer(request: Request): Promise<{ readonly response: Response; readonly text: string } | string> {
    try {
      const response = await this.#parts.fetch(request);
      return { response, text: await response.text() };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const why = errorText(cause);
      if (this.#hasAnswered) return why;
      throw new CommandError(`The API at ${this.baseUrl} (--url) does not answer: ${why}.`);
    }
  }
}
