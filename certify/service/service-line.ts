import {
  type CallerTokens,
  type Credentials,
  forged,
  makeCallers,
} from '../../scenarios/causes/caller-tokens.ts';
import type { Caller } from '../../scenarios/causes/cause.ts';
import {
  type CauseAnswer,
  type CausePorts,
  type CauseRequest,
  StepRefused,
} from '../../scenarios/causes/cause-ports.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import type { CertifiedFleet } from './certified-fleet.ts';
import type { Fetch, ServiceApi } from './service-api.ts';

/** The callers that the given client can be on its own, without further clients. */
export const OWN_CALLERS: ReadonlySet<Caller> = new Set(['owner', 'nobody', 'unreadable', 'forged']);

interface LineParts {
  readonly api: ServiceApi;
  readonly fleet: CertifiedFleet;
  readonly fetch: Fetch;
  readonly time: Time;
  /** Of the admin interface, without a trailing slash; undefined: there is none. */
  readonly admin: string | undefined;
  /** The fleet of the given client, according to its vehicles in the API. */
  readonly fleetId: string;
}

/**
 * Requests of causes: to the API that is certified, to the boxes' control API in this process, and to the admin
 * interface of the service.
 */
export function serviceLine(parts: LineParts): CausePorts {
  const { api, fleet, time, admin } = parts;
  return {
    nowMs: () => time.nowMs(),
    pause: (delayMs) => sleep(time, delayMs),
    async call(request) {
      if (request.target === 'api') return api.call(request);
      const isOfService = request.path === '/service' || request.path.startsWith('/service/');
      if (isOfService && admin === undefined) return withoutAdmin(parts, request);
      const answer = isOfService
        ? await parts.fetch(requestTo(admin ?? '', request))
        : await fleet.control(requestTo('http://127.0.0.1', request));
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        text: await answer.text(),
      };
    },
  };
}

function requestTo(base: string, { method, path, headers, body }: CauseRequest): Request {
  return new Request(`${base}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
}

/** Without an admin interface only one fleet is known. */
function withoutAdmin({ fleetId }: LineParts, { method, path }: CauseRequest): CauseAnswer {
  if (method !== 'GET' || path !== '/service')
    throw new StepRefused(`${method} ${path} needs the admin interface (--admin).`);
  const fleets = { fleet_id: fleetId, partner_fleet_id: '', stranger_fleet_id: '' };
  return { status: 200, headers: {}, text: JSON.stringify(fleets) };
}

/**
 * The clients for the requests of causes. With an admin interface further clients are created as needed; without it
 * there is only the given client, which waits where its quota is nearly used up.
 */
export function callersOf(
  { api, admin }: Pick<LineParts, 'api' | 'admin'>,
  ports: CausePorts,
  client: Credentials,
): CallerTokens {
  const made = makeCallers(ports, client);
  if (admin !== undefined) return made;
  return {
    async authorization(caller) {
      if (caller === 'owner') return api.authorization();
      if (caller === 'forged') return forged(await api.authorization());
      return made.authorization(caller);
    },
    answered: (caller, answer) => {
      if (caller === 'owner') api.noteQuota(answer);
    },
  };
}
