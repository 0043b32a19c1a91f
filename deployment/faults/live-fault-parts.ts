import type { FlashFaults } from '../../scenarios/testbed/common/faults/flash-faults.ts';
import type { StoreFaultLayers } from '../../scenarios/testbed/common/faults/store-faults.ts';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import type { FaultPort } from '../../simulator/control/fault-api.ts';
import type { MakerCloud } from '../../simulator/maker-cloud/cloud.ts';
import type { SimProviders } from '../../simulator/sim-provider/providers.ts';
import type { FaultyAmqpPublisher } from '../../world/amqp/faulty-amqp-publisher.ts';
import type { Time } from '../../world/time/time.ts';
import type { Cuttable } from './cuttable-peers.ts';
import type { LiveLinks } from './live-links.ts';

/** What can be disturbed in a part of a deployment, or why it cannot. */
export type Disturbable<Part> = Part | { readonly trouble: string };

export interface LiveFaultParts {
  readonly time: Time;
  readonly boxOf: (boxId: string) => FleetBox | undefined;
  readonly boxIds: () => readonly string[];
  readonly sims: () => SimProviders;
  readonly cloud: () => MakerCloud | undefined;
  readonly flashFaults: FlashFaults;
  readonly links: Disturbable<LiveLinks>;
  /** Of the service, at the same broker as the links; absent: the service does not run here. */
  readonly serviceMqtt?: Cuttable;
  readonly exchange: Disturbable<FaultyAmqpPublisher>;
  readonly store: Disturbable<StoreFaultLayers>;
  /** The number of the service's messages that wait for the exchange; absent: the service does not run here. */
  readonly waitingMessages?: () => Promise<number>;
}

/** The faults of what runs here. The scenario language is loaded at the first use: no start waits for it. */
export function liveFaults(parts: LiveFaultParts): FaultPort & { stop(): Promise<void> } {
  let loading: Promise<FaultPort & { stop(): Promise<void> }> | undefined;
  const loaded = () => {
    loading ??= import('./live-faults.ts').then(({ LiveFaults }) => new LiveFaults(parts));
    return loading;
  };
  return {
    words: async () => (await loaded()).words(),
    inForce: async () => (loading === undefined ? [] : (await loaded()).inForce()),
    ended: async () => (loading === undefined ? [] : (await loaded()).ended()),
    begin: async (boxIds, wish) => (await loaded()).begin(boxIds, wish),
    lift: async (id) => (loading === undefined ? undefined : (await loaded()).lift(id)),
    stop: async () => (loading === undefined ? undefined : (await loaded()).stop()),
  };
}
