import { z } from 'zod';
import { causeLimits } from '../limits.ts';
import type { Caller } from './cause.ts';
import {
  answered,
  answeredIfThere,
  bodyOf,
  type CauseAnswer,
  type CausePorts,
  type CauseRequest,
  jsonRequest,
  StepRefused,
} from './cause-ports.ts';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Hands out Authorization headers. */
export interface CallerTokens {
  /** For this caller; undefined: none. Creates its client on first use. Rejects with `StepRefused`. */
  authorization(caller: Caller): Promise<string | undefined>;
  /** Reports how many calls are left, so that another client takes over before the quota is used up. */
  answered(caller: Caller, answer: CauseAnswer): void;
}

const client = z.looseObject({ client_id: z.string(), client_secret: z.string() });
const token = z.looseObject({ access_token: z.string() });
const service = z.looseObject({ token_lifetime: z.looseObject({ seconds: z.number() }) });

/** The same, and whose they are. */
export interface ClientTokens extends CallerTokens {
  /** The client for which another token is as good as this Authorization header; undefined: no other token is. */
  clientOf(authorization: string): Credentials | undefined;
}

/**
 * Creates clients over the control API on demand. `owner`: an existing one, which is used first, and again where the
 * control API cannot create any.
 */
export function makeCallers(ports: CausePorts, owner?: Credentials): ClientTokens {
  const known = new Map<Caller, Promise<string | undefined>>();
  const clients = new Map<string, Credentials>();
  let given = owner;
  const bearer = async (credentials: Credentials): Promise<string> => {
    const authorization = `Bearer ${await fetchToken(ports, credentials)}`;
    clients.set(authorization, credentials);
    return authorization;
  };
  const own = async (): Promise<string> => {
    const credentials = given ?? (await makeClientIfPossible(ports, 'own')) ?? owner;
    if (credentials === undefined) throw new StepRefused(NO_CLIENTS);
    given = undefined;
    return bearer(credentials);
  };

  const make: Readonly<Record<Caller, () => Promise<string | undefined>>> = {
    owner: own,
    partner: async () => bearer(await makeClient(ports, 'partner')),
    stranger: async () => bearer(await makeClient(ports, 'stranger')),
    nobody: () => Promise.resolve(undefined),
    unreadable: () => Promise.resolve('Bearer of-good-tidings'),
    forged: async () => forged(await own()),
    async expired() {
      const credentials = await makeClient(ports, 'own');
      const { token_lifetime: usual } = service.parse(
        await answered(ports, jsonRequest('simulator', 'GET', '/service')),
      );
      await answered(ports, jsonRequest('simulator', 'PUT', '/service/token-lifetime', { seconds: 1 }));
      const authorization = await bearer(credentials);
      await answered(ports, jsonRequest('simulator', 'PUT', '/service/token-lifetime', usual));
      await refusedWith(ports, authorization, 401);
      // Another token of the client would be valid.
      clients.delete(authorization);
      return authorization;
    },
    'without-scope': async () => bearer(await makeClient(ports, 'own', ['message-subscriptions'])),
    'without-subscriptions': async () => bearer(await makeClient(ports, 'own', ['vehicles.ro'])),
    async 'without-permission'() {
      const credentials = await makeClient(ports, 'own');
      const authorization = await bearer(credentials);
      const path = `/service/clients/${encodeURIComponent(credentials.clientId)}`;
      await answered(ports, jsonRequest('simulator', 'PUT', path, { permissions: [] }));
      await refusedWith(ports, authorization, 403);
      clients.delete(authorization);
      return authorization;
    },
    async exhausted() {
      const authorization = await bearer(await makeClient(ports, 'own'));
      await exhaust(ports, authorization);
      clients.delete(authorization);
      return authorization;
    },
  };

  return {
    authorization(caller) {
      const found = known.get(caller) ?? make[caller]();
      known.set(caller, found);
      found.catch(() => known.delete(caller));
      return found;
    },
    clientOf: (authorization) => clients.get(authorization),
    answered(caller, { headers }) {
      if (caller === 'exhausted' || headers['x-rate-limit-remaining'] === undefined) return;
      if (Number(headers['x-rate-limit-remaining']) < causeLimits.sparedCalls) known.delete(caller);
    },
  };
}

type ClientFleet = 'own' | 'partner' | 'stranger';

const NO_CLIENTS =
  'This needs another client of the service, which only "boxtwin up" in one process can make. Choose a cause that acts on a box or its network (--cause).';

async function makeClient(
  ports: CausePorts,
  fleet: ClientFleet,
  permissions?: readonly string[],
): Promise<Credentials> {
  const made = await makeClientIfPossible(ports, fleet, permissions);
  if (made === undefined) throw new StepRefused(NO_CLIENTS);
  return made;
}

/** Undefined: the simulator has no service beside it that it could change. */
async function makeClientIfPossible(
  ports: CausePorts,
  fleet: ClientFleet,
  permissions?: readonly string[],
): Promise<Credentials | undefined> {
  const wish = permissions === undefined ? { fleet } : { fleet, permissions };
  const found = await answeredIfThere(ports, jsonRequest('simulator', 'POST', '/service/clients', wish));
  if (found === undefined) return undefined;
  const made = client.parse(found);
  return { clientId: made.client_id, clientSecret: made.client_secret };
}

async function fetchToken(ports: CausePorts, { clientId, clientSecret }: Credentials): Promise<string> {
  const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
  const path = '/auth/oauth/token?grant_type=client_credentials';
  return token.parse(await answered(ports, jsonRequest('api', 'POST', path, undefined, { authorization })))
    .access_token;
}

/** A harmless request of this token. */
function listing(authorization: string): CauseRequest {
  return jsonRequest('api', 'GET', '/vehicles?limit=1', undefined, { authorization });
}

/** Waits until the service refuses the token with this status. */
async function refusedWith(ports: CausePorts, authorization: string, status: number): Promise<void> {
  const untilMs = ports.nowMs() + causeLimits.showMs;
  while (ports.nowMs() < untilMs) {
    if ((await ports.call(listing(authorization))).status === status) return;
    await ports.pause(causeLimits.showPauseMs);
  }
  throw new StepRefused(`The service did not refuse a token with ${status}.`);
}

async function exhaust(ports: CausePorts, authorization: string): Promise<void> {
  for (let calls = 0; calls < causeLimits.mostCalls; calls += causeLimits.callsAtOnce) {
    const answers = await Promise.all(
      Array.from({ length: causeLimits.callsAtOnce }, () => ports.call(listing(authorization))),
    );
    if (answers.some(({ status }) => status === 429)) return;
    const wrong = answers.find(({ status }) => status >= 300);
    if (wrong !== undefined)
      throw new StepRefused(`A call of the quota was refused: ${String(bodyOf(wrong))}`);
  }
  throw new StepRefused('The quota of a client has no end.');
}

/** The same Authorization header with one character of its signature changed. */
export function forged(authorization: string): string {
  const place = authorization.lastIndexOf('.') + 5;
  const other = authorization.charAt(place) === 'A' ? 'B' : 'A';
  return authorization.slice(0, place) + other + authorization.slice(place + 1);
}
