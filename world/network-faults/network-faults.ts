import type { VirtualMqttBroker } from '../mqtt/virtual-mqtt-broker.ts';
import type { VirtualNetwork } from '../network/virtual-network.ts';
import type { Trace } from '../trace/trace.ts';
import type {
  ConditionLayer,
  Latency,
  LayerName,
  LayerSettings,
  LinkCounts,
  NetworkConditions,
  PacketFault,
  PacketFaultAction,
  PassingPacket,
} from './conditions.ts';

/** Ends a fault. Calling it twice does nothing. */
export type Undo = () => void;

/** The target of a fault: one client id, or all clients, including those that connect later. */
export type ClientTarget = string | typeof EVERYBODY;

export const EVERYBODY = Symbol('everybody');

/** The link where coverage is poor, apart from its signal: at the edge of a GPRS cell. */
export const POOR_COVERAGE = {
  csq: 5,
  latency: { delayMs: 600, jitterMs: 900 },
  bandwidth: { upBitsPerS: 9_600, downBitsPerS: 14_400 },
} as const;

/**
 * Simulated network faults, as far as TCP lets them happen. Every call takes effect at once.
 *
 * A lasting fault is applied (`apply`) and ended by the returned function. A fault that was applied twice
 * lasts until both are ended, and the harsher one applies (conditions.ts). `halfOpen`, `stall` and `latency`
 * are switches of their own, independent of all applied faults.
 */
export class NetworkFaults {
  readonly #network: VirtualNetwork;
  readonly #broker: VirtualMqttBroker;
  readonly #trace: Trace;

  constructor(network: VirtualNetwork, broker: VirtualMqttBroker, trace: Trace) {
    this.#network = network;
    this.#broker = broker;
    this.#trace = trace;
  }

  /**
   * Applies a fault that lasts until the returned function is called.
   *
   * - `half_open`: packets are lost, and an end only notices by the keep-alive; connections that lost packets
   *   are reset at the end.
   * - `stall`: packets wait and arrive, in order, at the end (toxiproxy: timeout 0).
   * - `latency`: one-way; jitter is drawn for each packet, their order stays.
   * - `bandwidth`: packets (with 40 bytes of TCP and IP) queue behind each other; after a change, packets
   *   that still wait are scheduled again.
   * - `cell`: as a bandwidth, which all clients with the same cell share: packets queue behind those of the others.
   * - `reset_peer`: each connection is reset `afterMs` after it was made, at once if that is past.
   * - `slow_close`: when one end closes a connection, the other end is notified that much later, at the
   *   latest when it misses the keep-alive.
   * - `limit_data`: each connection is reset by the packet with which more than `bytes` have passed, both
   *   directions together, since it was made or since this was applied. That packet does not arrive.
   * - `trace`: packets pass as on a recorded link (cellular-trace.ts), which begins to play when it is
   *   applied.
   *
   * Pings are not simulated as packets (../network/virtual-connection.ts).
   */
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

  /** Poor coverage of the connection; the signal quality is set at the box (`POOR_COVERAGE.csq`). */
  poorCoverage(target: ClientTarget): Undo {
    const undos = [
      this.apply('latency', target, POOR_COVERAGE.latency),
      this.apply('bandwidth', target, POOR_COVERAGE.bandwidth),
    ];
    return () => {
      for (const undo of undos) undo();
    };
  }

  /**
   * Applies a fault to the next `count` matching messages of the target; all clients share one count. If
   * several faults match a message, the first one applies. A lost message may end the connection, so a count
   * may span several connections. The returned function removes the fault.
   */
  addPacketFault(
    target: ClientTarget,
    how: {
      readonly matches: (packet: PassingPacket) => boolean;
      readonly count: number;
      readonly act: PacketFaultAction;
    },
  ): Undo {
    const { matches, count, act } = how;
    this.#note('pick', target, { count, act });
    const packetFault: PacketFault = { matches, act, left: count };
    this.#network.addPacketFault(idOf(target), packetFault);
    return once(() => this.#network.removePacketFault(idOf(target), packetFault));
  }

  /** What faults of a client's link have met so far: an object that goes on counting. */
  countsOf(clientId: string): Readonly<LinkCounts> {
    return this.#network.countsOf(clientId);
  }

  /** Severs the open connections, and returns how many; both ends are notified at once. */
  cut(target: ClientTarget): number {
    this.#note('cut', target, {});
    return this.#network.reset(idOf(target));
  }

  /**
   * The broker deletes the session of a client with its queue, and severs its connection; its will is
   * published. Returns whether there was any; undefined: nobody knows.
   */
  loseSession(clientId: string): boolean | undefined {
    this.#note('session-lost', clientId, {});
    return this.#broker.loseSession(clientId);
  }

  /**
   * Another connection with the same client id takes over (MQTT 3.1.1 section 3.1.4) and leaves at once: the
   * broker closes the older one, publishes its will, and deletes a clean session. Returns whether there was an older one.
   */
  takeOver(clientId: string): boolean {
    this.#note('take-over', clientId, {});
    return this.#broker.takeOver(clientId);
  }

  halfOpen(target: ClientTarget, isOn: boolean): void {
    this.#set('half-open', target, { isOn }, (manual) => {
      manual.isHalfOpen = isOn;
    });
  }

  stall(target: ClientTarget, isOn: boolean): void {
    this.#set('stall', target, { isOn }, (manual) => {
      manual.isStalled = isOn;
    });
  }

  /** The one-way latency; undefined: each connection has its initial latency. */
  latency(target: ClientTarget, latency: Latency | undefined): void {
    this.#set('latency', target, { latency }, (manual) => {
      manual.latency = latency;
    });
  }

  /** The next `count` PUBACKs to the client are lost, each together with its connection. */
  losePuback(target: ClientTarget, count = 1): void {
    this.#note('lose-puback', target, { count });
    this.#network.losePubacks(idOf(target), 'pubacksToLose', count);
  }

  /** The next `count` PUBACKs to the client are never sent; the connection stays up. */
  withholdPuback(target: ClientTarget, count = 1): void {
    this.#note('withhold-puback', target, { count });
    this.#network.losePubacks(idOf(target), 'pubacksToWithhold', count);
  }

  #set(
    what: string,
    target: ClientTarget,
    setting: object,
    change: (manual: NetworkConditions) => void,
  ): void {
    this.#note(what, target, setting);
    this.#network.set(idOf(target), change);
  }

  #note(what: string, target: ClientTarget, setting: object): void {
    const whom = target === EVERYBODY ? 'everybody' : String(target);
    const detail = `${whom} ${JSON.stringify(setting)}`;
    this.#trace.note({ who: 'weather', what: what.replaceAll('_', '-'), detail });
  }
}

function idOf(target: ClientTarget): string | undefined {
  return target === EVERYBODY ? undefined : String(target);
}

function once(end: () => void): Undo {
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    end();
  };
}
