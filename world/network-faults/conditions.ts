import type { CellularTrace } from './cellular-trace.ts';
import type { SharedCell } from './shared-cell.ts';

/** The one-way latency. */
export interface Latency {
  readonly delayMs: number;
  /** The highest additional delay, drawn for each packet. */
  readonly jitterMs: number;
}

/** `up` is from the client to the broker. */
export type Direction = 'up' | 'down';

/** A trace that a connection plays, beginning at `sinceMs`. */
export interface PlayedTrace {
  readonly trace: CellularTrace;
  readonly sinceMs: number;
}

/** Lasting conditions of a client's connections. */
export interface NetworkConditions {
  /** Undefined: each connection keeps its initial latency. */
  latency: Latency | undefined;
  /** Packets are lost, and neither end is notified. */
  isHalfOpen: boolean;
  /** Packets wait until the stall ends. */
  isStalled: boolean;
  /** Bits per second; packets queue behind each other. Infinity: no limit. */
  readonly bitsPerS: Record<Direction, number>;
  readonly traces: Record<Direction, readonly PlayedTrace[]>;
  /** Cells that it shares with other clients. */
  cells: readonly SharedCell[];
  /** Each connection is reset at this age. Infinity: never. */
  resetAfterMs: number;
  /** How much later than usual an end is notified that the other one has closed. */
  slowCloseMs: number;
  /**
   * Each connection ends once this many bytes have passed since the limit took effect. Infinity: no limit.
   */
  limitBytes: number;
}

/** How often the faults of a client's link had an effect so far. Numbers only grow. */
export interface LinkCounts {
  /** Packets that were sent, held or lost, and pings that were lost. */
  packets: number;
  /** Connections that were reset because of their age. */
  resets: number;
  /** Connections that reached their limit of bytes. */
  overLimit: number;
  /** Closes of which the other end was notified late. */
  slowCloses: number;
}

export function noLinkCounts(): LinkCounts {
  return { packets: 0, resets: 0, overLimit: 0, slowCloses: 0 };
}

/** The conditions of one client, shared by all its connections, including later ones. */
export interface ClientConditions extends NetworkConditions {
  /** Faults of single messages: lost, late, doubled, overtaken. Each has its own count. */
  readonly packetFaults: PacketFault[];
  readonly counts: LinkCounts;
}

/** A packet that a fault may match. A PUBACK has neither topic nor payload. */
export interface PassingPacket {
  readonly direction: Direction;
  readonly kind: 'PUBLISH' | 'PUBACK';
  readonly topic: string;
  readonly payload: Uint8Array;
}

/** The effect of a fault on a message that matches. */
export type PacketFaultAction =
  /**
   * It never arrives, and the connection stays up; MQTT 3.1.1 section 4.4: it is sent again only on the next
   * connection.
   */
  | { readonly kind: 'lose' }
  /**
   * It never arrives, nor does any other packet in flight: the connection is lost, and both ends are
   * notified.
   */
  | { readonly kind: 'lose-and-cut' }
  /** It is sent that much later on the same connection; packets sent meanwhile overtake it. */
  | { readonly kind: 'delay'; readonly byMs: number }
  /**
   * It arrives, and the same once more right behind it. With `byMs` a copy of a PUBLISH comes that much later, with
   * QoS 0: by then its packet identifier may be that of another message, so that nobody may acknowledge it (MQTT 3.1.1
   * section 3.3.1.2). If its connection has ended or is half-open by then, it arrives behind the next PUBLISH of its
   * direction on a later connection of the client, as at a network that delivers what it has kept.
   */
  | { readonly kind: 'double'; readonly byMs?: number }
  /**
   * It is held until the next PUBLISH or PUBACK of its direction has passed it. Where none does within that time, or the
   * client disconnects before, it is sent alone.
   */
  | { readonly kind: 'reorder'; readonly withinMs: number; readonly overtaken: () => void };

export interface PacketFault {
  readonly matches: (packet: PassingPacket) => boolean;
  readonly act: PacketFaultAction;
  left: number;
}

export function undisturbed(): NetworkConditions {
  return {
    latency: undefined,
    isHalfOpen: false,
    isStalled: false,
    bitsPerS: { up: Number.POSITIVE_INFINITY, down: Number.POSITIVE_INFINITY },
    traces: { up: [], down: [] },
    cells: [],
    resetAfterMs: Number.POSITIVE_INFINITY,
    slowCloseMs: 0,
    limitBytes: Number.POSITIVE_INFINITY,
  };
}

/** The setting of each lasting fault. */
export interface LayerSettings {
  readonly half_open: Record<string, never>;
  readonly stall: Record<string, never>;
  readonly latency: Latency;
  /** Bits per second; a direction that is not named has no limit. */
  readonly bandwidth: { readonly upBitsPerS?: number; readonly downBitsPerS?: number };
  readonly cell: { readonly cell: SharedCell };
  readonly reset_peer: { readonly afterMs: number };
  readonly slow_close: { readonly delayMs: number };
  readonly limit_data: { readonly bytes: number };
  /** `sinceMs`: when it began to play. */
  readonly trace: PlayedTrace & { readonly direction: Direction | 'both' };
}

export type LayerName = keyof LayerSettings;

/** One lasting fault of a client or of all clients. */
export type ConditionLayer = {
  [Name in LayerName]: {
    readonly name: Name;
    readonly setting: LayerSettings[Name];
  };
}[LayerName];

/**
 * How one more layer changes the conditions. The harsher one applies, whichever came first: the longest
 * latency (with its jitter), the lowest bandwidth, the earliest reset, the longest close, the smallest limit;
 * with several traces or cells a packet passes each.
 */
const ADD_LAYER: {
  readonly [Name in LayerName]: (conditions: NetworkConditions, setting: LayerSettings[Name]) => void;
} = {
  half_open: (conditions) => {
    conditions.isHalfOpen = true;
  },
  stall: (conditions) => {
    conditions.isStalled = true;
  },
  latency: (conditions, latency) => {
    if (highestMs(latency) > highestMs(conditions.latency)) conditions.latency = latency;
  },
  bandwidth: ({ bitsPerS }, { upBitsPerS, downBitsPerS }) => {
    bitsPerS.up = Math.min(bitsPerS.up, upBitsPerS ?? Number.POSITIVE_INFINITY);
    bitsPerS.down = Math.min(bitsPerS.down, downBitsPerS ?? Number.POSITIVE_INFINITY);
  },
  cell: (conditions, { cell }) => {
    // Twice the same one is still one cell.
    if (!conditions.cells.includes(cell)) conditions.cells = [...conditions.cells, cell];
  },
  reset_peer: (conditions, { afterMs }) => {
    conditions.resetAfterMs = Math.min(conditions.resetAfterMs, afterMs);
  },
  slow_close: (conditions, { delayMs }) => {
    conditions.slowCloseMs = Math.max(conditions.slowCloseMs, delayMs);
  },
  limit_data: (conditions, { bytes }) => {
    conditions.limitBytes = Math.min(conditions.limitBytes, bytes);
  },
  trace: ({ traces }, played) => {
    if (played.direction !== 'down') traces.up = [...traces.up, played];
    if (played.direction !== 'up') traces.down = [...traces.down, played];
  },
};

function highestMs(latency: Latency | undefined): number {
  return latency === undefined ? -1 : latency.delayMs + latency.jitterMs;
}

/** Adds a layer to conditions. */
export function addLayerTo(conditions: NetworkConditions, { name, setting }: ConditionLayer): void {
  const change = ADD_LAYER[name] as (conditions: NetworkConditions, setting: unknown) => void;
  change(conditions, setting);
}
