import { type Fleet, startFleet } from '../../simulator/fleet/fleet.ts';
import { Traffic } from '../../simulator/vehicle/driving/traffic.ts';
import { realCrypto } from '../../world/crypto/real-crypto.ts';
import { openRealFlash } from '../../world/flash/real-flash.ts';
import { realHttp } from '../../world/http/real-http.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import { realLog } from '../../world/log/real-log.ts';
import { realRandom } from '../../world/random/real-random.ts';
import { openRealWorld } from '../../world/real-world.ts';
import { realTime } from '../../world/time/real-time.ts';
import { limits as checkLimits } from '../checks/limits.ts';
import { demoUser, linkCars, onboardFleet } from '../demo/demo-fleet.ts';
import { demoRoutes, exampleCommand, parked, planDemo, replaying } from '../demo/demo-plans.ts';
import { openBoxFaults } from '../faults/box-faults.ts';
import { serviceFaults } from '../faults/service-faults.ts';
import { FiguresSource, type LiveFigures } from '../live/live-figures.ts';
import { holdOwnModels } from '../models/held-models.ts';
import { allDone } from '../shared/all-done.ts';
import { mqttAuthority } from '../shared/authority-file.ts';
import { CommandError } from '../shared/command-error.ts';
import { Disposables } from '../shared/disposables.ts';
import { asUserError } from '../shared/user-errors.ts';
import { openStore, refuseStoreOptions } from '../store/open-store.ts';
import type { ReadyFacts } from './banner.ts';
import { refuseFaultyModels } from './checked-models.ts';
import { type DataDirectory, flashNamesIn } from './data-directory.ts';
import { type LocalDeploymentOptions, noteOpenHost } from './deployment-options.ts';
import { startEmbeddedMqtt } from './embedded-mqtt.ts';
import { heldMqtt } from './held-mqtt.ts';
import { secretsOf } from './identity-secrets.ts';
import { openAmqp } from './local-amqp.ts';
import { installationOf, openIdentity } from './open-identity.ts';
import { makeServiceOverrides } from './service-overrides.ts';

export interface LocalDeployment {
  /**
   * Resolves when requests are answered. Those that would change a vehicle, and those of the simulator, wait for
   * `ready`. Rejects where `ready` does.
   */
  readonly reachable: Promise<ReadyFacts>;
  /** Resolves when boxes have their connections and configuration, or after a while. */
  readonly ready: Promise<ReadyFacts>;
  /** What can be seen of it now. */
  readonly figures: () => LiveFigures;
  /** Ends everything, also while it is still starting, the last started first; what was acknowledged stays. */
  close(): Promise<void>;
}

/**
 * Starts it all. `ready` rejects with a `CommandError` where something that the user gave cannot be used; whatever had been started is ended again then, and a data
 * directory that was not there before is gone again.
 */
export function startLocalDeployment(options: LocalDeploymentOptions): LocalDeployment {
  const disposables = new Disposables();
  let isClosed = false;
  let directory: DataDirectory | undefined;
  const reached = Promise.withResolvers<ReadyFacts>();
  const onOpened = (opened: DataDirectory) => {
    directory = opened;
  };
  const figures = new FiguresSource();
  const ready = startAll(options, disposables, onOpened, figures, reached.resolve).catch(
    async (error: unknown) => {
      await disposables.close();
      const told = asUserError(error, options.store);
      // What was refused has done nothing; whoever ends a start, or a start that breaks, may have.
      if (told instanceof CommandError && !isClosed) directory?.takeBack();
      throw told;
    },
  );
  const close = (): Promise<void> => {
    isClosed = true;
    return disposables.close();
  };
  const reachable = Promise.race([reached.promise, ready]);
  reachable.catch(() => undefined);
  return { reachable, ready, figures: figures.read, close };
}

