import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientVariables } from '../../../deployment/shared/client-variables.ts';
import type { ClientFault } from './faults.ts';

/** An answer, as far as the client looks at it. */
export interface Answer {
  readonly status: number;
  /** The type of its problem, or nothing. */
  readonly problem: string;
  readonly body: unknown;
}

/** Requests with a token that is kept as long as it is good, and pauses where the quota is used up. */
export class Requests {
  readonly #variables: ClientVariables;
  readonly #fault: ClientFault | undefined;
  readonly #ended: AbortSignal;
  #token: { readonly text: string; readonly untilMs: number } | undefined;
  #asking: Promise<string | undefined> | undefined;
  #quotaMs = 0;

  constructor(variables: ClientVariables, fault: ClientFault | undefined, ended: AbortSignal) {
    this.#variables = variables;
    this.#fault = fault;
    this.#ended = ended;
  }

  async pause(lengthMs: number): Promise<void> {
    await sleep(lengthMs, undefined, { signal: this.#ended }).catch(() => undefined);
  }

  /** The ids of all vehicles; tried until it works. */
  async vehicles(): Promise<readonly string[]> {
    for (let attempt = 0; !this.#ended.aborted; attempt++) {
      const answer = await this.send('GET', '/vehicles');
      if (answer?.status === 200)
        return (answer.body as { readonly items: readonly { readonly id: string }[] }).items.map(
          ({ id }) => id,
        );
      await this.pause(1_000 * 2 ** Math.min(attempt, 4));
    }
    return [];
  }

  /** Looks at a vehicle until it has been seen. */
  async look(vehicleId: string): Promise<void> {
    for (let attempt = 0; !this.#ended.aborted; attempt++) {
      const answer = await this.send('GET', `/vehicles/${vehicleId}`);
      if (answer === undefined || answer.status === 200) return;
      await this.pause(600 * 2 ** Math.min(attempt, 4));
    }
  }

  /** One request, which waits for a token and for the quota. Undefined: the client has ended. */
  async send(method: string, path: string): Promise<Answer | undefined> {
    for (let tries = 0; !this.#ended.aborted; tries++) {
      if (this.#fault !== 'hammers-after-429') await this.pause(Math.max(0, this.#quotaMs - Date.now()));
      const token = await this.#freshToken();
      const answer = token === undefined ? undefined : await this.#once(method, path, token);
      if (answer === undefined) {
        await this.pause(700 * 2 ** Math.min(tries, 4));
        continue;
      }
      if (answer.status === 429) {
        await this.pause(this.#fault === 'hammers-after-429' ? 500 : 0);
        continue;
      }
      if (answer.status !== 401) return answer;
      if (this.#fault === 'keeps-its-token') await this.pause(1_000);
      else if (this.#token?.text === token) this.#token = undefined;
    }
    return undefined;
  }

  async #once(method: string, path: string, token: string): Promise<Answer | undefined> {
    const signals = this.#fault === 'hangs-up' ? [this.#ended, AbortSignal.timeout(1_000)] : [this.#ended];
    try {
      const response = await fetch(`${this.#variables.BOXTWIN_API_URL}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        signal: AbortSignal.any(signals),
      });
      const text = await response.text();
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const wait = Number(response.headers.get('retry-after') ?? 0);
      if (response.status === 429) this.#quotaMs = Date.now() + wait * 1_000;
      const problem = String((body as { readonly type?: string } | undefined)?.type ?? '');
      return { status: response.status, problem, body };
    } catch {
      return undefined;
    }
  }

  /** One request for a token at a time; undefined: there was none to be had. */
  #freshToken(): Promise<string | undefined> {
    const isKept = this.#fault === 'keeps-its-token';
    const isEach = this.#fault === 'token-for-each-request';
    const known = this.#token;
    if (known !== undefined && !isEach && (isKept || Date.now() < known.untilMs))
      return Promise.resolve(known.text);
    if (isEach) return this.#askToken();
    this.#asking ??= this.#askToken().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #askToken(): Promise<string | undefined> {
    const { BOXTWIN_API_URL: url, BOXTWIN_CLIENT_ID: id, BOXTWIN_CLIENT_SECRET: secret } = this.#variables;
    try {
      const response = await fetch(`${url}/auth/oauth/token?grant_type=client_credentials`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
        signal: this.#ended,
      });
      if (response.status !== 200) return undefined;
      const body = (await response.json()) as { readonly access_token: string; readonly expires_in: number };
      // A second before its end it is replaced.
      this.#token = { text: body.access_token, untilMs: Date.now() + (body.expires_in - 1) * 1_000 };
      return body.access_token;
    } catch {
      return undefined;
    }
  }
}
