import type { Fault } from './fault.ts';
import type { Frame } from './message.ts';

/** What a payload held. Frames and faults in the order of their bytes. */
export interface Payload {
  readonly frames: readonly Placed[];
  readonly faults: readonly Misplaced[];
}

/** A frame and the bytes that were it: `start` included, `end` not. */
export interface Placed {
  readonly frame: Frame;
  readonly start: number;
  readonly end: number;
}

/** A fault, the bytes it spoiled, and the record they were, where the header could still be trusted. */
export interface Misplaced {
  readonly fault: Fault;
  readonly start: number;
  readonly end: number;
  readonly key?: { readonly generation: number; readonly epoch: number; readonly sequence: number };
}

/** The bytes of a frame. The frame must be within the bounds; a field that is not is clamped to its range. */
export declare function encodeFrame(frame: Frame): Uint8Array;

/** All frames of a payload. Total: never throws, whatever the bytes; a bad frame does not cost a good one. */
export declare function decodePayload(bytes: Uint8Array): Payload;
