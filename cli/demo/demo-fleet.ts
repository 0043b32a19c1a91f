import { registerClient } from '../../backend/access/clients.ts';
import { PERMISSIONS } from '../../backend/access/permissions.ts';
import { type NewUser, registerUser } from '../../backend/access/users.ts';
import { NameTaken } from '../../backend/store/port/grants-store.ts';
import type { Store } from '../../backend/store/port/store.ts';
import { knownModel } from '../../protocol/models/known-models.ts';
import { MAKER_MODELS } from '../../protocol/models/maker-models.ts';
import type { BoxPlan } from '../../simulator/box/box-plan.ts';
import type { CarPlan } from '../../simulator/maker-cloud/car-plan.ts';
import type { World } from '../../world/world.ts';
import { limits } from '../limits.ts';
import type { Identity } from '../server/data-directory.ts';
import { secretsOf } from '../server/identity-secrets.ts';
import { allDone } from '../shared/all-done.ts';

/** Programs of the user's own catch the code there, on whichever port they get. */
export const LOOPBACK_CALLBACK = 'http://127.0.0.1/callback';

/** For one in so many vehicles the maintenance capabilities are not booked. */
const UNBOOKED_IN = 4;

/** Who signs in to the demo fleet. */
export interface DemoUser {
  readonly name: string;
  readonly password: string;
}

/** The person of a data directory: the password follows from what only the directory knows. */
export function demoUser(crypto: World['crypto'], identity: Identity): DemoUser {
  return {
    name: 'demo',
    password: secretsOf(crypto, identity).userPassword,
  };
}

/**
 * Makes the store know the fleet that `up` runs: its client and a person, both with every permission, a vehicle set up
 * for each plan, and the boxes of the shelf in its stock. What is there already stays as it is, so that a restart goes
 * on; only the client's redirect URIs follow what is given.
 */
export async function onboardFleet(
  store: Store,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
  identity: Identity,
  plans: readonly BoxPlan[],
  shelf: readonly BoxPlan[],
  people: { readonly user: DemoUser; readonly redirectUri: string | undefined },
): Promise<void> {
  const fleetId = identity.fleet_id;
  const permissions = PERMISSIONS.map((row) => row.name);
  const redirectUris = [LOOPBACK_CALLBACK, ...(people.redirectUri === undefined ? [] : [people.redirectUri])];
  const client = await store.access.findClient(identity.client_id);
  const isRegistered = client?.redirectUris?.join(' ') === redirectUris.join(' ');
  if (!isRegistered) await store.access.saveFleet({ id: fleetId, name: 'Demo' });
  // What is written at the same time shares a commit, and secrets are hashed meanwhile.
  const { client_id: id, client_secret: secret } = identity;
  await allDone([
    isRegistered
      ? Promise.resolve()
      : registerClient(store.access, world, { fleetId, permissions, id, secret, redirectUris }),
    registerDemoUser(store, world, { ...people.user, fleetId, permissions }),
    someAtOnce(plans, (plan, index) => onboard(store, world, fleetId, plan, index)),
    someAtOnce(shelf, (plan) => stock(store, world, fleetId, plan)),
  ]);
}

/** Carries `act` out for all items, in their order, so many at the same time. */
async function someAtOnce<Item>(
  items: readonly Item[],
  act: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const atOnce = limits.onboardedAtOnce;
  for (let from = 0; from < items.length; from += atOnce)
    await allDone(items.slice(from, from + atOnce).map((item, index) => act(item, from + index)));
}

async function registerDemoUser(
  store: Store,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
  user: NewUser,
): Promise<void> {
  if ((await store.grants.findUserByName(user.name)) !== undefined) return;
  await registerUser(store.grants, world, user).catch((error: unknown) => {
    // Another backend that begins on this store at the same time has made the same person.
    if (!(error instanceof NameTaken)) throw error;
  });
}

async function onboard(
  store: Store,
  world: Pick<World, 'crypto' | 'time'>,
  fleetId: string,
  plan: BoxPlan,
  index: number,
): Promise<void> {
  // Offboarded, or in another vehicle by now: that was the user's will, and outlives a restart.
  if ((await store.vehicles.findUnit(plan.boxId)) !== undefined) return;
  await store.vehicles.save({
    id: plan.vehicleId,
    fleetId,
    boxId: plan.boxId,
    sim: plan.sim,
    boxSecretHash: world.crypto.digest(plan.secret),
    generation: plan.generation,
    model: plan.model,
    setupStatus: 'SUCCEEDED',
    masterData: masterData(plan),
    tags: ['demo'],
    maintenance: index % UNBOOKED_IN !== UNBOOKED_IN - 1,
    atMs: world.time.nowMs(),
  });
}

async function stock(
  store: Store,
  world: Pick<World, 'crypto'>,
  fleetId: string,
  { boxId, secret, generation, sim }: BoxPlan,
): Promise<void> {
  if ((await store.vehicles.findUnit(boxId)) !== undefined) return;
  const boxSecretHash = world.crypto.digest(secret);
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
  const model = knownModel(plan.model) ?? MAKER_MODELS.get(plan.model);
  return {
    vin: plan.vin,
    license_plate: plan.licensePlate,
    brand: model?.brand ?? null,
    model: model?.series ?? null,
    fuel_type: model?.fuelType ?? null,
    vehicle_type: model?.vehicleType ?? null,
  };
}
