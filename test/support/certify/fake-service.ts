import { operationName } from '../../../contract/operation.ts';
import { OPERATIONS } from '../../../contract/operations.ts';

type Body = Readonly<Record<string, unknown>>;

/** An answer, and what the service does before it gives it. */
export interface FakeAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly effect?: () => void;
}

/** What a service does otherwise. */
export interface ServiceFault {
  /** It answers such a request as if it had carried it out. */
  readonly idle?: string;
  /** The answer to such a request is another one. */
  readonly answer?: (operation: string, right: FakeAnswer) => FakeAnswer;
}

export const FLEETS = { fleet_id: 'OWNFLEET', partner_fleet_id: 'PARTNER', stranger_fleet_id: 'STRANGER' };
export const VEHICLE_IDS = ['AAAAA', 'BBBBB'] as const;
export const SECRET = 'the-secret';

const TEMPLATES = OPERATIONS.map((operation) => ({
  name: operationName(operation),
  expression: new RegExp(`^${operationName(operation).replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}));

/** `POST /vehicles/{id}/commands/draw-attention` for such a request; a path that is no operation as it is. */
function nameOf(method: string, path: string): string {
  const asked = `${method} ${path}`;
  const exact = TEMPLATES.find(({ name }) => name === asked);
  return (exact ?? TEMPLATES.find(({ expression }) => expression.test(asked)))?.name ?? asked;
}

const NOT_FOUND: FakeAnswer = { status: 404, body: {} };
const told = (value: unknown): Body => ({ timestamp: '2026-01-05T06:00:00Z', value });

/** The state of a vehicle after each command that has one. */
const AFTER: Readonly<Record<string, Body>> = {
  'enable-driving': { driving_enabled: told(true) },
  'disable-driving': { driving_enabled: told(false) },
  'unlock-central-lock': { central_lock: told('UNLOCKED') },
  'lock-central-lock': { central_lock: told('LOCKED') },
  'unlock-and-enable-driving': { central_lock: told('UNLOCKED'), driving_enabled: told(true) },
  'lock-and-disable-driving': { central_lock: told('LOCKED'), driving_enabled: told(false) },
  'unlock-top-case': { top_case_lock: told('UNLOCKED') },
  'lock-top-case': { top_case_lock: told('LOCKED') },
};

/** As much of a service as the points of access and success look at, in memory. */
export class FakeService {
  /** Of the card in the first vehicle, by its provider. */
  card = 'active';
  readonly #fault: ServiceFault;
  readonly #vehicles = new Map<string, Body>(
    VEHICLE_IDS.map((id) => [id, { id, fleet_id: FLEETS.fleet_id, tags: [], latest_vehicle_state: {} }]),
  );
  readonly #features = new Map<string, string>();
  readonly #subscriptions = new Map<string, Body>();
  readonly #jobs = new Map<string, readonly string[]>();
  #changes = 0;
  #tokens = 0;

  constructor(fault: ServiceFault = {}) {
    this.#fault = fault;
  }

  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const operation = nameOf(request.method, url.pathname);
    const text = await request.text();
    const right = this.#answer(operation, {
      request,
      url,
      parts: url.pathname.split('/').slice(1),
      body: text === '' ? {} : (JSON.parse(text) as Body),
    });
    if (this.#fault.idle !== operation) right.effect?.();
    const { status, body, headers = {} } = this.#fault.answer?.(operation, right) ?? right;
    return new Response(status === 204 || body === undefined ? null : JSON.stringify(body), {
      status,
      headers: Object.assign({ 'content-type': 'application/json' }, headers),
    });
  }

  /** The admin interface: makes a client with one permission. */
  admin(): FakeAnswer {
    return { status: 201, body: { client_id: 'further', client_secret: SECRET } };
  }

  #answer(operation: string, asked: Asked): FakeAnswer {
    const { parts, url } = asked;
    if (operation === 'POST /auth/oauth/token') return this.#token(asked);
    if (operation === 'GET /.well-known/openid-configuration') return { status: 200, body: DISCOVERY };
    if (url.searchParams.has('colour')) return { status: 400, body: {} };
    if (parts[0] === 'vehicles') {
      if (parts[2] === undefined || parts[2] === 'sharing') return this.#record(operation, asked);
      if (parts[2] === 'telematics-unit') return this.#feature(operation, asked);
      return this.#command(parts);
    }
    return parts[0] === 'message-subscriptions'
      ? this.#subscription(operation, asked)
      : this.#bulk(operation, asked);
  }

  #token({ request }: Asked): FakeAnswer {
    const [, secret] = atob((request.headers.get('authorization') ?? '').replace('Basic ', '')).split(':');
    if (secret !== SECRET)
      return { status: 401, body: { error: 'invalid_client' }, headers: { 'www-authenticate': 'Basic' } };
    this.#tokens += 1;
    return {
      status: 200,
      body: { access_token: `token-${this.#tokens}`, token_type: 'bearer', expires_in: 3600 },
    };
  }

  #record(operation: string, { parts, url, body }: Asked): FakeAnswer {
    const id = parts[1] ?? '';
    const vehicle = this.#vehicles.get(id);
    const put = (one: Body) => {
      this.#vehicles.set(String(one['id']), one);
      this.#changes += 1;
    };
    const etag = { etag: `"${this.#changes}"` };
    const changed = { etag: `"${this.#changes + 1}"` };
    if (operation === 'GET /vehicles') {
      const items = [...this.#vehicles.values()];
      const from = Number(url.searchParams.get('page_token') ?? 0);
      const to = from + Number(url.searchParams.get('limit') ?? 50);
      const next = to < items.length ? { next_page_token: String(to) } : {};
      return { status: 200, body: Object.assign({ items: items.slice(from, to) }, next) };
    }
    if (operation === 'POST /vehicles') {
      const made = { id: 'NEW01', setup_status: 'SUCCEEDED' };
      return {
        status: 201,
        body: { id: 'NEW01', setup_status: 'PENDING' },
        headers: { location: 'http://service.test/vehicles/NEW01' },
        effect: () => put(made),
      };
    }
    if (vehicle === undefined) return NOT_FOUND;
    const { shared_with: _, ...own } = vehicle;
    switch (operation) {
      case 'GET /vehicles/{id}':
        return { status: 200, body: vehicle, headers: etag };
      case 'PATCH /vehicles/{id}': {
        const made = Object.assign({}, vehicle, body);
        return { status: 200, body: made, headers: changed, effect: () => put(made) };
      }
      case 'PUT /vehicles/{id}/sharing': {
        const made = Object.assign({}, vehicle, { shared_with: body['partner_fleet_id'] });
        return { status: 200, body: made, effect: () => put(made) };
      }
      case 'DELETE /vehicles/{id}/sharing':
        return { status: 204, effect: () => put(own) };
      default:
        return { status: 204, effect: () => void this.#vehicles.delete(id) };
    }
  }

  #feature(operation: string, { parts }: Asked): FakeAnswer {
    const name = parts.join('/');
    const put = (status: string) => () => void this.#features.set(name, status);
    if (operation.startsWith('PUT'))
      return { status: 200, body: { status: 'ACTIVE' }, effect: put('ACTIVE') };
    if (operation.startsWith('DELETE')) return { status: 204, effect: put('INACTIVE') };
    return { status: 200, body: { status: this.#features.get(name) ?? 'INACTIVE' } };
  }

  #command([, , kind, name = '']: readonly string[]): FakeAnswer {
    if (kind === 'commands') return { status: 200, body: AFTER[name] ?? { mileage_in_kilometers: told(7) } };
    if (name === 'request-system-status')
      return { status: 200, body: { device_up_since: '2026-01-05T06:00:00Z', can_bus_0_active: true } };
    const card = { 'request-sim-activation': 'active', 'request-sim-suspension': 'suspended' }[name];
    return {
      status: 204,
      effect: () => {
        this.card = card ?? this.card;
      },
    };
  }

  #subscription(operation: string, { parts, body }: Asked): FakeAnswer {
    const id = parts[1] ?? `sub-${this.#subscriptions.size}`;
    const known = this.#subscriptions.get(id);
    if (operation === 'POST /message-subscriptions') {
      const queues = [
        { name: `VehicleState_v1-${String(body['queue_discriminator'])}`, topic: 'VehicleState_v1' },
      ];
      return {
        status: 201,
        body: { id, queues, password: 'once' },
        effect: () => void this.#subscriptions.set(id, { id, queues }),
      };
    }
    if (operation === 'GET /message-subscriptions')
      return { status: 200, body: { items: [...this.#subscriptions.values()] } };
    if (known === undefined) return NOT_FOUND;
    if (operation.startsWith('DELETE'))
      return { status: 204, effect: () => void this.#subscriptions.delete(id) };
    return { status: 200, body: known };
  }

  #bulk(operation: string, { parts, body }: Asked): FakeAnswer {
    if (operation.startsWith('POST')) {
      const id = '01KE6BX6H4Z8Z8QFWM94CCAM8V';
      const ids = (body['items'] as readonly { readonly id: string }[]).map((item) => item.id);
      return {
        status: 201,
        body: { id },
        headers: { location: `/configure-vehicle-telematics-unit-bulk/${id}` },
        effect: () => void this.#jobs.set(id, ids),
      };
    }
    const ids = this.#jobs.get(parts[1] ?? '');
    if (ids === undefined) return NOT_FOUND;
    const items = ids.map((id) => ({ id, status: this.#vehicles.has(id) ? 'APPLIED' : 'FAILED' }));
    return { status: 200, body: { status: 'COMPLETED', items } };
  }
}

interface Asked {
  readonly request: Request;
  readonly url: URL;
  readonly parts: readonly string[];
  readonly body: Body;
}

const DISCOVERY = {
  issuer: 'http://service.test',
  token_endpoint: 'http://service.test/auth/oauth/token',
  authorization_endpoint: 'http://service.test/auth/oauth/authorize',
  jwks_uri: 'http://service.test/auth/oauth/jwks',
};
