import { registerClient } from '../../../backend/access/clients.ts';
import type { AccessStore } from '../../../backend/store/port/access-store.ts';
import { PERMISSIONS } from '../../../contract/permissions.ts';
import type { AnsweredCall } from '../../../judge/evidence/evidence.ts';
import type { Time } from '../../../world/time/time.ts';
import type { World } from '../../../world/world.ts';
import type { ClientPlan } from '../../language/document/scenario.ts';
import type { ApiRequest } from '../../language/steps/request.ts';
import { testbedLimits } from '../../limits.ts';
import type { ApiAnswer, TokenAnswer } from '../port/testbed.ts';
import { BASE_URL, FLEETS, type FleetName, fleetIdOf } from './names.ts';

/** Sends one request unchanged; undefined: the service is down, or went down before it answered. */
export type SendRequest = (request: Request) => Promise<Response | undefined>;

interface RegisteredClient {
  readonly id: string;
  readonly secret: string;
  readonly fleet: FleetName;
  readonly permissions: readonly string[];
}

/** A token and its expiry. */
interface HeldToken {
  readonly token: string;
  readonly endsMs: number;
}

/** The earliest and the latest time at which a token may end: only the service knows when it was issued. */
type TokenEnd = NonNullable<AnsweredCall['token']>;

/** The answer to a request, with its body as text. */
export type ClientAnswer = ApiAnswer & {
  readonly text: string;
  /** The end of the request's token; absent: there was none, or a forged one. */
  readonly tokenEnd?: TokenEnd;
};

const ALL_PERMISSIONS = PERMISSIONS.map((row) => row.name);
const NO_ANSWER: ClientAnswer = { status: 0, headers: {}, body: undefined, text: '', tookMs: 0 };

/** The clients of a run with their tokens, which are renewed before they expire. */
export class ApiClients {
  readonly #time: Time;
  readonly #send: SendRequest;
  readonly #baseUrl: string;
  readonly #clients: ReadonlyMap<string, RegisteredClient>;
  /** The end of every token that was issued. */
  readonly #tokenEnds = new Map<string, TokenEnd>();
  /** How often each client has called the service, or got an answer. */
  readonly #asked = new Map<string, number>();
  readonly #tokens = new Map<string, Promise<HeldToken | undefined>>();

  constructor(plans: readonly ClientPlan[], time: Time, send: SendRequest, baseUrl: string = BASE_URL) {
    this.#baseUrl = baseUrl;
    this.#time = time;
    this.#send = send;
    const own = FLEETS.map((fleet): [string, RegisteredClient] => {
      const name = fleet === 'own' ? 'owner' : fleet;
      return [name, { id: name, secret: `secret-of-${name}`, fleet, permissions: ALL_PERMISSIONS }];
    });
    const planned = plans.map(({ name, fleet, permissions }): [string, RegisteredClient] => [
      name,
      {
        id: `client-${name}`,
        secret: `secret-of-${name}`,
        fleet,
        permissions: permissions ?? ALL_PERMISSIONS,
      },
    ]);
    this.#clients = new Map([...own, ...planned]);
  }

  /** Stores all fleets and clients. */
  async register(store: AccessStore, world: Pick<World, 'crypto' | 'ids' | 'time'>): Promise<void> {
    for (const fleet of FLEETS) await store.saveFleet({ id: fleetIdOf(fleet), name: `The fleet ${fleet}` });
    for (const { id, secret, fleet, permissions } of this.#clients.values()) {
      await registerClient(store, world, { id, secret, fleetId: fleetIdOf(fleet), permissions });
    }
  }

  /** The fleet of a client; `nobody` has none. */
  fleetOf(as: string): FleetName | undefined {
    return as === 'forged' ? 'own' : this.#clients.get(as)?.fleet;
  }

  /** The client id of a client by its name in the scenario; undefined: there is none. */
  idOf(as: string): string | undefined {
    return this.#clients.get(as)?.id;
  }

  /** How often a client has called the service so far, for a token too, or got an answer. */
  askedBy(as: string): number {
    return this.#asked.get(as) ?? 0;
  }

  /** Fetches a new token. Never rejects: without a token the answer has the reason. */
  async fetchToken(as: string): Promise<TokenAnswer> {
    const { answer, held } = await this.#fetch(as);
    return held === undefined ? { answer } : { answer, token: held.token };
  }

