import { registerClient } from '../backend/access/clients.ts';
import { PERMISSIONS } from '../backend/access/permissions.ts';
import { registerUser } from '../backend/access/users.ts';
import { REFERENCE_REDIRECT_PATH } from '../backend/http/reference.ts';
import type { Store } from '../backend/store/store.ts';
import { MAKER_MODELS } from '../protocol/models/maker-models.ts';
import { MODELS } from '../protocol/models/models.ts';
import type { BoxPlan } from '../simulator/fleet.ts';
import type { CarPlan } from '../simulator/maker-cloud/plan.ts';
import type { World } from '../world/world.ts';
import type { Identity } from './data-directory.ts';

/** Programs of the user's own catch the code there, on whichever port they get. */
export const LOOPBACK_CALLBACK = 'http://127.0.0.1/callback';

/** For whom people sign in at the reference page: public, since what a page holds is no secret. */
export const REFERENCE_CLIENT = 'reference-page';

/** For one in so many vehicles the maintenance capabilities are not booked. */
const UNBOOKED_IN = 4;

/** Who signs in to the demo fleet. */
export interface DemoUser {
  readonly name: string;
  readonly password: string;
}

/** The person of a data directory: the password follows from what only the directory knows. */
export function demoUser(seal: World['seal'], identity: Identity): DemoUser {
  return { name: 'demo', password: seal.digest(`${identity.mqtt_password}/user`).slice(0, PASSWORD_DIGITS) };
}

const PASSWORD_DIGITS = 20;

/**
 * Makes the store know the fleet that `up` runs: its client and a person, both with every permission, a vehicle set up
 * for each plan, and the boxes of the shelf in its stock. What is there already stays as it is, so that a restart goes
 * on; only the client's redirect URIs follow what is given.
 */
export async function onboardFleet(
  store: Store,
  world: Pick<World, 'seal' | 'mint' | 'time'>,
  identity: Identity,
  plans: readonly BoxPlan[],
  shelf: readonly BoxPlan[],
  people: { readonly user: DemoUser; readonly redirectUri: string | undefined },
): Promise<void> {
  const fleetId = identity.fleet_id;
  const permissions = PERMISSIONS.map((row) => row.name);
  const redirectUris = [LOOPBACK_CALLBACK, ...(people.redirectUri === undefined ? [] : [people.redirectUri])];
  const client = await store.access.findClient(identity.client_id);
  if (client?.redirectUris?.join(' ') !== redirectUris.join(' ')) {
    await store.access.saveFleet({ id: fleetId, name: 'Demo' });
    const { client_id: id, client_secret: secret } = identity;
    await registerClient(store.access, world, { fleetId, permissions, id, secret, redirectUris });
  }
  if ((await store.grants.findUserByName(people.user.name)) === undefined)
    await registerUser(store.grants, world, { ...people.user, fleetId, permissions });
  for (const [index, plan] of plans.entries()) {
    // Offboarded, or in another vehicle by now: that was the user's will, and outlives a restart.
    if ((await store.vehicles.findUnit(plan.boxId)) !== undefined) continue;
    await store.vehicles.save({
      id: plan.vehicleId,
      fleetId: identity.fleet_id,
      boxId: plan.boxId,
      sim: plan.sim,
      boxSecretHash: world.seal.digest(plan.secret),
      generation: plan.generation,
      model: plan.model,
      setupStatus: 'SUCCEEDED',
      masterData: masterData(plan),
      tags: ['demo'],
      maintenance: index % UNBOOKED_IN !== UNBOOKED_IN - 1,
      atMs: world.time.nowMs(),
    });
  }
  for (const plan of shelf) await stock(store, world, identity.fleet_id, plan);
}

/**
 * Makes the store know the client of the reference page, with every permission. It leads back to that page alone, at the
 * port that the service has now: what is registered follows it.
 */
export async function registerReferencePage(
  store: Store,
  world: Pick<World, 'seal' | 'mint' | 'time'>,
  fleetId: string,
  baseUrl: string,
): Promise<void> {
  const redirectUri = `${baseUrl}${REFERENCE_REDIRECT_PATH}`;
  const known = await store.access.findClient(REFERENCE_CLIENT);
  if (known?.redirectUris?.join(' ') === redirectUri) return;
  const permissions = PERMISSIONS.map((row) => row.name);
  const client = { id: REFERENCE_CLIENT, isPublic: true, redirectUris: [redirectUri] };
  await registerClient(store.access, world, { ...client, fleetId, permissions });
}

async function stock(
  store: Store,
  world: Pick<World, 'seal'>,
  fleetId: string,
  { boxId, secret, generation, sim }: BoxPlan,
): Promise<void> {
  if ((await store.vehicles.findUnit(boxId)) !== undefined) return;
  const boxSecretHash = world.seal.digest(secret);
  await store.vehicles.saveUnit({ boxId, fleetId, boxSecretHash, generation, sim });
}

/** The maker of the demonstration: a row of backend/third-party/makers.ts. */
export const DEMO_MAKER = 'northwind';

/** Links a vehicle to each of the maker's cars. What is there already stays as it is. */
export async function linkCars(
  store: Store,
  world: Pick<World, 'time'>,
  identity: Identity,
  cars: readonly CarPlan[],
): Promise<void> {
  for (const car of cars) {
    if ((await store.vehicles.find(car.vehicleId)) !== undefined) continue;
    await store.vehicles.create({
      id: car.vehicleId,
      fleetId: identity.fleet_id,
      telematics: { maker: { name: DEMO_MAKER, vehicleId: car.carId } },
      model: car.model,
      setupStatus: 'SUCCEEDED',
      masterData: masterData(car),
      customFields: {},
      tags: ['demo'],
      atMs: world.time.nowMs(),
    });
  }
}

function masterData(
  plan: Pick<BoxPlan, 'model' | 'vin' | 'licensePlate'>,
): Record<string, string | number | null> {
  const model = MODELS.get(plan.model) ?? MAKER_MODELS.get(plan.model);
  return {
    vin: plan.vin,
    license_plate: plan.licensePlate,
    brand: model?.brand ?? null,
    model: model?.series ?? null,
    fuel_type: model?.fuelType ?? null,
    vehicle_type: model?.vehicleType ?? null,
  };
}
