import { registerClient } from '../../../backend/access/clients.ts';
import { entityTag } from '../../../backend/base/etag.ts';
import type { Service } from '../../../backend/service.ts';
import type { Store } from '../../../backend/store/port/store.ts';
import { sleep } from '../../../world/time/time.ts';
import type { World } from '../../../world/world.ts';
import type { Identity } from '../../directory/data-directory.ts';
import { limits } from '../../shared/limits.ts';

/** The optional parts of a driver's request. */
export interface DriversCallOptions {
  readonly body?: unknown;
  /** The vehicle must still have this revision. */
  readonly revision?: number;
  /** Sends one attempt while the driver has the turn; resolves with undefined where it must not be sent. */
  readonly inTurn?: (send: () => Promise<Response>) => Promise<Response | undefined>;
}

/**
 * One request of the fleet's drivers. Resolves with undefined where `inTurn` did not send it. Rejects where the service
 * itself fails.
 */
export type DriversCall = (
  method: 'PATCH' | 'POST',
  path: string,
  options?: DriversCallOptions,
) => Promise<Response | undefined>;

export interface ClientParts {
  readonly service: Pick<Service, 'fetch'>;
  readonly store: Pick<Store, 'access'>;
  readonly baseUrl: string;
  readonly identity: Pick<Identity, 'client_id' | 'fleet_id'>;
  readonly world: Pick<World, 'time' | 'crypto' | 'ids'>;
}

/**
 * A client of the fleet for its drivers, so that the user's own keeps its whole quota. It calls the service as any
 * program would, without a socket; it waits for an exhausted quota, and renews an expired token, once each. `end`
 * deletes it.
 */
export async function driversClient(
  parts: ClientParts,
): Promise<{ readonly call: DriversCall; readonly end: () => Promise<void> }> {
  const { service, store, baseUrl, identity, world } = parts;
  const id = `${identity.client_id}-drivers`;
  // One left behind by a killed process.
  await store.access.deleteClient(id);
  const { clientSecret } = await registerClient(store.access, world, {
    id,
    fleetId: identity.fleet_id,
    permissions: ['vehicles', 'vehicle-commands'],
  });
  let token: Promise<string> | undefined;
  const renewed = async () => {
    const answer = await service.fetch(
      new Request(`${baseUrl}/auth/oauth/token?grant_type=client_credentials`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${id}:${clientSecret}`)}` },
      }),
    );
    const body: unknown = await answer.json();
    return typeof body === 'object' && body !== null && 'access_token' in body
      ? String(body.access_token)
      : '';
  };
  const send = async (
    method: string,
    path: string,
    { body, revision }: DriversCallOptions,
  ): Promise<Response> => {
    token ??= renewed();
    const headers = {
      authorization: `Bearer ${await token}`,
      'content-type': 'application/json',
      ...(revision === undefined ? {} : { 'if-match': entityTag(revision) }),
    };
    const given = body === undefined ? {} : { body: JSON.stringify(body) };
    return service.fetch(new Request(`${baseUrl}${path}`, { method, headers, ...given }));
  };
  return {
    call: async (method, path, options = {}) => {
      const { inTurn = (sendNow) => sendNow() } = options;
      const attempt = () => inTurn(() => send(method, path, options));
      const answer = await attempt();
      if (answer?.status === 401) token = undefined;
      else if (answer?.status === 429) {
        // Outside of the turn: clients do not wait for the drivers' quota.
        const waitS = Number(answer.headers.get('retry-after') ?? 1);
        await sleep(world.time, Math.min(waitS, limits.driversWaitS) * 1_000);
      } else return answer;
      return attempt();
    },
    end: () => store.access.deleteClient(id),
  };
}
