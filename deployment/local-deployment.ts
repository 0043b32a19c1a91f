import { StoreFaultLayers } from '../scenarios/testbed/common/faults/store-faults.ts';
import { Traffic } from '../simulator/vehicle/driving/traffic.ts';
import { openRealFlash } from '../world/flash/real-flash.ts';
import type { Random } from '../world/random/random.ts';
import { openRealWorld, type RealWorld, type RealWorldOptions } from '../world/real-world.ts';
import { startEmbeddedMqtt } from './brokers/embedded-mqtt.ts';
import { limits as checkLimits } from './checks/limits.ts';
import type { DemoRoutes } from './demo/demo-plans.ts';
import { demoRoutes, exampleCommand, parked, planDemo, replaying } from './demo/demo-plans.ts';
import { type DataDirectory, flashNamesIn } from './directory/data-directory.ts';
import type { IdentitySecrets } from './directory/identity-secrets.ts';
import { refuseStoreOptions } from './directory/open-store.ts';
import { openServiceIdentity } from './directory/service-directory.ts';
import { serviceFaults } from './faults/service-faults.ts';
import { listenToFrames } from './fleet/frame-tap.ts';
import { openBoxes } from './fleet/open-boxes.ts';
import { noteOpenHost } from './http/public-address.ts';
import { mqttAuthority } from './input/authority-file.ts';
import { refuseFaultyModels } from './models/checked-models.ts';
import { holdOwnModels } from './models/held-models.ts';
import { openAmqpAndOnboard, openServiceBase, serviceWorldOptions } from './service/service-base.ts';
import { makeServiceOverrides } from './service/service-overrides.ts';
import { allDone } from './shared/all-done.ts';
import { CommandError } from './shared/command-error.ts';
import type { LocalDeploymentOptions } from './shared/deployment-options.ts';
import { closedAtTheEnd, Disposables } from './shared/disposables.ts';
import { FiguresSource, type LiveFigures } from './shared/live-figures.ts';
import type { ReadyFacts } from './shared/ready-facts.ts';
import { asUserError } from './shared/user-errors.ts';

export interface LocalDeployment {
  /**
   * Resolves when requests are answered. Those that would change a vehicle, and those of the simulator, wait for
   * `ready`. Rejects where `ready` does.
   */
  readonly reachable: Promise<ReadyFacts>;
  /** Resolves when every box accepts commands, with a bounded wait for the last ones (`fleetSettled`). */
  readonly ready: Promise<ReadyFacts>;
  /** Its current figures. */
  readonly figures: () => LiveFigures;
  /** Ends everything, also while it is still starting, the last started first; acknowledged data stays. */
  close(): Promise<void>;
}

