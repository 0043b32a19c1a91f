import type { HttpAnswer, HttpRequest } from '../../world/http.ts';
import type { ConnectivityCommandName } from './providers.ts';

/** A request in a provider's own form; the path is relative to its address. */
export interface Spoken {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly body?: Readonly<Record<string, string>>;
}

/** How one provider wants to be spoken to. Pure. */
export interface Dialect {
  /** The headers that sign a request in. */
  signIn(apiKey: string): Readonly<Record<string, string>>;
  /** What the provider is sent; a command that it has not is not here. */
  readonly requests: Readonly<Partial<Record<ConnectivityCommandName, (iccid: string) => Spoken>>>;
  /** Whether the answer says that it was done. */
  isDone(answer: Pick<HttpAnswer, 'status' | 'body'>): boolean;
}

const isSuccess = ({ status }: Pick<HttpAnswer, 'status'>) => status >= 200 && status < 300;

const meridian: Dialect = {
  signIn: (apiKey) => ({ authorization: `ApiKey ${apiKey}` }),
  requests: {
    'network-detach': (iccid) => ({ method: 'POST', path: `/v2/sims/${iccid}/detachments` }),
    'request-sim-activation': (iccid) => ({
      method: 'PATCH',
      path: `/v2/sims/${iccid}`,
      body: { status: 'ACTIVE' },
    }),
    'request-sim-suspension': (iccid) => ({
      method: 'PATCH',
      path: `/v2/sims/${iccid}`,
      body: { status: 'SUSPENDED' },
    }),
  },
  isDone: isSuccess,
};

const harbour: Dialect = {
  signIn: (apiKey) => ({ 'x-harbour-key': apiKey }),
  requests: {
    'request-sim-activation': (card) => ({
      method: 'POST',
      path: '/rpc',
      body: { operation: 'card.activate', card },
    }),
    'request-sim-suspension': (card) => ({
      method: 'POST',
      path: '/rpc',
      body: { operation: 'card.suspend', card },
    }),
  },
  // It answers 200 to everything; what came of the call stands in the body.
  isDone: (answer) => isSuccess(answer) && saysOk(answer.body),
};

const tundra: Dialect = {
  signIn: (apiKey) => ({ authorization: `Basic ${btoa(`${apiKey}:`)}` }),
  requests: {
    'network-detach': (iccid) => ({ method: 'DELETE', path: `/subscribers/${iccid}/location` }),
  },
  isDone: isSuccess,
};

/** By the names of providers.ts. */
export const DIALECTS: ReadonlyMap<string, Dialect> = new Map(Object.entries({ meridian, harbour, tundra }));

/** `{"ok": true, ...}`. Total: anything else is no success. */
function saysOk(body: string): boolean {
  try {
    const said: unknown = JSON.parse(body);
    return typeof said === 'object' && said !== null && 'ok' in said && said.ok === true;
  } catch {
    return false;
  }
}
