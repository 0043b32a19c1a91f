import type { LayerName, LayerSettings, LinkCounts, PacketFaultAction, PassingPacket } from './conditions.ts';

/** Ends a fault. Calling it twice does nothing. */
export type Undo = () => void;

/** The target of a fault: one client id, or all clients, including those that connect later. */
export type ClientTarget = string | typeof ALL_CLIENTS;

export const ALL_CLIENTS = Symbol('all clients');

/**
 * Faults of the network between MQTT clients and their broker, as far as TCP allows them. Every call takes effect
 * immediately. A lasting fault is applied and ended by the returned function. A fault that was applied twice lasts
 * until both are ended, and the harsher one applies (conditions.ts).
 */
export interface NetworkFaults {
  /**
   * Applies a fault that lasts until the returned function is called.
   *
   * - `half_open`: packets are lost, and an end only notices by the keep-alive; connections that lost packets are
   *   reset at the end.
   * - `stall`: packets wait and arrive, in order, at the end (toxiproxy: timeout 0).
   * - `latency`: one-way; jitter is drawn for each packet, their order stays.
   * - `bandwidth`: packets (with 40 bytes of TCP and IP) queue behind each other; after a change, packets that
   *   still wait are scheduled again.
   * - `cell`: as a bandwidth, which all clients with the same cell share: packets queue behind those of the others.
   * - `reset_peer`: each connection is reset `afterMs` after it was made, immediately if that is past.
   * - `slow_close`: when one end closes a connection, the other end is notified that much later, at the latest when
   *   it misses the keep-alive.
   * - `limit_data`: each connection is reset by the packet with which more than `bytes` have passed, both
   *   directions together, since it was made or since this was applied. That packet does not arrive.
   * - `trace`: packets pass as on a recorded link (cellular-trace.ts), which begins to play when it is applied.
   */
  apply<Name extends LayerName>(
    name: Name,
    target: ClientTarget,
    setting: Omit<LayerSettings[Name], 'sinceMs'>,
  ): Undo;
  /**
   * Applies a fault to the next `count` matching messages of the target; all clients share one count. If
   * several faults match a message, the first one applies. A lost message may end the connection, so a count
   * may span several connections. The returned function removes the fault.
   */
  addPacketFault(
    target: ClientTarget,
    fault: {
      readonly matches: (packet: PassingPacket) => boolean;
      readonly count: number;
      readonly act: PacketFaultAction;
    },
  ): Undo;
  /** How often the faults of a client's link had an effect so far: an object that keeps counting. */
  countsOf(clientId: string): Readonly<LinkCounts>;
  /** Severs the open connections, and returns how many; both ends are notified immediately. */
  cut(target: ClientTarget): number;
  /**
   * The broker deletes the session of a client with its queue, and severs its connection; its will is
   * published. Returns whether there was a session; undefined: unknown.
   */
  loseSession(clientId: string): boolean | undefined;
  /**
   * Another connection with the same client id takes over (MQTT 3.1.1 section 3.1.4) and leaves immediately: the broker
   * closes the older one, publishes its will, and deletes a clean session. Returns whether there was an older one.
   */
  takeOver(clientId: string): boolean;
}
