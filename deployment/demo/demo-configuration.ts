import { registerClient } from '../../backend/access/clients.ts';
import type { Service } from '../../backend/service.ts';
import type { Store } from '../../backend/store/port/store.ts';
import { type DemoBox, orderDemoFeatures } from '../../scenarios/testbed/common/demo-configuration.ts';
import type { Log } from '../../world/log/log.ts';
import type { World } from '../../world/world.ts';
import type { Identity } from '../directory/data-directory.ts';
import type { Disposables } from '../shared/disposables.ts';
import { limits } from '../shared/limits.ts';

export interface DemoConfigurationParts {
  readonly service: Service;
  readonly store: Store;
  /** Of the vehicles that are set up. */
  readonly boxes: readonly DemoBox[];
  /** How long to wait for boxes; 0: they are in another process, and are configured when they connect. */
  readonly waitMs: number;
  readonly baseUrl: string;
  readonly identity: Identity;
  readonly world: Pick<World, 'time' | 'crypto' | 'ids'>;
  readonly log: Log;
  /** Other backends may be starting on this store; absent: none can. */
  readonly isStoreShared?: boolean;
  /** Aborts it, also while it still waits for the first of the boxes. */
  readonly disposables: Disposables;
}

/**
 * Configures those boxes of the demo fleet's vehicles that were never configured, as a client would: over the bulk
 * endpoint, each once it is connected. It creates a client for that and deletes it afterwards, so that the user's own
 * keeps its whole quota. Resolves when that has begun.
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
  // One left behind by a killed process.
  await store.access.deleteClient(clientId);
  const boxes: DemoBox[] = [];
  for (const box of parts.boxes) if (!(await isConfigured(store, box))) boxes.push(box);
  if (boxes.length > 0) {
    const token = await tokenOf(parts, clientId);
    // Another backend that began at the same time has replaced this client by its own, and configures them.
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
  }
}

/** Undefined: the client belongs to another backend now. */
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
