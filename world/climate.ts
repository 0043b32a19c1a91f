import type { CellularTrace } from './cellular-trace.ts';

/** One way. */
export interface Latency {
  readonly delayMs: number;
  /** Up to so much is added, drawn for each packet. */
  readonly jitterMs: number;
}

/** `up` is from the client to the broker. */
export type Direction = 'up' | 'down';

/** A trace that a link plays, from that moment on. */
export interface PlayedTrace {
  readonly trace: CellularTrace;
  readonly sinceMs: number;
}

/** What lasts in the weather of a client's connections. */
export interface Conditions {
  /** Undefined: each connection keeps the latency it was born with. */
  latency: Latency | undefined;
  /** Packets are lost, and neither end is told. */
  isHalfOpen: boolean;
  /** Packets wait until it is over. */
  isStalled: boolean;
  /** Bits a second; packets queue behind each other. Infinity: no bound. */
  readonly bitsPerS: Record<Direction, number>;
  readonly traces: Record<Direction, readonly PlayedTrace[]>;
  /** Each connection is reset that long after it was made. Infinity: none is. */
  resetAfterMs: number;
  /** So much later than usual an end learns that the other one has closed. */
  slowCloseMs: number;
  /** Each connection ends once so many bytes have passed since this is in force. Infinity: no bound. */
  limitBytes: number;
}

/** The weather on one client's connections. All of them look at the same one, the next connection too. */
export interface Climate extends Conditions {
  /** How many of the next PUBACKs to the client are lost, each together with its connection. */
  pubacksToLose: number;
  /** How many of the next PUBACKs to the client are never sent, while the connection lives on. */
  pubacksToWithhold: number;
  /** Single messages that are to be lost or late; each counts down by itself. */
  readonly picks: Pick[];
}

/** A packet that weather may pick out. A PUBACK has neither topic nor payload. */
export interface Passing {
  readonly direction: Direction;
  readonly kind: 'PUBLISH' | 'PUBACK';
  readonly topic: string;
  readonly payload: Uint8Array;
}

/** What becomes of a message that was picked out. */
export type PickAct =
  /** It never arrives, and the connection lives on; MQTT 3.1.1 section 4.4 sends it again only on the next one. */
  | { readonly kind: 'lose' }
  /** It never arrives, and with it whatever is under way: the connection died in that moment, and both ends know. */
  | { readonly kind: 'lose-and-cut' }
  /** It is sent that much later on the same connection; what is sent meanwhile passes it. */
  | { readonly kind: 'delay'; readonly byMs: number };

export interface Pick {
  readonly matches: (passing: Passing) => boolean;
  readonly act: PickAct;
  left: number;
}

export function calm(): Conditions {
  return {
    latency: undefined,
    isHalfOpen: false,
    isStalled: false,
    bitsPerS: { up: Number.POSITIVE_INFINITY, down: Number.POSITIVE_INFINITY },
    traces: { up: [], down: [] },
    resetAfterMs: Number.POSITIVE_INFINITY,
    slowCloseMs: 0,
    limitBytes: Number.POSITIVE_INFINITY,
  };
}

/** What each lasting weather is given. */
export interface LayerSettings {
  readonly half_open: Record<string, never>;
  readonly stall: Record<string, never>;
  readonly latency: Latency;
  /** Bits a second; a direction that is not named has no bound. */
  readonly bandwidth: { readonly upBitsPerS?: number; readonly downBitsPerS?: number };
  readonly reset_peer: { readonly afterMs: number };
  readonly slow_close: { readonly delayMs: number };
  readonly limit_data: { readonly bytes: number };
  /** `sinceMs`: when it began to play. */
  readonly trace: PlayedTrace & { readonly direction: Direction | 'both' };
}

export type LayerName = keyof LayerSettings;

/** One lasting weather on a client or on everybody. */
export type Layer = {
  [Name in LayerName]: {
    readonly name: Name;
    readonly setting: LayerSettings[Name];
  };
}[LayerName];

/**
 * What one more layer makes of the conditions. The harsher wins, whichever was laid first: the longest latency (with
 * its jitter), the least bandwidth, the earliest reset, the longest close, the smallest limit; of several traces a
 * packet passes each.
 */
const WORSEN: {
  readonly [Name in LayerName]: (conditions: Conditions, setting: LayerSettings[Name]) => void;
} = {
  half_open: (conditions) => {
    conditions.isHalfOpen = true;
  },
  stall: (conditions) => {
    conditions.isStalled = true;
  },
  latency: (conditions, latency) => {
    if (mostMs(latency) > mostMs(conditions.latency)) conditions.latency = latency;
  },
  bandwidth: ({ bitsPerS }, { upBitsPerS, downBitsPerS }) => {
    bitsPerS.up = Math.min(bitsPerS.up, upBitsPerS ?? Number.POSITIVE_INFINITY);
    bitsPerS.down = Math.min(bitsPerS.down, downBitsPerS ?? Number.POSITIVE_INFINITY);
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

function mostMs(latency: Latency | undefined): number {
  return latency === undefined ? -1 : latency.delayMs + latency.jitterMs;
}

/** Puts a layer on top of conditions. */
export function worsen(conditions: Conditions, { name, setting }: Layer): void {
  const change = WORSEN[name] as (conditions: Conditions, setting: unknown) => void;
  change(conditions, setting);
}
