import type { VirtualLoop } from '../loop/virtual-loop.ts';
import type { VirtualMqttBroker } from '../mqtt/virtual-mqtt-broker.ts';
import type { MqttPacket } from '../mqtt/virtual-mqtt-packets.ts';
import {
  addLayerTo,
  type ClientConditions,
  type ConditionLayer,
  type LinkCounts,
  noLinkCounts,
  type PacketFault,
  undisturbed,
} from '../network-faults/conditions.ts';
import { LateCopies } from '../network-faults/late-copies.ts';
import type { Random } from '../random/random.ts';
import type { Trace } from '../trace/trace.ts';
import { VirtualConnection } from './virtual-connection.ts';

/** The one-way delays of new connections, drawn for each: a mobile network in good conditions. */
export interface NetworkSettings {
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
  readonly jitterMs: number;
}

const DEFAULT_NETWORK: NetworkSettings = { minDelayMs: 10, maxDelayMs: 60, jitterMs: 10 };

/** A client's lasting faults, and the resulting conditions. */
interface ClientFaults {
  readonly layers: Set<ConditionLayer>;
  readonly conditions: ClientConditions;
  readonly lateCopies: LateCopies<MqttPacket>;
}

/** All connections between clients and the broker, and the faults on them. */
export class VirtualNetwork {
  readonly #loop: VirtualLoop;
  readonly #random: Random;
  readonly #trace: Trace;
  readonly #broker: VirtualMqttBroker;
  readonly #settings: NetworkSettings;
  /** The faults that apply to all clients; new clients begin with them. */
  readonly #faultsOfAll: ClientFaults = noFaults();
  readonly #faultsByClient = new Map<string, ClientFaults>();
  readonly #connections = new Map<string, Set<VirtualConnection>>();
  readonly #connectionCounts = new Map<string, number>();

  constructor(
    loop: VirtualLoop,
    random: Random,
    trace: Trace,
    broker: VirtualMqttBroker,
    settings: NetworkSettings = DEFAULT_NETWORK,
  ) {
    this.#loop = loop;
    this.#random = random;
    this.#trace = trace;
    this.#broker = broker;
    this.#settings = settings;
  }

  get nowMs(): number {
    return this.#loop.nowMs;
  }

  /** A new connection of `clientId` to the broker; a broker that is down resets it. */
  connect(clientId: string): VirtualConnection {
    const count = (this.#connectionCounts.get(clientId) ?? 0) + 1;
    this.#connectionCounts.set(clientId, count);
    const stream = this.#random.stream(`network/${clientId}/${count}`);
    const connections = this.#connections.get(clientId) ?? new Set<VirtualConnection>();
    this.#connections.set(clientId, connections);
    const { conditions, lateCopies } = this.#faultsOf(clientId);
    const connection = new VirtualConnection({
      loop: this.#loop,
      trace: this.#trace,
      stream,
      clientId,
      conditions,
      lateCopies,
      latency: {
        delayMs: stream.whole(this.#settings.minDelayMs, this.#settings.maxDelayMs),
        jitterMs: this.#settings.jitterMs,
      },
      whenOver: () => connections.delete(connection),
    });
    connections.add(connection);
    if (this.#broker.isDown) {
      this.#broker.turnAway();
      this.#loop.schedule(this.#loop.nowMs, `mqtt ${clientId} refused`, () =>
        connection.reset('connection refused'),
      );
    } else connection.attach('broker', this.#broker.accept(connection));
    return connection;
  }

  /**
   * Severs all connections of a client; both ends are notified immediately. Undefined: of all clients. Returns how
   * many it severed.
   */
  reset(clientId: string | undefined): number {
    const connections = this.#clientsOf(clientId).flatMap((one) => [...(this.#connections.get(one) ?? [])]);
    for (const connection of connections) connection.reset('reset by peer');
    return connections.length;
  }

  /** How often the faults of a client's link had an effect so far: an object that keeps counting. */
  countsOf(clientId: string): Readonly<LinkCounts> {
    return this.#faultsOf(clientId).conditions.counts;
  }

  /** Adds a layer to a client, or (undefined) to all present and future clients. */
  addLayer(clientId: string | undefined, layer: ConditionLayer): void {
    this.#change(clientId, ({ layers }) => layers.add(layer));
  }

  /** Removes a layer from every client that has it. */
  removeLayer(clientId: string | undefined, layer: ConditionLayer): void {
    this.#change(clientId, ({ layers }) => layers.delete(layer));
  }

  /** Adds a fault for the next matching messages of a client, or (undefined) of all clients together. */
  addPacketFault(clientId: string | undefined, packetFault: PacketFault): void {
    for (const { conditions } of this.#allFaultsOf(clientId)) conditions.packetFaults.push(packetFault);
  }

  /** Removes such a fault. */
  removePacketFault(clientId: string | undefined, packetFault: PacketFault): void {
    for (const { conditions } of this.#allFaultsOf(clientId)) {
      const at = conditions.packetFaults.indexOf(packetFault);
      if (at >= 0) conditions.packetFaults.splice(at, 1);
    }
  }

  /** Every client id that has ever connected or has its own faults, in order of first appearance. */
  get clientIds(): readonly string[] {
    return [...this.#faultsByClient.keys()];
  }

  #change(clientId: string | undefined, change: (faults: ClientFaults) => void): void {
    for (const faults of this.#allFaultsOf(clientId)) change(faults);
    for (const one of this.#clientsOf(clientId)) {
      const { layers, conditions } = this.#faultsOf(one);
      Object.assign(conditions, undisturbed());
      for (const layer of layers) addLayerTo(conditions, layer);
      for (const connection of [...(this.#connections.get(one) ?? [])]) connection.conditionsChanged();
    }
  }

  #clientsOf(clientId: string | undefined): readonly string[] {
    return clientId === undefined ? this.clientIds : [clientId];
  }

  #allFaultsOf(clientId: string | undefined): readonly ClientFaults[] {
    return clientId === undefined
      ? [this.#faultsOfAll, ...this.#faultsByClient.values()]
      : [this.#faultsOf(clientId)];
  }

  #faultsOf(clientId: string): ClientFaults {
    const there = this.#faultsByClient.get(clientId);
    if (there !== undefined) return there;
    const { layers, conditions } = this.#faultsOfAll;
    const faults = noFaults();
    faults.conditions.packetFaults.push(...conditions.packetFaults);
    for (const layer of layers) faults.layers.add(layer);
    for (const layer of layers) addLayerTo(faults.conditions, layer);
    this.#faultsByClient.set(clientId, faults);
    return faults;
  }
}

function noFaults(): ClientFaults {
  return {
    layers: new Set(),
    conditions: { ...undisturbed(), packetFaults: [], counts: noLinkCounts() },
    lateCopies: new LateCopies(),
  };
}
