import type { ConnectivityCommandName } from '../../contract/sim-providers.ts';
import type { HttpRequest, HttpResponse } from '../../world/http/http.ts';

/** A request in a provider's own form; the path is relative to its address. */
export interface ProviderRequest {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly body?: Readonly<Record<string, string>>;
}

/** The form of one provider's interface. Pure. */
export interface ProviderDialect {
  /** The headers that authenticate a request. */
  signIn(apiKey: string): Readonly<Record<string, string>>;
  /** Requests by command; commands that the provider lacks are absent. */
  readonly requests: Readonly<Partial<Record<ConnectivityCommandName, (iccid: string) => ProviderRequest>>>;
  /** Whether the answer is a success. */
  isDone(answer: Pick<HttpResponse, 'status' | 'body'>): boolean;
}

const isSuccess = ({ status }: Pick<HttpResponse, 'status'>) => status >= 200 && status < 300;

const meridian: ProviderDialect = {
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

const harbour: ProviderDialect = {
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
  // It answers 200 to everything; the result is in the body.
  isDone: (answer) => isSuccess(answer) && saysOk(answer.body),
};

const tundra: ProviderDialect = {
  signIn: (apiKey) => ({ authorization: `Basic ${btoa(`${apiKey}:`)}` }),
  requests: {
    'network-detach': (iccid) => ({ method: 'DELETE', path: `/subscribers/${iccid}/location` }),
  },
  isDone: isSuccess,
};

/** By the names of contract/sim-providers.ts. */
export const DIALECTS: ReadonlyMap<string, ProviderDialect> = new Map(
  Object.entries({ meridian, harbour, tundra }),
);

/** `{"ok": true, ...}`. Total: anything else is not a success. */
function saysOk(body: string): boolean {
  try {
    const said: unknown = JSON.parse(body);
    return typeof said === 'object' && said !== null && 'ok' in said && said.ok === true;
  } catch {
    return false;
  }
}
