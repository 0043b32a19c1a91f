import { registerClient } from '../../../backend/access/clients.ts';
import { entityTag } from '../../../backend/http/etag.ts';
import type { Service } from '../../../backend/service.ts';
import type { Store } from '../../../backend/store/port/store.ts';
import { sleep } from '../../../world/time/time.ts';
import type { World } from '../../../world/world.ts';
import { limits } from '../../limits.ts';
import type { Identity } from '../../server/data-directory.ts';

/** One request as the fleet's drivers make it. Rejects where the service itself fails. */
export type DriversCall = (
  method: 'PATCH' | 'POST',
  path: string,
  body?: unknown,
  /** The vehicle must still have this revision. */
  revision?: number,
) => Promise<Response>;

export interface ClientParts {
  readonly service: Pick<Service, 'fetch'>;
  readonly store: Pick<Store, 'access'>;
  readonly baseUrl: string;
  readonly identity: Pick<Identity, 'client_id' | 'fleet_id'>;
  readonly world: Pick<World, 'time' | 'crypto' | 'ids'>;
}

/**
 * A client of the fleet for its drivers, so that the user's own has its whole quota. It asks the service as any program
 * would, without a socket; a used-up quota is waited for, and an old token renewed, once each. `end` deletes it.
 */
export async function driversClient(
  parts: ClientParts,
): Promise<{ readonly call: DriversCall; readonly end: () => Promise<void> }> {
  const { service, store, baseUrl, identity, world } = parts;
  const id = `${identity.client_id}-drivers`;
  // One that a kill left behind.
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
  const once: DriversCall = async (method, path, body, revision) => {
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
    call: async (...asked) => {
      const answer = await once(...asked);
      if (answer.status === 401) token = undefined;
      else if (answer.status === 429) {
        const waitS = Number(answer.headers.get('retry-after') ?? 1);
        await sleep(world.time, Math.min(waitS, limits.driversWaitS) * 1_000);
      } else return answer;
      return once(...asked);
    },
    end: () => store.access.deleteClient(id),
  };
}
