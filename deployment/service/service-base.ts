import type { Store } from '../../backend/store/port/store.ts';
import type { BoxPlan } from '../../simulator/box-plan.ts';
import type { CarPlan } from '../../simulator/maker-cloud/car-plan.ts';
import { realCrypto } from '../../world/crypto/real-crypto.ts';
import { realHttp } from '../../world/http/real-http.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import type { Log } from '../../world/log/log.ts';
import { realLog } from '../../world/log/real-log.ts';
import { realRandom } from '../../world/random/real-random.ts';
import type { RealWorldOptions } from '../../world/real-world.ts';
import { realTime } from '../../world/time/real-time.ts';
import type { World } from '../../world/world.ts';
import type { AmqpEndpoint } from '../brokers/amqp-addresses.ts';
import { openAmqp } from '../brokers/local-amqp.ts';
import { type DemoUser, demoUser, linkCars, onboardFleet } from '../demo/demo-fleet.ts';
import { type IdentitySecrets, noteRevealedSecrets, secretsOf } from '../directory/identity-secrets.ts';
import { installationOf } from '../directory/open-identity.ts';
import { type OpenedStore, openStore } from '../directory/open-store.ts';
import { keepClient, type ServiceDirectory } from '../directory/service-directory.ts';
import { allDone } from '../shared/all-done.ts';
import type { LocalDeploymentOptions } from '../shared/deployment-options.ts';
import { closedAtTheEnd, type Disposables } from '../shared/disposables.ts';

type BaseOptions = Pick<
  LocalDeploymentOptions,
  | 'mqtt'
  | 'amqp'
  | 'amqpPort'
  | 'amqpsPort'
  | 'amqpOwner'
  | 'amqpTap'
  | 'givenAmqp'
  | 'host'
  | 'store'
  | 'storeCa'
  | 'redirectUri'
  | 'logLevel'
>;

/** What a service of a data directory needs before its brokers, wherever these and its boxes run. */
export interface ServiceBase {
  readonly options: BaseOptions;
  readonly directory: ServiceDirectory;
  readonly world: Pick<World, 'crypto' | 'time' | 'ids' | 'random'>;
  readonly log: Log;
  readonly secrets: IdentitySecrets;
  /** The person of the demo fleet. */
  readonly user: DemoUser;
  /** It opens while the fleet is planned. Rejects as `openStore` and `installationOf` do. */
  readonly opening: Promise<ServiceStore>;
  readonly notices: string[];
  readonly disposables: Disposables;
}

/** A store with the installation that it belongs to. */
export interface ServiceStore extends Pick<OpenedStore, 'store' | 'shared'> {
  readonly installationId: string;
}

/** Reads the secrets of an identity, and begins to open the store. */
export async function openServiceBase(
  parts: Pick<ServiceBase, 'options' | 'directory' | 'notices' | 'disposables'>,
): Promise<ServiceBase> {
  const { options, directory, notices, disposables } = parts;
  const { identity } = directory;
  noteRevealedSecrets(notices, options.mqtt, identity);
  const time = realTime();
  const ids = realIds(time);
  const random = realRandom(identity.seed);
  // An embedded broker is in the process of the boxes (backend-part.ts has the address of its own).
  const isWithBoxes = options.mqtt === 'embedded';
  const stored = closedAtTheEnd(
    disposables,
    openStore(options, directory, { time, ids, random }, isWithBoxes),
  );
  stored.catch(() => undefined);
  const crypto = await realCrypto(identity.signing_key);
  const world = { crypto, time, ids, random };
  const opening = stored.then(async ({ store, shared }) => {
    const installationId = await installationOf(store.installation, world, shared !== undefined);
    return { store, shared, installationId };
  });
  opening.catch(() => undefined);
  const secrets = secretsOf(crypto, identity);
  return {
    ...parts,
    world,
    log: realLog(options.logLevel),
    secrets,
    user: demoUser(crypto, identity),
    opening,
  };
}

/**
 * Opens the message broker, and adds the demo fleet to the store. Resolves with undefined where messages are not
 * published. Rejects with a `CommandError` where a given value cannot be used.
 */
export async function openAmqpAndOnboard(
  base: ServiceBase,
  store: Store,
  fleet: {
    readonly vehicles: readonly BoxPlan[];
    /** Boxes without a vehicle. */
    readonly stock: readonly BoxPlan[];
    readonly cars: readonly CarPlan[];
  },
): Promise<AmqpEndpoint | undefined> {
  const { options, directory, world, log, user, notices, disposables } = base;
  const { identity } = directory;
  const { crypto, time } = world;
  const opening = openAmqp({
    options,
    directory,
    store,
    crypto,
    http: realHttp(),
    nowMs: time.nowMs(),
    log,
    notices,
  });
  const people = { user, redirectUri: options.redirectUri };
  const [amqp] = await allDone([
    closedAtTheEnd(disposables, opening),
    onboardFleet(store, world, identity, fleet.vehicles, fleet.stock, people)
      .then(() => linkCars(store, world, identity, fleet.cars))
      .then(() => keepClient(directory, store)),
  ]);
  return amqp;
}

/** The addresses and keys of the world of a service. */
export function serviceWorldOptions(
  { log, directory }: Pick<ServiceBase, 'log' | 'directory'>,
  {
    mqttUrl,
    mqttCa,
    amqp,
  }: {
    readonly mqttUrl: string;
    readonly mqttCa: string | undefined;
    readonly amqp: AmqpEndpoint | undefined;
  },
): Omit<RealWorldOptions, 'flash'> {
  const { identity } = directory;
  return {
    seed: identity.seed,
    mqttUrl,
    amqpUrl: amqp?.url,
    ...(amqp?.ca === undefined ? {} : { amqpCa: amqp.ca }),
    ...(mqttCa === undefined ? {} : { mqttCa }),
    signingKey: identity.signing_key,
    log,
  };
}
