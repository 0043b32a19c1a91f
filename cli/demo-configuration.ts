import { registerClient } from '../backend/access/clients.ts';
import type { Service } from '../backend/service.ts';
import type { Store } from '../backend/store/store.ts';
import { orderDemoFeatures } from '../scenarios/demo-configuration.ts';
import type { Fleet, FleetBox } from '../simulator/fleet.ts';
import type { Log } from '../world/log.ts';
import { sleep, type Time } from '../world/time.ts';
import type { World } from '../world/world.ts';
import type { Identity } from './data-directory.ts';
import { limits } from './limits.ts';

export interface DemoConfigurationParts {
  readonly service: Service;
  readonly store: Store;
  readonly fleet: Fleet;
  readonly baseUrl: string;
  readonly identity: Identity;
  readonly world: Pick<World, 'time' | 'seal' | 'mint'>;
  readonly log: Log;
}

/**
 * Has the boxes of the demonstration's vehicles configured that never were, as a client would: over the bulk endpoint,
 * each once it is up. That client is made for it and deleted afterwards, so that the user's own has its whole quota.
 * Resolves when the first of them have it, or after a while; the others follow. `end` stops it.
 */
export async function configureDemo(parts: DemoConfigurationParts): Promise<{ readonly end: () => void }> {
  const { store, fleet, world, log } = parts;
  const { time } = world;
  let isEnded = false;
  const clientId = `${parts.identity.client_id}-setup`;
  // One that a kill left behind.
  await store.access.deleteClient(clientId);
  const boxes: FleetBox[] = [];
  for (const box of fleet.boxes.values()) {
    if (box.plan.vehicleId !== '' && !(await isConfigured(store, box))) boxes.push(box);
  }
  if (boxes.length > 0) {
    const authorization = `Bearer ${await tokenOf(parts, clientId)}`;
    const order = orderDemoFeatures({
      time,
      boxes,
      call: (method, path, body) =>
        parts.service.fetch(
          new Request(`${parts.baseUrl}${path}`, {
            method,
            body,
            headers: { authorization, 'content-type': 'application/json' },
          }),
        ),
      waitMs: limits.demoWaitMs,
      isEnded: () => isEnded,
    });
    order
      .finally(() => store.access.deleteClient(clientId))
      .catch((error: unknown) => {
        if (!isEnded) log.warn({ error: String(error) }, 'the fleet of the demonstration is not configured');
      });
    await someConfigured({ store, time }, boxes.slice(0, limits.readyBoxes));
  }
  return {
    end: () => {
      isEnded = true;
    },
  };
}

async function tokenOf(
  { service, store, world, baseUrl, identity }: DemoConfigurationParts,
  id: string,
): Promise<string> {
  const { clientSecret } = await registerClient(store.access, world, {
    id,
    fleetId: identity.fleet_id,
    permissions: ['vehicle-configuration'],
  });
  const answer = await service.fetch(
    new Request(`${baseUrl}/auth/oauth/token?grant_type=client_credentials`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${id}:${clientSecret}`)}` },
    }),
  );
  const body: unknown = await answer.json();
  if (typeof body === 'object' && body !== null && 'access_token' in body) return String(body.access_token);
  throw new Error(`The client that configures the demonstration got no token: ${answer.status}.`);
}

async function isConfigured(store: Store, box: FleetBox): Promise<boolean> {
  return (await store.configuration.read(box.plan.boxId)).revision > 0;
}

/** A box that is being configured takes no command meanwhile, so the banner comes after that. */
async function someConfigured(
  { store, time }: { readonly store: Store; readonly time: Time },
  boxes: readonly FleetBox[],
): Promise<void> {
  const untilMs = time.nowMs() + limits.readyWaitMs;
  let open = boxes;
  while (open.length > 0 && time.nowMs() < untilMs) {
    const are = await Promise.all(open.map((box) => isConfigured(store, box)));
    open = open.filter((_, index) => are[index] !== true);
    if (open.length > 0) await sleep(time, 50);
  }
}
