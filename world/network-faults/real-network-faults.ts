import type { RealProxy } from '../network/real-proxy.ts';
import {
  addLayerTo,
  type ConditionLayer,
  type Latency,
  type LayerName,
  type LayerSettings,
  type NetworkConditions,
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
 * broker on each connection by its client id. Single messages of a connection that stays up cannot be
 * changed: those methods throw.
 */
export class RealNetworkFaults implements Pick<NetworkFaults, keyof NetworkFaults> {
  readonly #connectAs: ConnectAs;
  readonly #layers = new Map<ClientTarget, ConditionLayer[]>();
  readonly #conditions = new Map<string, NetworkConditions>();
  readonly #switches = new Map<string, Undo>();
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

  cut(target: ClientTarget): void {
    this.#proxy?.cut(nameOf(target));
  }

  loseSession(clientId: string): void {
    this.#connectAs(clientId, true);
  }

  takeOver(clientId: string): void {
    this.#connectAs(clientId, false);
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

  addPacketFault(): Undo {
    return noPacketFaults();
  }

  losePuback(): void {
    noPacketFaults();
  }

  withholdPuback(): void {
    noPacketFaults();
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

function noPacketFaults(): never {
  throw new Error('Faults of single messages do not exist over sockets, only those of whole connections.');
}
