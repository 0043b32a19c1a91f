import { registerClient } from '../../backend/access/clients.ts';
import { type NewUser, registerUser } from '../../backend/access/users.ts';
import { NameTaken } from '../../backend/store/port/grants-store.ts';
import type { Store } from '../../backend/store/port/store.ts';
import { PERMISSIONS } from '../../contract/permissions.ts';
import { knownModel } from '../../protocol/models/known-models.ts';
import { MAKER_MODELS } from '../../protocol/models/maker-models.ts';
import type { BoxPlan } from '../../simulator/box-plan.ts';
import type { CarPlan } from '../../simulator/maker-cloud/car-plan.ts';
import type { World } from '../../world/world.ts';
import type { Identity } from '../directory/data-directory.ts';
import { secretsOf } from '../directory/identity-secrets.ts';
import { allDone } from '../shared/all-done.ts';
import { limits } from '../shared/limits.ts';

/** The user's own programs receive the code there, on any port. */
export const LOOPBACK_CALLBACK = 'http://127.0.0.1/callback';

/** For one in so many vehicles the maintenance capabilities are not booked. */
const UNBOOKED_IN = 4;

/** The person who signs in to the demo fleet. */
export interface DemoUser {
  readonly name: string;
  readonly password: string;
}

/** The person of a data directory: the password is derived from a secret of the directory. */
export function demoUser(crypto: World['crypto'], identity: Identity): DemoUser {
  return {
    name: 'demo',
    password: secretsOf(crypto, identity).userPassword,
  };
}

/**
 * Adds the fleet of `up` to the store: its client and a person, both with every permission, a vehicle that is set up
 * for each plan, and the boxes of the shelf as its stock. Existing data stays unchanged, so that a restart continues;
 * only the client's redirect URIs and a chosen secret are updated.
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
  // A chosen secret may be another one than at the last start.
  const isKnown =
    client !== undefined &&
    (identity.client_is_fixed !== true ||
      (await world.crypto.verifySecret(identity.client_secret, client.secretHash)));
  const isRegistered = isKnown && client.redirectUris?.join(' ') === redirectUris.join(' ');
  if (!isRegistered) await store.access.saveFleet({ id: fleetId, name: 'Demo' });
  // Concurrent writes share a commit, and secrets are hashed meanwhile.
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

/** Calls `act` for all items, in order, with so many calls at a time. */
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
    // Another backend that starts on this store at the same time has created the same person.
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
  // Offboarded, or in another vehicle by now: the user did that, and it survives a restart.
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

/** The maker of the demo fleet: a row of backend/third-party/makers.ts. */
export const DEMO_MAKER = 'northwind';

/** Adds the maker's cars to the fleet's stock, and links a vehicle to each. Existing data stays unchanged. */
export async function linkCars(
  store: Store,
  world: Pick<World, 'time'>,
  identity: Identity,
  cars: readonly CarPlan[],
): Promise<void> {
  for (const car of cars) {
    if ((await store.vehicles.find(car.vehicleId)) !== undefined) continue;
    const link = { name: DEMO_MAKER, vehicleId: car.carId };
    await store.vehicles.saveMakerUnit({ link, fleetId: identity.fleet_id });
    await store.vehicles.create({
      id: car.vehicleId,
      fleetId: identity.fleet_id,
      telematics: { maker: link },
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
