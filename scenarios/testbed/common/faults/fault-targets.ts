import type { Store } from '../../../../backend/store/port/store.ts';
import type { FleetBox } from '../../../../simulator/box/fleet-box.ts';
import type { SimProviderName } from '../../../../simulator/box-plan.ts';
import type { SimState } from '../../../../simulator/firmware/core/box-hardware.ts';
import { type MakerBehaviour, NORMAL_BEHAVIOUR } from '../../../../simulator/maker-cloud/behaviour.ts';
import type { MakerCloud } from '../../../../simulator/maker-cloud/cloud.ts';
import type { SimProviderMode } from '../../../../simulator/sim-provider/provider.ts';
import type { SimProviders } from '../../../../simulator/sim-provider/providers.ts';
import type { InstallationFault } from '../../../../simulator/vehicle/sensing/vehicle-ports.ts';
import type { VirtualAmqpBroker } from '../../../../world/amqp/virtual-amqp-broker.ts';
import type { VirtualMqttBroker } from '../../../../world/mqtt/virtual-mqtt-broker.ts';
import type { NetworkFaults } from '../../../../world/network-faults/network-faults.ts';
import type { SharedCell } from '../../../../world/network-faults/shared-cell.ts';
import { testbedLimits } from '../../../limits.ts';
import type { ApiClients } from '../api-clients.ts';
import type { ServiceLifecycle } from '../service-runner.ts';
import type { ProbeBoxes } from './active-fault.ts';
import { CardSwaps } from './card-swaps.ts';
import { ClientChanges } from './client-changes.ts';
import type { CrashPoints } from './crash-points.ts';
import { FaultLayers, latestOf, worstOf } from './fault-layers.ts';
import type { FlashFaults } from './flash-faults.ts';
import type { StoreFaultLayers } from './store-faults.ts';

export type Coverage = 'good' | 'poor' | 'none';

/** What faults act on. */
export interface FaultTargets {
  readonly world: FaultWorld;
  readonly service: ServiceLifecycle;
  readonly simProviders: SimProviders;
  readonly storeFaults: StoreFaultLayers;
  readonly flashFaults: FlashFaults;
  readonly crashPoints: CrashPoints;
  readonly cardSwaps: CardSwaps;
  readonly clientChanges: ClientChanges;
  readonly boxOf: (boxId: string) => FleetBox | undefined;
  /** The content of a file next to the scenario; undefined: no such file. */
  readonly readFile: (file: string) => string | undefined;
  readonly makerCloud: () => MakerCloud | undefined;
  readonly probe: ProbeBoxes;
  /** How many messages wait for the exchange. */
  readonly waitingMessages: () => Promise<number>;
  readonly layers: ReturnType<typeof makeFaultLayers>;
}

/** What weather acts on. */
export type WeatherTargets = Pick<FaultTargets, 'world' | 'layers' | 'readFile' | 'boxOf' | 'probe'>;

/** What breaks act on that need no service which can be started and stopped. */
export type PartTargets = Pick<
  FaultTargets,
  | 'world'
  | 'layers'
  | 'boxOf'
  | 'flashFaults'
  | 'storeFaults'
  | 'simProviders'
  | 'makerCloud'
  | 'probe'
  | 'waitingMessages'
>;

/** What faults act on, with its layers: those of a testbed, and those of a running fleet. */
export function layeredTargets<
  Targets extends Pick<FaultTargets, 'world' | 'boxOf' | 'simProviders' | 'makerCloud'>,
>(targets: Targets): Targets & Pick<FaultTargets, 'layers'> {
  return { ...targets, layers: makeFaultLayers(targets) };
}

/** What faults act on in a testbed, with its clients and its store. */
export function testbedTargets({
  clients,
  store,
  ...targets
}: Omit<FaultTargets, 'layers' | 'cardSwaps' | 'clientChanges'> & {
  readonly clients: Pick<ApiClients, 'idOf' | 'askedBy'>;
  readonly store: () => Pick<Store, 'vehicles' | 'access'>;
}): FaultTargets {
  return layeredTargets({
    ...targets,
    cardSwaps: new CardSwaps(targets.simProviders, targets.boxOf, () => store().vehicles),
    clientChanges: new ClientChanges(
      () => store().access,
      (name) => clients.idOf(name),
      (name) => clients.askedBy(name),
    ),
  });
}

