import {
  addLayerTo,
  type ConditionLayer,
  type LayerName,
  type LayerSettings,
  type LinkCounts,
  type NetworkConditions,
  noLinkCounts,
  type PacketFault,
  undisturbed,
} from '../network-faults/conditions.ts';
import { LateCopies } from '../network-faults/late-copies.ts';
import {
  ALL_CLIENTS,
  type ClientTarget,
  type NetworkFaults,
  type Undo,
} from '../network-faults/network-faults.ts';
import type { RealProxy } from './real-proxy.ts';

/** Connects with the account of the box and leaves immediately; `isForgetting`: with a clean session. */
export type ConnectAs = (clientId: string, isForgetting: boolean) => void;

/** Network faults over sockets: a proxy in front of the MQTT broker applies them to connections by their client id. */
export class RealNetworkFaults implements NetworkFaults {
  readonly #connectAs: ConnectAs;
  readonly #layers = new Map<ClientTarget, ConditionLayer[]>();
  readonly #conditions = new Map<string, NetworkConditions>();
  readonly #counts = new Map<string, LinkCounts>();
  readonly #packetFaults = new Map<ClientTarget, readonly PacketFault[]>();
  readonly #lateCopies = new Map<string, LateCopies<Buffer>>();
  #proxy: RealProxy | undefined;

  constructor(connectAs: ConnectAs) {
    this.#connectAs = connectAs;
  }

  /** Connects the faults to the proxy, which reads the conditions and is notified of changes. */
  attach(proxy: RealProxy): void {
    this.#proxy = proxy;
  }

  conditionsOf(name: string): NetworkConditions {
    let conditions = this.#conditions.get(name);
    if (conditions === undefined) {
      conditions = undisturbed();
      for (const layer of this.#layers.get(ALL_CLIENTS) ?? []) addLayerTo(conditions, layer);
      for (const layer of this.#layers.get(name) ?? []) addLayerTo(conditions, layer);
      this.#conditions.set(name, conditions);
    }
    return conditions;
  }

  apply<Name extends LayerName>(
    name: Name,
    target: ClientTarget,
    setting: Omit<LayerSettings[Name], 'sinceMs'>,
  ): Undo {
    const layer = { name, setting: { ...setting, sinceMs: Date.now() } } as unknown as ConditionLayer;
    this.#layers.set(target, [...(this.#layers.get(target) ?? []), layer]);
    this.#changed(target);
    return () => {
      const layers = this.#layers.get(target) ?? [];
      if (!layers.includes(layer)) return;
      this.#layers.set(
        target,
        layers.filter((one) => one !== layer),
      );
      this.#changed(target);
    };
  }

  countsOf(clientId: string): LinkCounts {
    const counts = this.#counts.get(clientId) ?? noLinkCounts();
    this.#counts.set(clientId, counts);
    return counts;
  }

  cut(target: ClientTarget): number {
    return this.#proxy?.cut(nameOf(target)) ?? 0;
  }

  /** Whether a broker keeps a session of a client that is not connected is unknown. */
  loseSession(clientId: string): boolean | undefined {
    const isConnected = this.#isConnected(clientId);
    this.#connectAs(clientId, true);
    return isConnected ? true : undefined;
  }

  takeOver(clientId: string): boolean {
    const isConnected = this.#isConnected(clientId);
    this.#connectAs(clientId, false);
    return isConnected;
  }

  #isConnected(clientId: string): boolean {
    return this.#proxy?.names().includes(clientId) === true;
  }

  /** The faults of single messages of a client, those of all clients first. */
  packetFaultsOf(name: string): readonly PacketFault[] {
    const own = this.#packetFaults.get(name);
    const ofAll = this.#packetFaults.get(ALL_CLIENTS);
    if (own === undefined || ofAll === undefined) return own ?? ofAll ?? [];
    return [...ofAll, ...own];
  }

  /** What all connections of a client share. */
  lateCopiesOf(name: string): LateCopies<Buffer> {
    const copies = this.#lateCopies.get(name) ?? new LateCopies<Buffer>();
    this.#lateCopies.set(name, copies);
    return copies;
  }

  addPacketFault(
    target: ClientTarget,
    { count, ...fault }: Omit<PacketFault, 'left'> & { readonly count: number },
  ): Undo {
    const added: PacketFault = { ...fault, left: count };
    this.#packetFaults.set(target, [...(this.#packetFaults.get(target) ?? []), added]);
    return () => {
      const left = (this.#packetFaults.get(target) ?? []).filter((one) => one !== added);
      if (left.length > 0) this.#packetFaults.set(target, left);
      else this.#packetFaults.delete(target);
    };
  }

  #changed(target: ClientTarget): void {
    const name = nameOf(target);
    if (name === undefined) this.#conditions.clear();
    else this.#conditions.delete(name);
    this.#proxy?.changed(name);
  }
}

function nameOf(target: ClientTarget): string | undefined {
  return target === ALL_CLIENTS ? undefined : String(target);
}
