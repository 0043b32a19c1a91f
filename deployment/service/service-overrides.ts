import { registerClient } from '../../backend/access/clients.ts';
import type { Store } from '../../backend/store/port/store.ts';
import { PERMISSIONS } from '../../contract/permissions.ts';
import type { Counting } from '../../scenarios/testbed/common/faults/active-fault.ts';
import type { StoreFaultLayers } from '../../scenarios/testbed/common/faults/store-faults.ts';
import type { ServiceControlPort } from '../../simulator/control/service.ts';
import type { World } from '../../world/world.ts';
import { allDone } from '../shared/all-done.ts';

/** What can be changed of a service from outside: its inputs, and the port for changing them. */
export interface ServiceOverrides {
  accessTokenS(): number;
  readonly partnerFleetId: string;
  readonly switches: ServiceControlPort;
}

const TOKEN_LIFETIME_S = 3600;

/**
 * Creates the switches of a service on `store` with those faults, and the other two fleets where they do not exist yet.
 */
export async function makeServiceOverrides(
  store: Store,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
  fleetId: string,
  storeFaults: StoreFaultLayers,
): Promise<ServiceOverrides> {
  const partnerFleetId = derived('P', 'partner', fleetId, world);
  const strangerFleetId = derived('S', 'stranger', fleetId, world);
  await allDone([
    store.access.saveFleet({ id: partnerFleetId, name: 'Partner' }),
    store.access.saveFleet({ id: strangerFleetId, name: 'Stranger' }),
  ]);
  const fleets = { own: fleetId, partner: partnerFleetId, stranger: strangerFleetId };
  const permissions = PERMISSIONS.map((row) => row.name);
  let storeFault: Counting | undefined;
  let tokenLifetimeS = TOKEN_LIFETIME_S;
  return {
    accessTokenS: () => tokenLifetimeS,
    partnerFleetId,
    switches: {
      read: () => ({
        storeWorks: storeFault === undefined,
        tokenLifetimeS,
        fleetId,
        partnerFleetId,
        strangerFleetId,
        permissions,
      }),
      setStoreWorks: (works) => {
        storeFault?.remove();
        storeFault = works ? undefined : storeFaults.add({ failing: 'everything', slowMs: 0 });
      },
      setTokenLifetimeS: (seconds) => {
        tokenLifetimeS = seconds;
      },
      async makeClient(wish) {
        const { fleet, ...client } = wish;
        const owner = fleets[fleet];
        try {
          return {
            ...(await registerClient(store.access, world, { ...client, fleetId: owner })),
            fleetId: owner,
          };
        } catch (error) {
          if (error instanceof RangeError) return { fault: `${error.message}.` };
          throw error;
        }
      },
      async setPermissions(clientId, wanted) {
        const client = await store.access.findClient(clientId);
        if (client === undefined) return false;
        await store.access.saveClient({ ...client, permissions: wanted });
        return true;
      },
      async deleteClient(clientId) {
        if ((await store.access.findClient(clientId)) === undefined) return false;
        await store.access.deleteClient(clientId);
        return true;
      },
    },
  };
}

/** The id of a further fleet is derived from the fleet's, so that a restart finds it again. */
function derived(letter: string, role: string, fleetId: string, world: Pick<World, 'crypto'>): string {
  return `${letter}${world.crypto.digest(`${fleetId}/${role}`).slice(0, 7).toUpperCase()}`;
}