  /**
   * Makes a request. Never rejects: when the service goes down or gives no token, the status is 0 or that of
   * the refusal.
   */
  async ask(request: ApiRequest): Promise<ClientAnswer> {
    const fromMs = this.#time.nowMs();
    this.#countAsked(request.as);
    const token = request.token ?? (await this.#validToken(request.as));
    if (token === undefined && request.as !== 'nobody')
      return { ...NO_ANSWER, tookMs: this.#time.nowMs() - fromMs };
    const reply = await this.#post(requestOf(this.#baseUrl, request, token));
    // A fault may have affected earlier calls in transit.
    this.#countAsked(request.as);
    const tokenEnd = token === undefined ? undefined : this.#tokenEnds.get(token);
    return {
      ...reply,
      tookMs: this.#time.nowMs() - fromMs,
      ...(tokenEnd === undefined ? {} : { tokenEnd }),
    };
  }

  /**
   * Calls as `ask` does, for the testbed itself, and retries after Retry-After while the client has used its quota;
   * at most `limits.looksAgain` times.
   */
  async askAgain(request: ApiRequest): Promise<ClientAnswer> {
    let answer = await this.ask(request);
    for (let again = 0; answer.status === 429 && again < testbedLimits.looksAgain; again += 1) {
      const waitS = Number(answer.headers['retry-after'] ?? 1);
      await new Promise<void>((resolve) => {
        this.#time.alarm(this.#time.nowMs() + waitS * 1_000, resolve);
      });
      answer = await this.ask(request);
    }
    return answer;
  }

  #countAsked(as: string): void {
    this.#asked.set(as, this.askedBy(as) + 1);
  }

  async #post(request: Request): Promise<ClientAnswer> {
    const response = await this.#send(request);
    if (response === undefined) return NO_ANSWER;
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      body: parsed(text),
      tookMs: 0,
    };
  }

  /** A token that stays valid for a while; undefined: for `nobody`, or none could be fetched. */
  async #validToken(as: string): Promise<string | undefined> {
    if (as === 'nobody') return undefined;
    if (as === 'forged') {
      const token = await this.#validToken('owner');
      return token === undefined ? undefined : forged(token);
    }
    const held = await this.#tokens.get(as);
    if (held !== undefined && held.endsMs - testbedLimits.tokenSpareMs > this.#time.nowMs())
      return held.token;
    const fetching = this.#fetch(as).then((fetched) => fetched.held);
    this.#tokens.set(as, fetching);
    return (await fetching)?.token;
  }

  async #fetch(as: string): Promise<{ readonly answer: ApiAnswer; readonly held?: HeldToken }> {
    const client = this.#clients.get(as === 'forged' ? 'owner' : as);
    if (client === undefined) return { answer: NO_ANSWER };
    this.#countAsked(as);
    const fromMs = this.#time.nowMs();
    const { status, headers, body } = await this.#post(
      new Request(`${this.#baseUrl}/auth/oauth/token?grant_type=client_credentials`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
      }),
    );
    const answer: ApiAnswer = { status, headers, body, tookMs: this.#time.nowMs() - fromMs };
    const { access_token: token, expires_in: expiresInS } = (body ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof token !== 'string' || typeof expiresInS !== 'number') return { answer };
    const endsMs = fromMs + expiresInS * 1_000;
    if (as === 'forged') return { answer, held: { token: forged(token), endsMs } };
    this.#tokenEnds.set(token, { endsMs, latestMs: endsMs + answer.tookMs });
    return { answer, held: { token, endsMs } };
  }
}

function requestOf(
  baseUrl: string,
  { method, path, body, headers }: ApiRequest,
  token: string | undefined,
): Request {
  return new Request(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined || method === 'GET' ? {} : { body: JSON.stringify(body) }),
  });
}

/** A body parsed as JSON, otherwise as text; undefined when it is empty. */
export function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The same token with one character of its signature changed. */
function forged(token: string): string {
  const place = token.lastIndexOf('.') + 5;
  const other = token.charAt(place) === 'A' ? 'B' : 'A';
  return token.slice(0, place) + other + token.slice(place + 1);
}
