import type { RealProxy } from '../network/real-proxy.ts';
import {
  addLayerTo,
  type ConditionLayer,
  type Latency,
  type LayerName,
  type LayerSettings,
  type LinkCounts,
  type NetworkConditions,
  noLinkCounts,
  type PacketFault,
  type PassingPacket,
  undisturbed,
} from './conditions.ts';
import {
  type ClientTarget,
  EVERYBODY,
  type NetworkFaults,
  POOR_COVERAGE,
  type Undo,
} from './network-faults.ts';

/** Connects with the account of the box and leaves at once; `isForgetting`: with a clean session. */
export type ConnectAs = (clientId: string, isForgetting: boolean) => void;

/**
 * The faults of network-faults.ts over sockets: the same methods, carried out by a proxy in front of the MQTT
 * broker on each connection by its client id.
 */
export class RealNetworkFaults implements Pick<NetworkFaults, keyof NetworkFaults> {
  readonly #connectAs: ConnectAs;
  readonly #layers = new Map<ClientTarget, ConditionLayer[]>();
  readonly #conditions = new Map<string, NetworkConditions>();
  readonly #counts = new Map<string, LinkCounts>();
  readonly #switches = new Map<string, Undo>();
  readonly #packetFaults = new Map<ClientTarget, readonly PacketFault[]>();
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
      for (const layer of this.#layers.get(EVERYBODY) ?? []) addLayerTo(conditions, layer);
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

  poorCoverage(target: ClientTarget): Undo {
    const undos = [
      this.apply('latency', target, POOR_COVERAGE.latency),
      this.apply('bandwidth', target, POOR_COVERAGE.bandwidth),
    ];
    return () => {
      for (const undo of undos) undo();
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

  /** What a broker keeps of those who are away, nobody knows. */
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

  halfOpen(target: ClientTarget, isOn: boolean): void {
    this.#switch('half_open', target, isOn ? {} : undefined);
  }

  stall(target: ClientTarget, isOn: boolean): void {
    this.#switch('stall', target, isOn ? {} : undefined);
  }

  latency(target: ClientTarget, latency: Latency | undefined): void {
    this.#switch('latency', target, latency);
  }

  /** The faults of single messages of a client, those of all clients first. */
  packetFaultsOf(name: string): readonly PacketFault[] {
    const own = this.#packetFaults.get(name);
    const ofAll = this.#packetFaults.get(EVERYBODY);
    if (own === undefined || ofAll === undefined) return own ?? ofAll ?? [];
    return [...ofAll, ...own];
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

  losePuback(target: ClientTarget, count = 1): void {
    this.addPacketFault(target, { matches: isPubackDown, count, act: { kind: 'lose-and-cut' } });
  }

  withholdPuback(target: ClientTarget, count = 1): void {
    this.addPacketFault(target, { matches: isPubackDown, count, act: { kind: 'lose' } });
  }

  #switch<Name extends 'half_open' | 'stall' | 'latency'>(
    name: Name,
    target: ClientTarget,
    setting: LayerSettings[Name] | undefined,
  ): void {
    const key = `${name} ${String(target)}`;
    this.#switches.get(key)?.();
    this.#switches.delete(key);
    if (setting !== undefined) this.#switches.set(key, this.apply(name, target, setting));
  }

  #changed(target: ClientTarget): void {
    const name = nameOf(target);
    if (name === undefined) this.#conditions.clear();
    else this.#conditions.delete(name);
    this.#proxy?.changed(name);
  }
}

function nameOf(target: ClientTarget): string | undefined {
  return target === EVERYBODY ? undefined : String(target);
}

function isPubackDown({ direction, kind }: PassingPacket): boolean {
  return direction === 'down' && kind === 'PUBACK';
}