/** The layers of everything on which several faults can act at once. Keys are box ids unless noted. */
function makeFaultLayers({
  world,
  boxOf,
  simProviders,
  makerCloud,
}: Pick<FaultTargets, 'world' | 'boxOf' | 'simProviders' | 'makerCloud'>) {
  const gapsMs = new Map<string, number>();
  return {
    csq: new FaultLayers<number>((boxId, values) => boxOf(boxId)?.setSignalQuality(latestOf(values))),
    coverage: new FaultLayers<Coverage>((boxId, values) =>
      boxOf(boxId)?.setCoverage(worstOf(values, ['good', 'poor', 'none']) !== 'none'),
    ),
    sim: new FaultLayers<SimState>((boxId, values) =>
      boxOf(boxId)?.setSim(worstOf(values, ['active', 'detached', 'suspended']) ?? 'active'),
    ),
    supply: new FaultLayers<true>((boxId, values) =>
      boxOf(boxId)?.setSupply(values.length > 0 ? 'cut' : 'good'),
    ),
    flashFull: new FaultLayers<true>((boxId, values) => boxOf(boxId)?.setFlashFull(values.length > 0)),
    clockDrift: new FaultLayers<number>((boxId, values) =>
      boxOf(boxId)?.setClockDrift(latestOf(values) ?? 0),
    ),
    noGnss: new FaultLayers<true>((boxId, values) => boxOf(boxId)?.setGnssReception(values.length === 0)),
    /** The gap at the border in milliseconds, in both directions. */
    abroad: new FaultLayers<number>((boxId, values) => {
      const gapMs = latestOf(values) ?? gapsMs.get(boxId) ?? 0;
      gapsMs.set(boxId, gapMs);
      boxOf(boxId)?.crossBorder(values.length > 0, gapMs);
    }),
    hang: new FaultLayers<true>((boxId, values) =>
      boxOf(boxId)?.hang(values.length > 0 ? testbedLimits.hangMs : 0),
    ),
    error: new FaultLayers<{ readonly text: string; readonly isPassing: boolean }>((boxId, values) =>
      boxOf(boxId)?.setFault(latestOf(values)),
    ),
    installation: new FaultLayers<InstallationFault>((boxId, values) =>
      boxOf(boxId)?.setInstallationFault(latestOf(values)),
    ),
    /** For the single broker. */
    brokerDown: new FaultLayers<true>((_, values) => {
      const isDown = values.length > 0;
      if (world.mqttBroker.isDown !== isDown) world.mqttBroker.setDown(isDown);
    }),
    brokerInMinority: new FaultLayers<true>((_, values) =>
      world.mqttBroker.setInMinority?.(values.length > 0),
    ),
    exchangeDown: new FaultLayers<true>((_, values) => {
      const isDown = values.length > 0;
      if (world.amqpBroker.isDown !== isDown) world.amqpBroker.setDown(isDown);
    }),
    exchangeRefusing: new FaultLayers<true>((_, values) => world.amqpBroker.setRefusing(values.length > 0)),
    exchangeBlocked: new FaultLayers<true>((_, values) => world.amqpBroker.setBlocked(values.length > 0)),
    /** Why the service is down; undoing the last reason starts it. */
    backendDown: new FaultLayers<true>(() => undefined),
    /** By the name of the provider. */
    simProvider: new FaultLayers<SimProviderMode>((name, values) =>
      simProviders.setMode(name as SimProviderName, latestOf(values) ?? 'works'),
    ),
    /** The cells that boxes share, by the settings of their step. */
    cells: new Map<object, SharedCell>(),
    /** By the name of the maker. */
    maker: new FaultLayers<MakerBehaviour>((_, values) =>
      makerCloud()?.setBehaviour(latestOf(values) ?? NORMAL_BEHAVIOUR),
    ),
  };
}

/**
 * The part of a world on which weather and breaks act. It is the virtual world, or proxies and faulty ports
 * over sockets; the words are the same for both.
 */
export interface FaultWorld {
  readonly networkFaults: NetworkFaults;
  readonly mqttBroker: Pick<VirtualMqttBroker, 'restart' | 'isDown' | 'setDown' | 'metCount'> &
    Partial<Pick<VirtualMqttBroker, 'setInMinority'>> & {
      /** What it keeps for absent clients cannot be observed, and is not counted. */
      readonly hidesSessions?: boolean;
    };
  readonly amqpBroker: Pick<
    VirtualAmqpBroker,
    | 'isDown'
    | 'setDown'
    | 'setBlocked'
    | 'setRefusing'
    | 'swallowConfirms'
    | 'delayConfirms'
    | 'losePublications'
    | 'doublePublications'
    | 'cut'
    | 'counts'
  > &
    Partial<Pick<VirtualAmqpBroker, 'deleteQueue'>>;
}