async function startAll(
  options: LocalDeploymentOptions,
  disposables: Disposables,
  opened: (directory: DataDirectory) => void,
  figures: FiguresSource,
  reachable: (facts: ReadyFacts) => void,
): Promise<ReadyFacts> {
  refuseFaultyModels();
  refuseStoreOptions(options);
  const mqttCa = mqttAuthority(options.mqtt, options.mqttCa);
  const notices = [...(await noticesOfFleet(options))];
  const { routes, onRoute, drives, remarks } = await demoRoutes(options.routeFile, options.drives);
  notices.push(...remarks);
  const hasBroker = options.mqtt === 'embedded' || options.amqp === 'embedded';
  noteOpenHost(notices, options.host, ['api', ...(hasBroker ? (['brokers'] as const) : []), 'simulator']);
  const directory = await openIdentity(options);
  opened(directory);
  holdOwnModels(directory.modelsPath, flashNamesIn(directory.path).length === 0);
  const { identity } = directory;
  const log = realLog(options.logLevel);
  const time = realTime();
  const ids = realIds(time);
  const random = realRandom(identity.seed);
  // It begins while the fleet is planned.
  const opening = closedAtTheEnd(disposables, openStore(options, directory, { time, ids, random }));
  opening.catch(() => undefined);
  const crypto = await realCrypto(identity.signing_key);
  const secrets = secretsOf(crypto, identity);
  const planned = planDemo(
    random,
    options.vehicles,
    { ...onRoute, radio: options.radio ?? 'ideal' },
    secrets.boxSecret,
  );
  const isDriven = options.drivers === true;
  const vehicles = replaying(isDriven ? parked(planned.vehicles) : planned.vehicles, drives);
  const cars = isDriven ? parked(planned.cars) : planned.cars;
  const { shelf } = planned;
  const everyBox = [...vehicles, ...shelf];

  const known = new Map(everyBox.map(({ boxId, secret }) => [boxId, secret]));
  const { store, shared } = await opening;
  const isShared = shared !== undefined;
  const installationId = await installationOf(store.installation, { crypto, time, ids }, isShared);
  const broker =
    options.mqtt === 'embedded'
      ? await startEmbeddedMqtt({
          ...{ options, log, notices, password: secrets.mqttPassword },
          secretOf: (boxId) => known.get(boxId),
        })
      : undefined;
  if (broker !== undefined) await disposables.add(() => broker.close());
  const mqttUrl = broker?.url ?? options.mqtt;
  const user = demoUser(crypto, identity);
  const onboarding = { crypto, time, ids };
  const amqpParts = { options, directory, store, crypto, log, notices };
  const [amqp, flash, overrides, { startLocalService }] = await allDone([
    closedAtTheEnd(disposables, openAmqp({ ...amqpParts, http: realHttp(), nowMs: time.nowMs() })),
    closedAtTheEnd(disposables, openRealFlash(directory.flashPath())),
    makeServiceOverrides(store, onboarding, identity.fleet_id),
    // The larger half of the program is loaded while threads open their files.
    import('./local-service.ts'),
    onboardFleet(store, onboarding, identity, vehicles, shelf, {
      user,
      redirectUri: options.redirectUri,
    }).then(() => linkCars(store, onboarding, identity, cars)),
  ]);
  const world = await openRealWorld({
    seed: identity.seed,
    mqttUrl,
    amqpUrl: amqp?.url,
    ...(amqp?.ca === undefined ? {} : { amqpCa: amqp.ca }),
    ...(mqttCa === undefined ? {} : { mqttCa }),
    flash,
    signingKey: identity.signing_key,
    log,
  });

  const traffic = isDriven ? new Traffic() : undefined;
  const taking = Promise.withResolvers<void>();
  let fleetNow: Fleet | undefined;
  const boxOf = (boxId: string) => fleetNow?.boxes.get(boxId);
  const boxFaults = await openBoxFaults({ world, mqttUrl, boxes: everyBox, boxOf, disposables });
  const held = { ...world, mqtt: heldMqtt(boxFaults.mqtt, taking.promise), flash: boxFaults.flash };
  const { rampPerSecond } = options;
  const ramp = rampPerSecond === undefined ? {} : { rampPerSecond };
  const startBoxes = () =>
    startedFleet(disposables, startFleet(held, everyBox, { routes, traffic, ...ramp }), (fleet) => {
      fleetNow = fleet;
    });
  // Boxes take a second from power to their connection, and the service is there by then. A broker of the user's may
  // be away for long: no box looks for it before the service has found it.
  const early = broker === undefined ? undefined : startBoxes();
  early?.catch(() => undefined);

  // Boxes have sockets in any case; the service needs none to a broker beside it.
  const disturbed = serviceFaults(world, broker === undefined ? world.mqtt : broker.inProcess);
  const ofService = { ...world, mqtt: disturbed.mqtt, amqp: disturbed.amqp };
  const faultParts = {
    ...{ time: world.time, boxOf, boxIds: () => [...(fleetNow?.boxes.keys() ?? [])] },
    ...{ flashFaults: boxFaults.flashFaults, links: boxFaults.links, ...disturbed.parts },
    waitingMessages: async () => (await store.outbox.size()).messages,
  };
  return startLocalService({
    ...{ options, disposables, notices, directory, store, world: ofService, amqp, overrides, user, log },
    ...{ shared, installationId },
    plans: { vehicles, cars, everyBox, example: exampleCommand(replaying(planned.vehicles, drives)) },
    mqttUrl,
    isBrokerEmbedded: broker !== undefined,
    ...{ routes, traffic, faultParts, wrapStore: disturbed.wrapStore },
    taken: taking.resolve,
    boxes: () => early ?? startBoxes(),
    seen: (read) => figures.readFrom(read),
    reachable,
  });
}

/** What a large fleet may lack here; rejects with a `CommandError` where it cannot work. A small one is not looked at. */
async function noticesOfFleet({
  vehicles,
  mqtt,
  drivers,
}: LocalDeploymentOptions): Promise<readonly string[]> {
  if (vehicles < checkLimits.checkedVehicles) return [];
  const { refuseTooLargeFleet } = await import('../checks/fleet-checks.ts');
  return refuseTooLargeFleet({
    vehicles,
    hasBothEnds: mqtt === 'embedded',
    isDriven: drivers === true,
  });
}

/** Passes an opened part on, which is closed at the end, or at once if that has come. */
async function closedAtTheEnd<Part extends { close(): Promise<void> } | undefined>(
  disposables: Disposables,
  opening: Promise<Part>,
): Promise<Part> {
  const part = await opening;
  if (part !== undefined) await disposables.add(() => part.close());
  return part;
}

/** A fleet that ends with the last at the end, and once; `end` is for it to end earlier than what it was started before. */
async function startedFleet(
  disposables: Disposables,
  starting: Promise<Fleet>,
  started: (fleet: Fleet) => void,
): Promise<{ readonly fleet: Fleet; end(): Promise<void> }> {
  const fleet = await starting;
  started(fleet);
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= fleet.stop();
    return ended;
  };
  await disposables.add(end);
  return { fleet, end };
}
