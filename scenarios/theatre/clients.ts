import { registerClient } from '../../backend/access/clients.ts';
import { PERMISSIONS } from '../../backend/access/permissions.ts';
import type { AccessStore } from '../../backend/store/access-store.ts';
import type { Time } from '../../world/time.ts';
import type { World } from '../../world/world.ts';
import type { ClientPlan } from '../language/scenario.ts';
import type { Answer, Asked, GivenToken } from '../run/theatre.ts';
import { limits } from './limits.ts';
import { BASE_URL, FLEETS, type FleetName, fleetIdOf } from './names.ts';

/** Sends one request as it stands; undefined: the service is down, or went away before it answered. */
export type Send = (request: Request) => Promise<Response | undefined>;

interface Client {
  readonly id: string;
  readonly secret: string;
  readonly fleet: FleetName;
  readonly permissions: readonly string[];
}

/** A token with the time at which it ends. */
interface Held {
  readonly token: string;
  readonly endsMs: number;
}

/** What became of a request: the answer, and its body as text. */
export type Reply = Answer & {
  readonly text: string;
  /** When the token ends that came with the request; absent: there was none, or a forged one. */
  readonly tokenEndsMs?: number;
};

const EVERYTHING = PERMISSIONS.map((row) => row.name);
const NONE: Reply = { status: 0, headers: {}, body: undefined, text: '', tookMs: 0 };

/** The clients of a run with their tokens, which they fetch anew before they end, as good clients do. */
export class Clients {
  readonly #time: Time;
  readonly #send: Send;
  readonly #baseUrl: string;
  readonly #clients: ReadonlyMap<string, Client>;
  /** When each token ends that was ever given. */
  readonly #ends = new Map<string, number>();
  readonly #held = new Map<string, Promise<Held | undefined>>();

  constructor(plans: readonly ClientPlan[], time: Time, send: Send, baseUrl: string = BASE_URL) {
    this.#baseUrl = baseUrl;
    this.#time = time;
    this.#send = send;
    const own = FLEETS.map((fleet): [string, Client] => {
      const name = fleet === 'own' ? 'owner' : fleet;
      return [name, { id: name, secret: `secret-of-${name}`, fleet, permissions: EVERYTHING }];
    });
    const planned = plans.map(({ name, fleet, permissions }): [string, Client] => [
      name,
      { id: `client-${name}`, secret: `secret-of-${name}`, fleet, permissions: permissions ?? EVERYTHING },
    ]);
    this.#clients = new Map([...own, ...planned]);
  }

  /** Writes all fleets and clients down. */
  async register(store: AccessStore, world: Pick<World, 'seal' | 'mint' | 'time'>): Promise<void> {
    for (const fleet of FLEETS) await store.saveFleet({ id: fleetIdOf(fleet), name: `The fleet ${fleet}` });
    for (const { id, secret, fleet, permissions } of this.#clients.values()) {
      await registerClient(store, world, { id, secret, fleetId: fleetIdOf(fleet), permissions });
    }
  }

  /** Whose client it is; nobody's belongs to no fleet. */
  fleetOf(as: string): FleetName | undefined {
    return as === 'forged' ? 'own' : this.#clients.get(as)?.fleet;
  }

  /** A fresh token. Never rejects: without one the answer says why. */
  async fetchToken(as: string): Promise<GivenToken> {
    const { answer, held } = await this.#fetch(as);
    return held === undefined ? { answer } : { answer, token: held.token };
  }

  /** Asks. Never rejects: where the service goes away, or gives no token, the status is 0 or that of its refusal. */
  async ask(asked: Asked): Promise<Reply> {
    const fromMs = this.#time.nowMs();
    const token = asked.token ?? (await this.#valid(asked.as));
    if (token === undefined && asked.as !== 'nobody') return { ...NONE, tookMs: this.#time.nowMs() - fromMs };
    const reply = await this.#post(requestOf(this.#baseUrl, asked, token));
    const endsMs = token === undefined ? undefined : this.#ends.get(token);
    return {
      ...reply,
      tookMs: this.#time.nowMs() - fromMs,
      ...(endsMs === undefined ? {} : { tokenEndsMs: endsMs }),
    };
  }

  async #post(request: Request): Promise<Reply> {
    const response = await this.#send(request);
    if (response === undefined) return NONE;
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      body: parsed(text),
      tookMs: 0,
    };
  }

  /** One that will be valid for a while; undefined: nobody's, or none could be fetched. */
  async #valid(as: string): Promise<string | undefined> {
    if (as === 'nobody') return undefined;
    if (as === 'forged') {
      const token = await this.#valid('owner');
      return token === undefined ? undefined : forged(token);
    }
    const held = await this.#held.get(as);
    if (held !== undefined && held.endsMs - limits.tokenSpareMs > this.#time.nowMs()) return held.token;
    const fetching = this.#fetch(as).then((fetched) => fetched.held);
    this.#held.set(as, fetching);
    return (await fetching)?.token;
  }

  async #fetch(as: string): Promise<{ readonly answer: Answer; readonly held?: Held }> {
    const client = this.#clients.get(as === 'forged' ? 'owner' : as);
    if (client === undefined) return { answer: NONE };
    const fromMs = this.#time.nowMs();
    const { status, headers, body } = await this.#post(
      new Request(`${this.#baseUrl}/auth/oauth/token?grant_type=client_credentials`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
      }),
    );
    const answer: Answer = { status, headers, body, tookMs: this.#time.nowMs() - fromMs };
    const { access_token: token, expires_in: expiresInS } = (body ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof token !== 'string' || typeof expiresInS !== 'number') return { answer };
    const endsMs = fromMs + expiresInS * 1_000;
    if (as === 'forged') return { answer, held: { token: forged(token), endsMs } };
    this.#ends.set(token, endsMs);
    return { answer, held: { token, endsMs } };
  }
}

function requestOf(
  baseUrl: string,
  { method, path, body, headers }: Asked,
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

/** Parsed where it is JSON, else the text; undefined where there is none. */
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
