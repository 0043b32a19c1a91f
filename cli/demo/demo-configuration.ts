import { registerClient } from '../../backend/access/clients.ts';
import type { Service } from '../../backend/service.ts';
import type { Store } from '../../backend/store/port/store.ts';
import { type DemoBox, orderDemoFeatures } from '../../scenarios/testbed/common/demo-configuration.ts';
import type { Log } from '../../world/log/log.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import type { World } from '../../world/world.ts';
import { limits } from '../limits.ts';
import type { Identity } from '../server/data-directory.ts';
import type { Disposables } from '../shared/disposables.ts';

export interface DemoConfigurationParts {
  readonly service: Service;
  readonly store: Store;
  /** Of the vehicles that are set up. */
  readonly boxes: readonly DemoBox[];
  /** For so long boxes are waited for; 0: they are in another process, and are asked when they come. */
  readonly waitMs: number;
  readonly baseUrl: string;
  readonly identity: Identity;
  readonly world: Pick<World, 'time' | 'crypto' | 'ids'>;
  readonly log: Log;
  /** Other backends may be starting on this store; absent: none can. */
  readonly isStoreShared?: boolean;
  /** Where it is ended, also while it still waits for the first of the boxes. */
  readonly disposables: Disposables;
}

/**
 * Has the boxes of the demonstration's vehicles configured that never were, as a client would: over the bulk endpoint,
 * each once it is up. That client is made for it and deleted afterwards, so that the user's own has its whole quota.
 * Resolves when the first of them have it, or after a while; the others follow.
 */
export async function configureDemo(parts: DemoConfigurationParts): Promise<void> {
  const { store, world, log } = parts;
  const { time } = world;
  let isEnded = false;
  await parts.disposables.add(() => {
    isEnded = true;
  });
  const clientId = `${parts.identity.client_id}-setup`;
  const found = await store.access.findClient(clientId);
  const isAtIt = found !== undefined && time.nowMs() - found.createdMs < limits.demoClientMs;
  // Another backend has just begun with it.
  if (parts.isStoreShared === true && isAtIt) return;
  // One that a kill left behind.
  await store.access.deleteClient(clientId);
  const boxes: DemoBox[] = [];
  for (const box of parts.boxes) if (!(await isConfigured(store, box))) boxes.push(box);
  if (boxes.length > 0) {
    const token = await tokenOf(parts, clientId);
    // Another backend that began in the same moment has put its own in the place of this client, and configures them.
    if (token === undefined) return;
    const authorization = `Bearer ${token}`;
    const order = orderDemoFeatures({
      time,
      boxes,
      isEnded: () => isEnded,
      call: (method, path, body) =>
        parts.service.fetch(
          new Request(`${parts.baseUrl}${path}`, {
            method,
            body,
            headers: { authorization, 'content-type': 'application/json' },
          }),
        ),
      waitMs: parts.waitMs,
    });
    order
      .finally(() => store.access.deleteClient(clientId))
      .catch((error: unknown) => {
        if (!isEnded) log.warn({ error: String(error) }, 'the fleet of the demonstration is not configured');
      });
    const looked = boxes.slice(0, limits.readyBoxes);
    if (parts.waitMs > 0) await someConfigured({ store, time, isEnded: () => isEnded }, looked);
  }
}

/** Undefined: the client is another backend's by now. */
async function tokenOf(
  { service, store, world, baseUrl, identity, isStoreShared }: DemoConfigurationParts,
  id: string,
): Promise<string | undefined> {
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
  if (answer.status === 401 && isStoreShared === true) return undefined;
  throw new Error(`The client that configures the demonstration got no token: ${answer.status}.`);
}

async function isConfigured(store: Store, { boxId }: DemoBox): Promise<boolean> {
  return (await store.configuration.read(boxId)).revision > 0;
}

/** A box that is being configured takes no command meanwhile, so the banner comes after that. */
async function someConfigured(
  { store, time, isEnded }: { readonly store: Store; readonly time: Time; readonly isEnded: () => boolean },
  boxes: readonly DemoBox[],
): Promise<void> {
  const untilMs = time.nowMs() + limits.readyWaitMs;
  let open = boxes;
  while (open.length > 0 && time.nowMs() < untilMs && !isEnded()) {
    const are = await Promise.all(open.map((box) => isConfigured(store, box)));
    open = open.filter((_, index) => are[index] !== true);
    if (open.length > 0) await sleep(time, 50);
  }
}
