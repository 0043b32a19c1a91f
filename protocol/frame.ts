import { WRITERS } from './coding.ts';
import { CHECKSUM_BYTES, ENVELOPE_BYTES, HEADER_BYTES, writeEnvelope } from './envelope.ts';
import type { Fault } from './fault.ts';
import { unsigned } from './fields.ts';
import { kindOf } from './kinds.ts';
import { limits } from './limits.ts';
import type { Frame } from './message.ts';
import { Scan } from './scan.ts';
import { rawOf, Writer } from './writer.ts';

/** What a payload held. Frames and faults in the order of their bytes; together they cover every byte once. */
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

const FOUR_BYTES = unsigned(4);
const BOOT = unsigned(2);
const SEQUENCE = unsigned(4, { minimum: 1, maximum: limits.highestSequence });
const CLOCK = unsigned(6);

/** One writer for all: encoding neither waits nor calls itself. */
const writer = new Writer(ENVELOPE_BYTES + limits.framePayloadBytes);

/**
 * The bytes of a frame. Total: a field that is out of its bounds is clamped to them, so what comes out can always be
 * decoded. A sequence counts only in kinds that the journal keeps, the boot count only upwards; elsewhere both are 0.
 */
export function encodeFrame(frame: Frame): Uint8Array {
  const generation = frame.generation === 1 ? 1 : 2;
  const kind = kindOf(frame.message);
  const start = writer.begin();
  writer.at = start + HEADER_BYTES;
  WRITERS[generation][kind.name](writer, frame.message);
  const header = {
    version: generation,
    kind: kind.code,
    length: writer.at - start - HEADER_BYTES,
    epoch: rawOf(FOUR_BYTES, frame.epoch),
    boot: kind.direction === 'up' ? rawOf(BOOT, frame.boot) : 0,
    sequence: kind.kept ? rawOf(SEQUENCE, frame.sequence) : 0,
    clockMs: rawOf(CLOCK, frame.clockMs),
  };
  writeEnvelope(writer.bytes, writer.view, header, start);
  return writer.take(start, writer.at + CHECKSUM_BYTES);
}

/** Several frames as one payload, in their order. The bounds of limits.ts on a payload are the caller's to keep. */
export function payloadOf(frames: readonly Frame[]): Uint8Array {
  const parts = frames.map((frame) => encodeFrame(frame));
  const payload = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    payload.set(part, end);
    end += part.length;
  }
  return payload;
}

/**
 * All frames of a payload. Total: never throws, whatever the bytes. A bad frame does not cost a good one: where a
 * frame is spoiled, every later offset is tried, the bytes that the spoiled one claims included. The work is bounded:
 * each offset is tried once, for at most one header and one checksum of a frame's greatest length, and after 256 frames
 * or 257 faults the rest is not read. The frames hold copies of their bytes, so the payload may be used again.
 */
export function decodePayload(bytes: Uint8Array): Payload {
  const scan = new Scan(bytes);
  if (bytes.length > limits.payloadBytes) {
    const detail = `The payload has ${bytes.length} bytes, beyond ${limits.payloadBytes}.`;
    scan.spoil({ fault: 'too-large', offset: 0, detail }, 0);
    scan.settle(bytes.length);
  } else {
    scan.run();
  }
  return { frames: scan.frames, faults: scan.faults };
}