/**
 * Starts it all. `ready` rejects with a `CommandError` where a value that the user gave cannot be used; then everything
 * that was started is ended, and a new data directory is removed.
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
      // A refused start has had no effect; one that is ended or fails in between may have.
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
  const directory = await openServiceIdentity(options);
  opened(directory);
  holdOwnModels(directory.modelsPath, flashNamesIn(directory.path).length === 0);
  const { identity } = directory;
  const base = await openServiceBase({ options, directory, notices, disposables });
  const { log, secrets, user } = base;
  const plans = planLocalFleet(options, { onRoute, drives }, base.world.random, secrets.boxSecret);
  const { vehicles, cars, shelf, everyBox } = plans;
  const isDriven = options.drivers === true;

  const known = new Map(everyBox.map(({ boxId, secret }) => [boxId, secret]));
  const { store, shared, installationId } = await base.opening;
  const broker =
    options.mqtt === 'embedded'
      ? await startEmbeddedMqtt({
          options,
          log,
          notices,
          password: secrets.mqttPassword,
          secretOf: (boxId) => known.get(boxId),
        })
      : undefined;
  if (broker !== undefined) await disposables.add(() => broker.close());
  const mqttUrl = broker?.url ?? options.mqtt;
  const storeFaults = new StoreFaultLayers();
  const [amqp, flash, overrides, { startLocalService }] = await allDone([
    openAmqpAndOnboard(base, store, { vehicles, stock: shelf, cars }),
    closedAtTheEnd(disposables, openRealFlash(directory.flashPath())),
    makeServiceOverrides(store, base.world, identity.fleet_id, storeFaults),
    // The larger half of the program is loaded while threads open their files.
    import('./service/local-service.ts'),
  ]);
  const worldOptions = { ...serviceWorldOptions(base, { mqttUrl, mqttCa, amqp }), flash };
  const world = await openHeardWorld(worldOptions, options, disposables);

  const traffic = isDriven ? new Traffic() : undefined;
  // A payload that a box sends before the service accepts it would wait for the box's next attempt.
  const accepting = Promise.withResolvers<void>();
  const boxes = await openBoxes({
    world,
    plans: everyBox,
    mqttUrl,
    routes,
    traffic,
    ...(options.rampPerSecond === undefined ? {} : { rampPerSecond: options.rampPerSecond }),
    until: accepting.promise,
    disposables,
  });
  // Boxes take a second from power to their connection, and the service is ready by then. An external broker may be
  // unreachable for long: no box connects before the service has.
  const early = broker === undefined ? undefined : boxes.start();
  early?.catch(() => undefined);

  // Boxes use sockets in any case; the service needs none to a broker in the same process.
  const disturbed = serviceFaults(world, broker === undefined ? world.mqtt : broker.inProcess, storeFaults);
  return startLocalService({
    options,
    disposables,
    notices,
    directory,
    store,
    world: { ...world, mqtt: disturbed.mqtt, amqp: disturbed.amqp },
    amqp,
    overrides,
    user,
    log,
    shared,
    installationId,
    plans,
    mqttUrl,
    isBrokerEmbedded: broker !== undefined,
    routes,
    traffic,
    faultParts: {
      ...boxes.faultParts,
      ...disturbed.parts,
      waitingMessages: async () => (await store.outbox.size()).messages,
    },
    storeOfService: storeFaults.wrap(store, world.time),
    taken: accepting.resolve,
    boxes: () => early ?? boxes.start(),
    seen: (read) => figures.readFrom(read),
    reachable,
  });
}

/** A world whose frames `onFrame` hears. */
async function openHeardWorld(
  worldOptions: RealWorldOptions,
  { onFrame }: Pick<LocalDeploymentOptions, 'onFrame'>,
  disposables: Disposables,
): Promise<RealWorld> {
  const world = await openRealWorld(worldOptions);
  if (onFrame !== undefined) await disposables.add(listenToFrames(world.trace, world.time, onFrame));
  return world;
}

/** The planned fleet; one with drivers is parked until these begin. */
function planLocalFleet(
  options: Pick<
    LocalDeploymentOptions,
    'vehicles' | 'radio' | 'drivers' | 'makerVehicles' | 'unassignedDevices'
  >,
  { onRoute, drives }: Pick<DemoRoutes, 'onRoute' | 'drives'>,
  random: Random,
  boxSecret: IdentitySecrets['boxSecret'],
) {
  const planned = planDemo(
    random,
    options.vehicles,
    { ...onRoute, radio: options.radio ?? 'ideal' },
    boxSecret,
    options,
  );
  const isDriven = options.drivers === true;
  const vehicles = replaying(isDriven ? parked(planned.vehicles) : planned.vehicles, drives);
  return {
    vehicles,
    cars: isDriven ? parked(planned.cars) : planned.cars,
    shelf: planned.shelf,
    everyBox: [...vehicles, ...planned.shelf],
    example: exampleCommand(replaying(planned.vehicles, drives)),
  };
}

/**
 * The prerequisites that a large fleet may lack here; rejects with a `CommandError` where it cannot work. A small one
 * is not checked.
 */
async function noticesOfFleet({
  vehicles,
  mqtt,
  drivers,
}: LocalDeploymentOptions): Promise<readonly string[]> {
  if (vehicles < checkLimits.checkedVehicles) return [];
  const { refuseTooLargeFleet } = await import('./checks/fleet-checks.ts');
  return refuseTooLargeFleet({
    vehicles,
    hasBothEnds: mqtt === 'embedded',
    isDriven: drivers === true,
  });
}
