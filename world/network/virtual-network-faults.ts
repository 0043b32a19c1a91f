import type { VirtualMqttBroker } from '../mqtt/virtual-mqtt-broker.ts';
import type {
  ConditionLayer,
  LayerName,
  LayerSettings,
  LinkCounts,
  PacketFault,
} from '../network-faults/conditions.ts';
import {
  ALL_CLIENTS,
  type ClientTarget,
  type NetworkFaults,
  type Undo,
} from '../network-faults/network-faults.ts';
import type { Trace } from '../trace/trace.ts';
import type { VirtualNetwork } from './virtual-network.ts';

/** The network faults of the virtual world. Pings are not simulated as packets (virtual-connection.ts). */
export class VirtualNetworkFaults implements NetworkFaults {
  readonly #network: VirtualNetwork;
  readonly #broker: VirtualMqttBroker;
  readonly #trace: Trace;

  constructor(network: VirtualNetwork, broker: VirtualMqttBroker, trace: Trace) {
    this.#network = network;
    this.#broker = broker;
    this.#trace = trace;
  }

  apply<Name extends LayerName>(
    name: Name,
    target: ClientTarget,
    setting: Omit<LayerSettings[Name], 'sinceMs'>,
  ): Undo {
    const layer = {
      name,
      setting: { ...setting, sinceMs: this.#network.nowMs },
    } as unknown as ConditionLayer;
    const shown = 'trace' in setting ? { ...setting, trace: undefined } : setting;
    this.#note(name, target, shown);
    this.#network.addLayer(idOf(target), layer);
    return once(() => {
      this.#note(`${name}-over`, target, shown);
      this.#network.removeLayer(idOf(target), layer);
    });
  }

  addPacketFault(
    target: ClientTarget,
    { count, ...fault }: Omit<PacketFault, 'left'> & { readonly count: number },
  ): Undo {
    this.#note('pick', target, { count, act: fault.act });
    const packetFault: PacketFault = { ...fault, left: count };
    this.#network.addPacketFault(idOf(target), packetFault);
    return once(() => this.#network.removePacketFault(idOf(target), packetFault));
  }

  countsOf(clientId: string): Readonly<LinkCounts> {
    return this.#network.countsOf(clientId);
  }

  cut(target: ClientTarget): number {
    this.#note('cut', target, {});
    return this.#network.reset(idOf(target));
  }

  loseSession(clientId: string): boolean {
    this.#note('session-lost', clientId, {});
    return this.#broker.loseSession(clientId);
  }

  takeOver(clientId: string): boolean {
    this.#note('take-over', clientId, {});
    return this.#broker.takeOver(clientId);
  }

  #note(what: string, target: ClientTarget, setting: object): void {
    const whom = target === ALL_CLIENTS ? 'everybody' : String(target);
    const detail = `${whom} ${JSON.stringify(setting)}`;
    this.#trace.note({ who: 'weather', what: what.replaceAll('_', '-'), detail });
  }
}

function idOf(target: ClientTarget): string | undefined {
  return target === ALL_CLIENTS ? undefined : String(target);
}

function once(end: () => void): Undo {
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    end();
  };
}
